#pragma once

// The replications of a point: simulations that differ in what they draw, for arrivals and noise alone.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "base/words.hpp"
#include "run/points/record.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// Whether a record tells how times spread: there are several replications, or noise.
bool has_spread(scenario::Scenario const& scenario);

/// The scenario on a machine without noise.
scenario::Scenario without_noise(scenario::Scenario scenario);

/// How times spread. The k-th percentile is the least time that at least k % of all do not exceed (nearest rank).
struct Spread {
  double mean, p50, p95, max;
};
/// Of at least one time.
Spread spread_of(std::vector<double> times);

/// The entry of a step or a job in a record: its mean time in all replications, its time alone, their ratio, and the
/// spread, if the record has one.
nlohmann::ordered_json spread_entry(std::vector<double> const& times, Seconds alone,
                                    scenario::Scenario const& scenario);

/// Which of the times of all replications counts where candidates are compared.
enum class Statistic : std::uint8_t { mean, median, p95, worst };
template <>
inline constexpr auto words<Statistic> = own_names<Statistic>;

/// That time of a record; of a single replication without noise it is `time_s`.
std::optional<double> time_by(Record const& record, Statistic by);

/// What a record says of all replications, put together one by one.
class Replications {
 public:
  /// One of them: its time, the finish of each rank as engines count (empty: not known), when ranks came (empty: at 0),
  /// and the time of a call before all that.
  void add(Seconds time, std::vector<Seconds> const& finish, std::vector<Seconds> const& arrival, Seconds before = {});
  void fill(Record& record, scenario::Scenario const& scenario) const;

 private:
  std::vector<double> times_;
  double after_last_arrival_ = 0;   ///< summed over replications
  std::vector<double> rank_times_;  ///< by rank, summed over replications; empty: no rank comes late
};

}  // namespace rondo
