// The linear cost model: D start-ups of alpha, and bytes at the rate of the bandwidth.

#include "theory/prediction.hpp"

namespace rondo::theory {

Seconds time(Counts const& counts, Bytes block, Bytes envelope, LinearCost const& cost) {
  Bytes const carried = counts.critical_blocks * block + counts.rounds * envelope;
  return static_cast<double>(counts.rounds) * cost.alpha + carried / cost.bandwidth;
}

Seconds time_irregular(Counts const& counts, Bytes envelope, LinearCost const& cost) {
  return static_cast<double>(counts.rounds) * cost.alpha +
         (counts.critical_bytes + counts.rounds * envelope) / cost.bandwidth;
}

/// Solves the inequality below for the size m of a block.
Cutoff cutoff(Counts const& combining, Counts const& straightforward, LinearCost const& cost) {
  using enum Cutoff::Faster;
  // D alpha + V m beta < s alpha + s m beta  <=>  m (V - s) < (alpha / beta) (s - D)
  std::int64_t const rounds_saved = straightforward.rounds - combining.rounds;
  std::int64_t const extra_volume = combining.volume_blocks - straightforward.volume_blocks;
  double const startups = cost.alpha.value * cost.bandwidth.value * static_cast<double>(rounds_saved);
  if (extra_volume == 0) return {startups > 0 ? always : never, 0};
  double const bytes = startups / static_cast<double>(extra_volume);
  if (extra_volume > 0) return bytes > 0 ? Cutoff{below, bytes} : Cutoff{never, 0};
  return bytes > 0 ? Cutoff{above, bytes} : Cutoff{always, 0};
}

}  // namespace rondo::theory
