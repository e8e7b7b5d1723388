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

std::string simulation_disagrees(Record const& r, Measures const& measures, Timing const& timing, bool exact) {
  if (timing.messages != measures.messages || timing.bytes != measures.total_bytes) {
    return fmt::format("the schedule has {} messages of {} bytes in all, the simulation carried {} of {}",
                       measures.messages, measures.total_bytes.value, timing.messages, timing.bytes.value);
  }
  if (!exact || !r.theory.time_s) return "";
  double const theory = *r.theory.time_s;
  if (std::abs(timing.makespan.value - theory) <= time_tolerance * std::max(theory, timing.makespan.value)) return "";
  return fmt::format("theory says {:.12g} s, the simulation took {:.12g} s", theory, timing.makespan.value);
}

std::string program_disagrees(Record const& r, Prediction const& prediction) {
  std::string difference;
  auto const compare = [&](char const* of_what, auto const& theory, auto const& counted) {
    if (!difference.empty() || !theory || theory == counted) return;
    difference = fmt::format("theory says {} {}, the program counted {}", *theory, of_what, counted.value_or(0));
  };
  compare("levels", prediction.levels, r.exchange_program.levels);
  compare("data messages", r.sparse_theory.data_messages, r.sparse.data_messages);
  compare("acknowledgements", r.sparse_theory.ack_messages, r.sparse.ack_messages);
  compare("barrier messages", r.sparse_theory.barrier_messages, r.sparse.barrier_messages);
  compare("bytes of memory", r.sparse_theory.memory_bytes, r.sparse.memory_bytes);
  compare("messages", r.theory.messages, r.messages);
  compare("bytes sent by a rank", r.theory.volume_bytes, r.volume_bytes);
  return difference;
}

}  // namespace rondo
