// Computes paths and costs between ranks from the platform, without tables for all pairs. Shared resources are
// numbered in one range for each kind. For a routed network, the route of each pair of ranks is followed, and notes
// say how long each resource is busy with a byte.

#include "platform/paths.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"

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

SharedResources::SharedResources(Paths const& paths, Platform const& platform, int hosts, LinkId kinds, Number first)
    : paths_(paths),
      platform_(platform),
      hosts_(hosts),
      kinds_(kinds),
      first_(first),
      shares_nics_(!has_file_numbers(platform) &&
                   (platform.timing == TimingModel::flow || platform.ranks_per_host > 1)),
      shares_links_(kinds > 0 && platform.links == LinkSharing::shared),
      shares_memories_(platform.timing == TimingModel::flow && platform.ranks_per_host > 1) {
  if (shares_nics_) {
    // A NIC carries all ports of a rank. Under linear timing the only rank of a host can therefore never wait for
    // it.
    double const nic = platform_.ports * platform_.bandwidth.value;
    first_up_ = add(hosts_ * platform_.nics, nic);
    first_down_ = add(hosts_ * platform_.nics, nic);
  }
  if (platform_.island && platform_.island->kind != IslandKind::memory) shares_memories_ = false;
  if (shares_islands(platform)) add_island(*platform_.island);
  if (shares_memories_) {
    BytesPerSecond const memory_bandwidth = platform_.intra_bandwidth.value_or(platform_.bandwidth);
    first_memory_ = add(hosts_, (platform_.island ? platform_.island->bandwidth : memory_bandwidth).value);
  }
  if (shares_links_) add_links();
}

SharedResources::Number SharedResources::add(std::int64_t count, double capacity) {
  std::size_t const first = first_ + capacities_.size();
  capacities_.resize(capacities_.size() + at(count), capacity);
  return static_cast<Number>(first);
}

/// With a switch, an island has the link out of each rank and then the link into it; otherwise it has a row of links
/// out of each rank.
void SharedResources::add_island(Island const& island) {
  std::int64_t const ranks = platform_.ranks_per_host;
  between_ = ranks * (island.kind == IslandKind::central_switch ? 2 : ranks);
  first_joint_ = add(hosts_ * between_, island.bandwidth.value);
}

/// The links of the topology, once for each copy of the network.
void SharedResources::add_links() {
  double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
  first_link_ = static_cast<Number>(first_ + capacities_.size());
  for (int network = 0; network < (platform_.rails ? platform_.nics : 1); ++network) {
    for (LinkId id = 0; id < kinds_; ++id) {
      auto const found = link(platform_.topology, id);
      capacities_.push_back(found ? found->cables * cable : cable);
    }
  }
}

SharedResources::Number SharedResources::link_between(int host, int from, int to) const {
  return first_joint_ + static_cast<Number>(host * between_ + std::int64_t{from} * platform_.ranks_per_host + to);
}

SharedResources::Number SharedResources::nic(Number first, int host, int nic) const {
  return hosts_ == 1 ? first : first + static_cast<Number>(std::int64_t{host} * platform_.nics + nic);
}

/// What a message within a host uses: its memory, or links of its island.
void SharedResources::append_within(Rank from, Rank to, std::vector<Number>& into) const {
  int const host = paths_.host(from);
  if (shares_memories_) return into.push_back(first_memory_ + static_cast<Number>(host));
  if (!joins_by_links() || from == to) return;
  int const source = paths_.place(from), target = paths_.place(to);
  if (platform_.island->kind == IslandKind::links) return into.push_back(link_between(host, source, target));
  into.push_back(link_between(host, 0, source));
  into.push_back(link_between(host, 1, target));
}

void SharedResources::append_out(Rank from, NicPair nics, std::vector<Number>& into) const {
  if (shares_nics_) into.push_back(nic(first_up_, paths_.host(from), nics.out));
}

/// The links of a route.
void SharedResources::append_links(NicPair nics, std::span<LinkId const> links, std::vector<Number>& into) const {
  if (!shares_links_) return;
  Number const first = first_link_ + static_cast<Number>(platform_.rails ? nics.out * kinds_ : 0);
  // The division is avoided when the number is small enough already, because it costs more than the comparison.
  for (LinkId const id : links) into.push_back(first + static_cast<Number>(id < kinds_ ? id : id % kinds_));
}

/// The NIC of the target, and what a forwarded message uses behind it.
void SharedResources::append_in(Rank from, Rank to, NicPair nics, std::vector<Number>& into) const {
  int const host = paths_.host(to);
  if (shares_nics_) into.push_back(nic(first_down_, host, nics.in));
  if (!paths_.is_forwarded(from, to)) return;
  if (shares_memories_) return into.push_back(first_memory_ + static_cast<Number>(host));
  if (!joins_by_links()) return;
  bool const by_switch = platform_.island->kind == IslandKind::central_switch;
  into.push_back(link_between(host, by_switch ? 1 : paths_.first_place_on(nics.in), paths_.place(to)));
}

namespace {

/// Follows the route of every pair of ranks and notes which resources it uses, and for how long a byte occupies each of
/// them.
class RouteUses {
 public:
  RouteUses(Platform const& platform, int ranks, Bytes message)
      : platform_(platform),
        paths_(platform),
        size_(size_class(platform, message.value)),
        resources_(paths_, platform, hosts(platform), link_ids(platform.topology)) {
    network_.ranks = ranks;
    network_.resources = 2 * ranks + static_cast<int>(resources_.capacities().size());
    network_.many_are_free = many_are_free();
    if (platform.timing == TimingModel::linear) network_.ports = platform.ports;
    if (platform.neighbors_only) network_.linked.assign(at(std::int64_t{ranks} * ranks), true);
  }

  /// Goes over all pairs.
  RoutedNetwork find() && {
    for (int from = 0; from < network_.ranks; ++from) {
      for (int to = 0; to < network_.ranks; ++to) add(from, to);
    }
    return std::move(network_);
  }

 private:
  /// Ports and CPUs take messages one by one, and smaller ones may go over other protocols.
  bool many_are_free() const {
    FlowCosts const& costs = platform_.flow;
    bool const no_cpu = costs.o_send.value == 0 && costs.o_recv.value == 0 && costs.match.value == 0;
    return platform_.timing == TimingModel::flow && no_cpu && platform_.nic_gap.value == 0 &&
           platform_.envelope == Bytes(0) && platform_.pieces.empty() && platform_.nic_of != NicRule::striped;
  }

  /// A rank has no route to itself.
  void add(int from, int to) {
    uses_.clear();
    double startup = 0;
    if (from != to) startup = follow(Rank(from), Rank(to));
    network_.ways.push_back(uses_);
    network_.startups.push_back(startup);
  }

  /// Notes the resources of a route; returns its start-up in seconds.
  double follow(Rank from, Rank to) {
    bool const within = paths_.host(from) == paths_.host(to);
    route_.clear();
    if (!within) paths_.routes().append(paths_.host(from), paths_.host(to), route_);
    if (platform_.neighbors_only && route_.size() > 1) network_.linked[network_.index(from.value, to.value)] = false;
    RouteCost const cost =
        within ? paths_.route_cost(from, to, size_) : paths_.cost_over(from, to, route_.size(), size_);
    int const flows = paths_.flows(from, to, size_);
    // Under linear timing a message holds a port at each end until the last byte of its flows has passed.
    bool const ports = platform_.timing == TimingModel::linear;
    double const held = 1 / (platform_.ports * flows * cost.bandwidth.value);
    if (ports) uses_.push_back({from.value, held});
    for (int flow = 0; flow < flows; ++flow) {
      crossed_.clear();
      if (within) {
        resources_.append_within(from, to, crossed_);
      } else {
        NicPair const nics = paths_.nics(from, to, size_, flow);
        resources_.append_out(from, nics, crossed_);
        resources_.append_links(nics, route_, crossed_);
        resources_.append_in(from, to, nics, crossed_);
      }
      for (SharedResources::Number const each : crossed_) {
        uses_.push_back({2 * network_.ranks + static_cast<int>(each), 1 / (flows * resources_.capacities()[each])});
      }
    }
    if (ports) uses_.push_back({network_.ranks + to.value, held});
    return cost.startup.value;
  }

  Platform const& platform_;
  Paths paths_;
  SizeClass size_;
  SharedResources resources_;
  RoutedNetwork network_;
  std::vector<ResourceUse> uses_;
  std::vector<LinkId> route_;
  std::vector<SharedResources::Number> crossed_;
};

/// Under LogGP a byte occupies the NICs of both ranks for G; the rest of a message's time does not depend on its size.
RoutedNetwork of_loggp(LogGp const& model, int ranks) {
  RoutedNetwork network{.ranks = ranks, .resources = 2 * ranks, .ways = {}, .startups = {}};
  double const startup = (model.L + model.o + model.o + model.g).value;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      network.ways.push_back({});
      network.startups.push_back(from == to ? 0 : startup);
      if (from != to) network.ways.back() = {{from, model.G.value}, {ranks + to, model.G.value}};
    }
  }
  return network;
}

}  // namespace

RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message) {
  expects(!std::holds_alternative<PlatformFile>(platform.topology), "a topology whose links are known");
  if (platform.timing == TimingModel::loggp) return of_loggp(platform.loggp, ranks);
  return RouteUses(platform, ranks, message).find();
}

}  // namespace rondo
