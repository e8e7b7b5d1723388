// Takes the best of all bounds of a network: a start-up, cuts of partitions, cuts by flows, and lengths.

#include "optimum/network_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "optimum/min_cuts.hpp"

namespace rondo::optimum {
namespace {

void improve(std::optional<NetworkBound>& best, NetworkBound other) {
  if (!best || other.seconds > best->seconds) best = std::move(other);
}

void add(std::optional<NetworkBound>& best, std::optional<Cut> const& cut, Seconds startup) {
  if (!cut) return;
  char const* const by = !cut->single ? "cut" : cut->average ? "volume" : "port";
  improve(best, {startup.value + cut->seconds, by, cut->text});
}

std::string bound_text(Network const& network, Demand const& demand, Lengths const& lengths) {
  std::size_t links = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) links += network.links[i].capacity && lengths[i] > 0 ? 1 : 0;
  char const* const what = demand.items.empty() ? "all pairs of ranks: bytes times distance"
                                                : "all blocks: bytes times length of their trees";
  return fmt::format("{} over {} links", what, links);
}

}  // namespace

std::optional<NetworkBound> network_bound(Network const& network, Demand const& demand, std::vector<Side> const& sides,
                                          Lengths const& lengths) {
  Cuts const cuts = partition_cuts(network, demand);
  std::optional<NetworkBound> best;
  if (cuts.passes) best = NetworkBound{network.startup.alone.value, "rounds", {}};
  add(best, cuts.between_hosts, network.startup.between_hosts);
  add(best, cuts.within_hosts, network.startup.between_ranks);
  for (Side const& each : sides) {
    auto const cut = cut_of(network, demand, each);
    if (cut) add(best, cut, cut->splits_hosts ? network.startup.between_ranks : network.startup.between_hosts);
  }
  double const by_lengths = seconds_by_lengths(network, demand, lengths);
  // A cut is easier to understand than lengths are, so that these must give a larger bound to be used.
  constexpr double more = 1 + 1e-6;
  double const with_startup = network.startup.between_ranks.value + by_lengths;
  if (best && by_lengths > 0 && with_startup > best->seconds * more) {
    best = NetworkBound{with_startup, "lengths", bound_text(network, demand, lengths)};
  }
  return best;
}

std::vector<Side> better_sides(Network const& network, Demand const& demand) {
  Cuts const cuts = partition_cuts(network, demand);
  double longest = 0;
  for (auto const* each : {&cuts.between_hosts, &cuts.within_hosts}) {
    if (*each) longest = std::max(longest, (*each)->seconds);
  }
  return longest > 0 ? min_cuts(network, demand, longest) : std::vector<Side>();
}

}  // namespace rondo::optimum
