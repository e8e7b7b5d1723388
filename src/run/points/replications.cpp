// Statistics over the replications of a point. A percentile is the least time that at least so many percent of the
// replications do not exceed.

#include "run/points/replications.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace rondo {

namespace {

/// The most ranks whose times are listed one by one.
constexpr std::ptrdiff_t most_rank_times = 65'536;

double sum_of(std::vector<double> const& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Whether a record describes the spread of times: if there are several replications, or noise.
bool has_spread(scenario::Scenario const& scenario) {
  return scenario.replications > 1 || scenario.machine.noise.any();
}

}  // namespace

scenario::Scenario without_noise(scenario::Scenario scenario) {
  scenario.machine.noise = {};
  return scenario;
}

Spread spread_of(std::vector<double> times) {
  expects(!times.empty(), "a time");
  std::sort(times.begin(), times.end());
  auto const percentile = [&](std::size_t k) { return times[(k * times.size() + 99) / 100 - 1]; };
  return {sum_of(times) / static_cast<double>(times.size()), percentile(50), percentile(95), times.back()};
}

/// The entry of a step or a job in the record: its time, its time alone, and their ratio.
nlohmann::ordered_json spread_entry(std::vector<double> const& times, Seconds alone,
                                    scenario::Scenario const& scenario) {
  Spread const spread = spread_of(times);
  nlohmann::ordered_json entry{{"time_s", spread.mean}, {"alone_s", alone.value}, {"slowdown", nullptr}};
  if (alone > Seconds(0)) entry["slowdown"] = spread.mean / alone.value;
  if (!has_spread(scenario)) return entry;
  entry.update({{"time_mean_s", spread.mean},
                {"time_p50_s", spread.p50},
                {"time_p95_s", spread.p95},
                {"time_max_s", spread.max}});
  return entry;
}

/// The statistic of a record. Without several replications there is one time only.
std::optional<double> time_by(Record const& record, Statistic by) {
  switch (by) {
    case Statistic::mean:
      return record.time_s;
    case Statistic::median:
      return record.time_p50_s ? record.time_p50_s : record.time_s;
    case Statistic::p95:
      return record.time_p95_s ? record.time_p95_s : record.time_s;
    case Statistic::worst:
      return record.time_max_s ? record.time_max_s : record.time_s;
  }
  throw ContractViolation("a statistic");
}

/// Adds a replication. Times of ranks count from their own arrivals.
void Replications::add(Seconds time, std::vector<Seconds> const& finish, std::vector<Seconds> const& arrival,
                       Seconds before) {
  times_.push_back(time.value);
  if (finish.empty() || (arrival.empty() && rank_times_.empty())) return;
  // A moment that begins just before an arrival includes it.
  auto const from_0 = [](Seconds later) { return std::max(later.value, 0.0); };
  auto const came = [&](std::size_t rank) { return arrival.empty() ? Seconds(0) : arrival[rank]; };
  Seconds const last = arrival.empty() ? Seconds(0) : *std::ranges::max_element(arrival);
  after_last_arrival_ += from_0(before + *std::ranges::max_element(finish) - last);
  rank_times_.resize(finish.size(), 0);
  for (std::size_t rank = 0; rank < finish.size(); ++rank) {
    rank_times_[rank] += from_0(before + finish[rank] - came(rank));
  }
}

/// Writes means and percentiles into the record.
void Replications::fill(Record& record, scenario::Scenario const& scenario) const {
  Spread const spread = spread_of(times_);
  auto const count = static_cast<double>(times_.size());
  if (record.combining.first_call_time_s) *record.combining.first_call_time_s += spread.mean - times_.front();
  record.time_s = spread.mean;
  if (has_spread(scenario)) {
    record.replications = scenario.replications;
    record.time_mean_s = spread.mean;
    record.time_p50_s = spread.p50;
    record.time_p95_s = spread.p95;
    record.time_max_s = spread.max;
  }
  if (rank_times_.empty()) return;
  record.after_last_arrival_s = after_last_arrival_ / count;
  std::vector<double> means = rank_times_;
  for (double& time : means) time /= count;
  record.mean_rank_time_s = sum_of(means) / static_cast<double>(means.size());
  if (std::ssize(means) <= most_rank_times) record.rank_times_s = std::move(means);
}

}  // namespace rondo
