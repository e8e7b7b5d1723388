// Computes paths and costs between ranks from the platform, without tables for all pairs.

#include "platform/paths.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace rondo {

/// The class of a size; all sizes of a class have the same path and cost.
SizeClass size_class(Platform const& platform, std::int64_t payload) {
  // A message above the eager limit begins with a handshake.
  bool const greets = platform.timing == TimingModel::flow && payload > platform.flow.eager.value;
  bool const striped =
      platform.nics > 1 && platform.nic_of == NicRule::striped && payload >= platform.stripe_from.value;
  return {piece_of(platform, payload), greets && platform.flow.handshake > Seconds(0), striped};
}

bool has_plain_hosts(Platform const& platform) {
  return platform.nics == 1 && platform.nic_gap == Seconds(0) && !platform.island;
}

/// Whether messages within a host can be slowed down by each other on the island's links.
bool shares_islands(Platform const& platform) {
  bool const has_links = platform.island && platform.island->kind != IslandKind::memory;
  if (!has_links || platform.ranks_per_host == 1) return false;
  if (platform.timing == TimingModel::flow) return true;
  BytesPerSecond fastest = platform.intra_bandwidth.value_or(platform.bandwidth);
  // With rails, forwarded messages of the network cross the island too.
  if (platform.rails) fastest = std::max(fastest, platform.bandwidth);
  return platform.island->bandwidth.value < platform.ports * fastest.value;
}

/// Counts the places of ranks on hosts if a list gives them.
Paths::Paths(Platform const& platform) : platform_(platform), routes_(platform) {
  auto const* list = std::get_if<ListPlacement>(&platform.placement);
  if (list == nullptr || has_plain_hosts(platform)) return;
  // Only a list places ranks on a host in any order; other placements compute the place (place()).
  std::vector<std::int32_t> next(at(hosts(platform)), 0);
  for (int const host : list->host_of) places_.push_back(next[at(host)]++);
}

/// The place of a rank on its host, from 0.
int Paths::place(Rank part) const {
  Rank const rank = rank_of_part(platform_, part);
  if (!places_.empty()) return places_[at(rank.value)];
  if (std::holds_alternative<CyclicPlacement>(platform_.placement)) return rank.value / hosts(platform_);
  return rank.value % platform_.ranks_per_host;
}

int Paths::nic_at(int place) const {
  if (platform_.nic_of == NicRule::cyclic) return place % platform_.nics;
  return static_cast<int>(std::int64_t{place} * platform_.nics / platform_.ranks_per_host);
}

int Paths::first_place_on(int nic) const {
  if (platform_.nic_of == NicRule::cyclic) return nic;
  std::int64_t const n = platform_.ranks_per_host, first = nic * n;
  return static_cast<int>((first + platform_.nics - 1) / platform_.nics);
}

int Paths::flows(Rank from, Rank to, SizeClass size) const {
  return size.striped() && host(from) != host(to) ? platform_.nics : 1;
}

std::int64_t Paths::flow_bytes(Rank from, Rank to, SizeClass size, std::int64_t bytes) const {
  std::int64_t const count = flows(from, to, size);
  return bytes / count + (bytes % count == 0 ? 0 : 1);
}

NicPair Paths::several_nics(Rank from, Rank to, SizeClass size, int flow) const {
  if (size.striped()) return {flow, flow};
  int const out = nic_at(place(from));
  return {out, platform_.rails ? out : nic_at(place(to))};
}

Networks Paths::networks(Rank from, SizeClass size) const {
  if (!platform_.rails) return {};
  if (size.striped()) return {0, platform_.nics};
  return {nic_at(place(from)), 1};
}

bool Paths::changes_nics(Rank from, Rank to) const {
  if (platform_.nics == 1 || platform_.nic_of == NicRule::striped) return false;
  return host(from) != host(to) && nic_at(place(from)) != nic_at(place(to));
}

/// The start-up and the bandwidth of a message on an idle machine.
RouteCost Paths::route_cost(Rank from, Rank to, SizeClass size) const {
  int const source = host(from), target = host(to);
  if (has_file_numbers(platform_)) return with_handshake(routes_.route_cost(source, target, size.piece()), size);
  if (source == target) return with_handshake(routes_.cost_within(), size);
  return cost_over(from, to, at(routes_.hops(source, target)), size);
}

/// The same over a number of links that the caller already knows.
RouteCost Paths::cost_over(Rank from, Rank to, std::size_t links, SizeClass size) const {
  RouteCost cost = routes_.cost_over(links, size.piece());
  // It comes in over the NIC of another rank, and goes on over the island or the memory of the target's host.
  if (is_forwarded(from, to)) {
    RouteCost const within = routes_.cost_within();
    cost.startup = cost.startup + within.startup;
    bool const in_memory = !platform_.island || platform_.island->kind == IslandKind::memory;
    if (in_memory) cost.bandwidth = std::min(cost.bandwidth, within.bandwidth);
  }
  return with_handshake(cost, size);
}

}  // namespace rondo
