// Theory, counting and simulation must agree: integers exactly, times within the rounding of the engine.

#include "run/points/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo {

namespace {

bool agree(std::int64_t a, std::int64_t b) { return a == b; }

/// Volumes are whole numbers of blocks, or sums of fractions where blocks are cut or differ in size.
bool agree(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

}  // namespace

/// Compares each count for which theory has a closed form with the count of the schedule.
std::string counting_disagrees(Record const& r) {
  std::string difference;
  auto const compare = [&](char const* of_what, auto const& theory, auto const& counted) {
    if (!difference.empty() || !theory || (counted && agree(*theory, *counted))) return;
    difference = fmt::format("theory says {} {}, the schedule has {}", *theory, of_what, counted.value_or(0));
  };
  compare("rounds", r.theory.rounds, r.rounds);
  compare("blocks sent by a rank", r.theory.volume_blocks, r.volume_blocks);
  compare("bytes sent by a rank", r.theory.volume_bytes, r.volume_bytes);
  compare("blocks in the largest messages of all rounds", r.theory.critical_blocks, r.critical_blocks);
  compare("blocks sent by all ranks", r.theory.total_blocks, r.total_blocks);
  compare("blocks received by a rank", r.theory.received_blocks, r.received_blocks);
  compare("messages", r.theory.messages, r.messages);
  return difference;
}

/// The engine must carry exactly the messages of the schedule. Times are compared if theory's are exact for the
/// machine.
std::string simulation_disagrees(Record const& r, Measures const& measures, Timing const& timing, bool exact,
                                 std::optional<double> accounted_time_s) {
  if (timing.messages != measures.messages || timing.bytes != measures.total_bytes) {
    return fmt::format("the schedule has {} messages of {} bytes in all, the simulation carried {} of {}",
                       measures.messages, measures.total_bytes.value, timing.messages, timing.bytes.value);
  }
  std::optional<double> const expected = r.theory.time_s ? r.theory.time_s : accounted_time_s;
  if (!exact || !expected) return "";
  double const time = timing.makespan.value;
  if (std::abs(time - *expected) <= time_tolerance * std::max(*expected, time)) return "";
  return fmt::format("{} {:.12g} s, the simulation took {:.12g} s",
                     r.theory.time_s ? "theory says" : "the schedule's own counts make", *expected, time);
}

/// Compares the counts of a program's ranks with theory. Counts that depend on its number of rounds are compared with
/// `accounted`, which is computed from that number.
std::string program_disagrees(Record const& r, Prediction const& prediction,
                              std::optional<ExpectedMessages> const& accounted) {
  std::string difference;
  auto const compare = [&](char const* says, char const* of_what, auto const& expected, auto const& counted) {
    if (!difference.empty() || !expected || expected == counted) return;
    difference = fmt::format("{} {} {}, the program counted {}", says, *expected, of_what, counted.value_or(0));
  };
  auto const compare_messages = [&](char const* says, SparseFigures const& sparse,
                                    std::optional<std::int64_t> const& messages) {
    compare(says, "data messages", sparse.data_messages, r.sparse.data_messages);
    compare(says, "acknowledgements", sparse.ack_messages, r.sparse.ack_messages);
    compare(says, "barrier messages", sparse.barrier_messages, r.sparse.barrier_messages);
    compare(says, "bytes of memory", sparse.memory_bytes, r.sparse.memory_bytes);
    compare(says, "messages", messages, r.messages);
  };
  compare("theory says", "levels", prediction.levels, r.exchange_program.levels);
  compare_messages("theory says", r.sparse_theory, r.theory.messages);
  if (accounted) compare_messages("the rounds counted make", accounted->sparse, accounted->messages);
  compare("theory says", "bytes sent by a rank", r.theory.volume_bytes, r.volume_bytes);
  return difference;
}

}  // namespace rondo
