#include "run/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rondo {

std::string counting_disagrees(Record const& r) {
  if (r.rounds != r.theory_rounds) {
    return fmt::format("theory says {} rounds, the schedule has {}", *r.theory_rounds, *r.rounds);
  }
  if (r.volume_blocks != r.theory_volume_blocks) {
    return fmt::format("theory says {} blocks sent by a rank, the schedule has {}", *r.theory_volume_blocks,
                       *r.volume_blocks);
  }
  return "";
}

std::string simulation_disagrees(Record const& r, Measures const& measures, Timing const& timing, bool exact) {
  if (timing.messages != measures.messages || timing.bytes != measures.total_bytes) {
    return fmt::format("the schedule has {} messages of {} bytes in all, the simulation carried {} of {}",
                       measures.messages, measures.total_bytes.value, timing.messages, timing.bytes.value);
  }
  if (!exact || !r.theory_time_s) return "";
  double const theory = *r.theory_time_s;
  if (std::abs(timing.makespan.value - theory) <= time_tolerance * std::max(theory, timing.makespan.value)) return "";
  return fmt::format("theory says {:.12g} s, the simulation took {:.12g} s", theory, timing.makespan.value);
}

}  // namespace rondo
