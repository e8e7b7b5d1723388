#pragma once

// The replications of a point: simulations that differ only in the random numbers for arrivals and noise.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/enum_names.hpp"
#include "base/units.hpp"
#include "run/points/record.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

/// The scenario on a machine without noise.
scenario::Scenario without_noise(scenario::Scenario scenario);

/// The spread of times. The k-th percentile is the least time that at least k % of all times do not exceed (nearest
/// rank).
struct Spread {
  double mean, p50, p95, max;
};
/// The spread of these times; there must be at least one.
Spread spread_of(std::vector<double> times);

/// The entry of a step or a job in a record: its mean time over all replications, its time alone, their ratio, and the
/// spread if the record has one.
nlohmann::ordered_json spread_entry(std::vector<double> const& times, Seconds alone,
                                    scenario::Scenario const& scenario);

/// Which statistic of the times of all replications is used to compare candidates.
enum class Statistic : std::uint8_t { mean, median, p95, worst };
template <>
inline constexpr auto enum_names<Statistic> = value_names<Statistic>;

/// This statistic in a record; for a single replication without noise, `time_s`.
std::optional<double> time_by(Record const& record, Statistic by);

/// Collects the replications of a record one by one.
class Replications {
 public:
  /// Adds a replication: its time, the finish of each rank by the engine's clock (empty: unknown), the arrival of each
  /// rank (empty: at 0), and the time of a call before all that.
  void add(Seconds time, std::vector<Seconds> const& finish, std::vector<Seconds> const& arrival, Seconds before = {});
  void fill(Record& record, scenario::Scenario const& scenario) const;

 private:
  std::vector<double> times_;
  double after_last_arrival_ = 0;   ///< summed over replications
  std::vector<double> rank_times_;  ///< by rank, summed over replications; empty: no rank comes late
};

}  // namespace rondo
