#include "optimum/network_bound.hpp"

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
  improve(best, {startup.value + cut->seconds, by, cut->words});
}

}  // namespace

std::optional<NetworkBound> network_bound(Network const& network, Demand const& demand,
                                          std::vector<Side> const& sides) {
  Cuts const cuts = partition_cuts(network, demand);
  std::optional<NetworkBound> best;
  if (cuts.passes) best = NetworkBound{network.startup.alone.value, "rounds", {}};
  add(best, cuts.between_hosts, network.startup.between_hosts);
  add(best, cuts.within_hosts, network.startup.between_ranks);
  for (Side const& each : sides) {
    auto const cut = cut_of(network, demand, each);
    if (cut) add(best, cut, cut->splits_hosts ? network.startup.between_ranks : network.startup.between_hosts);
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
