// Draws arrivals. Each rank has draws of its own, so the result does not depend on the number of ranks before it.

#include "problem/run_options.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo::problem {

namespace {

/// A drawn arrival from 0 to `spread`; exponential ones have no upper limit.
Seconds drawn(Arrival const& arrival, Random& random) {
  Seconds const spread = arrival.spread;
  if (arrival.kind == ArrivalKind::uniform) return random.unit() * spread;
  if (arrival.kind == ArrivalKind::exponential) return exponential(random) * spread;
  return std::clamp(0.5 * spread + normal(random) / 6 * spread, Seconds(0), spread);
}

/// The arrival of one rank.
Seconds arrival_of(Arrival const& arrival, int rank, int ranks, DrawKey const& key) {
  switch (arrival.kind) {
    case ArrivalKind::none:
      return {};
    case ArrivalKind::one_late:
      return rank == ranks - 1 ? arrival.spread : Seconds(0);
    case ArrivalKind::linear:
      return ranks == 1 ? Seconds(0) : Seconds(arrival.spread.value * rank / (ranks - 1));
    case ArrivalKind::uniform:
    case ArrivalKind::normal:
    case ArrivalKind::exponential: {
      Random random = draws_of(key);
      return drawn(arrival, random);
    }
    case ArrivalKind::list:
    case ArrivalKind::file:
      return arrival.values[static_cast<std::size_t>(rank)];
  }
  throw ContractViolation("a kind of arrival");
}

}  // namespace

/// Empty if all ranks arrive at time 0.
std::vector<Seconds> arrivals(Arrival const& arrival, int ranks, std::uint64_t seed, std::uint64_t replication) {
  std::vector<Seconds> times;
  if (arrival.kind == ArrivalKind::none) return times;
  for (int rank = 0; rank < ranks; ++rank) {
    DrawKey const key{seed, replication, DrawKind::arrival, static_cast<std::uint64_t>(rank), 0};
    times.push_back(arrival_of(arrival, rank, ranks, key));
  }
  if (std::ranges::all_of(times, [](Seconds time) { return time == Seconds(0); })) times.clear();
  return times;
}

}  // namespace rondo::problem
