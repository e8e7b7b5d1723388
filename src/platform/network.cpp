// Builds the network of a machine (topology/network.hpp). Its vertices are ranks, routers, the two directions of each
// NIC that is used, and inner points of hosts. Capacities are those of the timing model.

#include "platform/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ids.hpp"
#include "platform/paths.hpp"
#include "platform/regular.hpp"
#include "platform/router_parts.hpp"

namespace rondo {
namespace {

/// Writes the machine as a network, in which every part that messages share is a link with a capacity. Links of equal
/// kinds get equal group numbers: 0 to 8 for those of ranks, NICs and hosts, from first_cable_group on for cables.
class Writer {
 public:
  Writer(Platform const& platform, int ranks)
      : platform_(platform),
        paths_(platform),
        linear_(platform.timing == TimingModel::linear),
        several_(platform.ranks_per_host > 1),
        striped_(platform.nics > 1 && platform.nic_of == NicRule::striped),
        port_(platform.ports * platform.bandwidth.value) {
    network_.ranks = network_.vertices = ranks;
    hosts_ = hosts(platform);
  }

  /// Writes the routers first; then the hosts that have ranks. Other hosts are left out.
  Network write() && {
    add_core();
    used_.assign(at(hosts_), {});
    for (int r = 0; r < network_.ranks; ++r) {
      network_.host_of.push_back(paths_.host(Rank(r)));
      used_[at(network_.host_of.back())].push_back(r);
    }
    host_of_.assign(at(network_.vertices), -1);
    for (int host = 0; host < hosts_; ++host) {
      for (int const rank : used_[at(host)]) host_of_[at(rank)] = host;
      if (!used_[at(host)].empty()) add_host(host, used_[at(host)]);
      host_of_.resize(at(network_.vertices), host);
    }
    add_partitions();
    return std::move(network_);
  }

 private:
  using Capacity = std::optional<double>;

  /// How often the network exists: once for each NIC of a host if NICs have rails of their own.
  int network_copies() const { return platform_.rails ? platform_.nics : 1; }
  /// Whether cables have capacities.
  bool has_links() const { return platform_.links == LinkSharing::shared && link_ids(platform_.topology) > 0; }
  bool has_routers() const { return has_links() || platform_.neighbors_only; }

  /// Adds a link; without a capacity it is unlimited.
  void link(int from, int to, Capacity capacity, LinkKind kind, int group) {
    network_.links.push_back({from, to, capacity, kind, group});
  }
  /// Adds a link without a limit.
  void join(int from, int to) { link(from, to, {}, LinkKind::cable, 0); }

  /// How many vertices a router has. With `neighbors_only` it has two, one for messages that enter the network and one
  /// for messages that leave it, so no path goes on from a router that it has reached.
  int sides() const { return platform_.neighbors_only ? 2 : 1; }
  /// The vertex of a router by which messages enter its copy of the network, and that by which they leave it.
  int into(int router, int copy) const { return first_router_ + copy * sides() * routers_ + router; }
  int out_of(int router, int copy) const { return into(router, copy) + (platform_.neighbors_only ? routers_ : 0); }
  /// The router of a host.
  int router(int host) const { return has_routers() ? router_of(platform_.topology, host) : 0; }

  /// Adds the routers and the links between them, except failed ones. If neither capacities nor neighbors of routers
  /// matter on this machine, a single router stands between all hosts.
  void add_core() {
    first_router_ = network_.vertices;
    routers_ = has_routers() ? routers(platform_.topology) : 1;
    network_.vertices += sides() * routers_ * network_copies();
    if (!has_routers()) return;
    auto const& failed = platform_.routing.failed;
    double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
    for (LinkId id = 0; id < link_ids(platform_.topology); ++id) {
      auto const found = rondo::link(platform_.topology, id);
      if (!found || std::binary_search(failed.begin(), failed.end(), id)) continue;
      Capacity const capacity = has_links() ? Capacity(found->cables * cable) : Capacity();
      for (int copy = 0; copy < network_copies(); ++copy) {
        link(into(found->from, copy), out_of(found->to, copy), capacity, LinkKind::cable, group_of(*found));
      }
    }
  }

  /// The group of a cable. Two cables have the same one if, for each division of the routers into parts, both stay
  /// within a part or both lead from one part to another.
  int group_of(RouterLink const& found) {
    std::vector<bool> inside;
    for (RouterParts const& each : parts_) {
      inside.push_back(each.part_of[at(found.from)] == each.part_of[at(found.to)]);
    }
    return first_cable_group + groups_.emplace(inside, static_cast<int>(groups_.size())).first->second;
  }

  /// The vertices at which a rank sends and receives: behind its ports under linear timing, otherwise the rank itself.
  struct Ends {
    int out, in;
  };

  /// Returns the ends of a rank. Under linear timing the ports of a rank that shares its host limit what it sends and
  /// receives, so they become links; otherwise the rank itself is both ends.
  Ends add_rank(int rank) {
    if (!linear_ || !several_) return {rank, rank};
    Ends const ends{network_.add_vertex(), network_.add_vertex()};
    double const flows = striped_ ? platform_.nics : 1;
    double const within = platform_.intra_bandwidth.value_or(platform_.bandwidth).value;
    double const capacity = std::max(flows * port_, platform_.ports * within);
    link(rank, ends.out, capacity, LinkKind::port, 0);
    link(ends.in, rank, capacity, LinkKind::port, 1);
    return ends;
  }

  /// Adds the ends of the ranks of a host, its inside, and its NICs.
  void add_host(int host, std::vector<int> const& ranks) {
    std::vector<Ends> ends;
    for (int const rank : ranks) ends.push_back(add_rank(rank));
    std::vector<int> const forwarding = several_ ? add_inside(ranks, ends) : std::vector<int>();
    // If all ranks run on one host, no message leaves it.
    bool const is_only_host = static_cast<int>(ranks.size()) == network_.ranks;
    for (int nic = 0; nic < platform_.nics && !is_only_host; ++nic) add_nic(host, nic, ranks, ends, forwarding);
  }

  /// Whether the rank uses this NIC of its host; all ranks use all NICs if messages are striped over them.
  bool is_own(int nic, int rank) const { return striped_ || paths_.nic_at(paths_.place(Rank(rank))) == nic; }

  /// Adds a NIC, unless no rank of the host uses it. `forwarding` has the vertices that add_inside returns; it is empty
  /// if a host has one rank.
  void add_nic(int host, int nic, std::vector<int> const& ranks, std::vector<Ends> const& ends,
               std::vector<int> const& forwarding) {
    bool const used = std::any_of(ranks.begin(), ranks.end(), [&](int rank) { return is_own(nic, rank); });
    if (!used) return;
    int const copy = platform_.rails ? nic : 0;
    int const out = network_.add_vertex(), in = network_.add_vertex();
    nics_.push_back({out, in, host, nic});
    LinkKind const kind = linear_ && !several_ ? LinkKind::port : LinkKind::nic;
    link(out, into(router(host), copy), port_, kind, 2);
    link(out_of(router(host), copy), in, port_, kind, 3);
    // A rank's port carries one flow at a time over a NIC.
    Capacity const of_rank = linear_ && several_ ? Capacity(port_) : Capacity();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (!is_own(nic, ranks[i])) continue;
      link(ends[i].out, out, of_rank, LinkKind::port, 4);
      link(in, ends[i].in, of_rank, LinkKind::port, 5);
    }
    if (platform_.rails && !striped_ && several_)
      join(in, forwarding[at(std::min<std::int64_t>(nic, std::ssize(forwarding) - 1))]);
  }

  /// Adds the links that carry messages within a host. By NIC, returns the vertex at which messages that come in over
  /// this NIC are forwarded; it may be one vertex for all NICs.
  std::vector<int> add_inside(std::vector<int> const& ranks, std::vector<Ends> const& ends) {
    if (shares_islands(platform_) && platform_.island->kind == IslandKind::links) return add_pairs(ranks, ends);
    bool const by_switch = shares_islands(platform_);
    bool const is_memory = !platform_.island || platform_.island->kind == IslandKind::memory;
    int const first = network_.add_vertex();
    int last = first;
    if (!linear_ && is_memory) {
      BytesPerSecond const memory_bandwidth = platform_.intra_bandwidth.value_or(platform_.bandwidth);
      last = network_.add_vertex();
      link(first, last, (platform_.island ? platform_.island->bandwidth : memory_bandwidth).value, LinkKind::memory, 6);
    }
    Capacity const capacity = by_switch ? Capacity(platform_.island->bandwidth.value) : Capacity();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      link(ends[i].out, first, capacity, LinkKind::island, 7);
      link(last, ends[i].in, capacity, LinkKind::island, 8);
    }
    return {first};
  }

  /// Adds a link of an island for each ordered pair of ranks on a host. Returns the same as add_inside.
  std::vector<int> add_pairs(std::vector<int> const& ranks, std::vector<Ends> const& ends) {
    std::map<int, int> by_place;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      int const from = by_place[paths_.place(Rank(ranks[i]))] = network_.add_vertex();
      inner_.emplace_back(from, ranks[i]);
      join(ends[i].out, from);
      for (std::size_t j = 0; j < ranks.size(); ++j) {
        if (j != i) link(from, ends[j].in, platform_.island->bandwidth.value, LinkKind::island, 7);
      }
    }
    std::vector<int> forwarding;
    for (int nic = 0; nic < platform_.nics; ++nic) {
      // A rank that takes no part in the collective still has its links.
      auto const [found, is_new] = by_place.emplace(paths_.first_place_on(nic), network_.vertices);
      if (is_new) {
        network_.add_vertex();
        for (Ends const& each : ends)
          link(found->second, each.in, platform_.island->bandwidth.value, LinkKind::island, 7);
      }
      forwarding.push_back(found->second);
    }
    return forwarding;
  }

  /// Adds a partition, unless it has only one part.
  void add_partition(std::vector<int> part_of, std::vector<std::string> names) {
    if (names.size() > 1) network_.partitions.push_back({std::move(part_of), std::move(names)});
  }

  /// Adds all partitions: into hosts, into ranks, by the NIC that ranks use, and those of the topology's routers with
  /// their hosts.
  void add_partitions() {
    add_partition_of_hosts();
    if (several_) add_partitions_of_ranks();
    if (platform_.nics > 1 && several_ && !striped_) add_partition_of_nics();
    if (!has_routers()) return;
    for (RouterParts const& each : parts_) {
      std::vector<int> part_of = whole_hosts([&](int host) { return each.part_of[at(router(host))]; });
      for (int copy = 0; copy < network_copies(); ++copy) {
        for (int r = 0; r < routers_; ++r) {
          part_of[at(into(r, copy))] = part_of[at(out_of(r, copy))] = each.part_of[at(r)];
        }
      }
      add_partition(std::move(part_of), each.names);
    }
  }

  /// By vertex its part, if each host lies in one part as a whole: part(host). Routers are in none (-1).
  std::vector<int> whole_hosts(auto const& part) const {
    std::vector<int> part_of;
    for (int const host : host_of_) part_of.push_back(host < 0 ? -1 : part(host));
    return part_of;
  }

  /// Adds the partition into the hosts that have ranks. It gives the simplest cuts, each of which separates one host.
  void add_partition_of_hosts() {
    std::vector<std::string> names;
    std::vector<int> number(at(hosts_), -1);
    for (int host = 0; host < hosts_; ++host) {
      if (used_[at(host)].empty()) continue;
      number[at(host)] = static_cast<int>(names.size());
      names.push_back(several_ ? fmt::format("host {}", host) : fmt::format("rank {}", used_[at(host)].front()));
    }
    add_partition(whole_hosts([&](int host) { return number[at(host)]; }), std::move(names));
  }

  /// Adds the partition in which each rank is alone without its ports, then those of ranks with their ports and NICs.
  /// The latter are made per place of a host, because several ranks may share a NIC.
  void add_partitions_of_ranks() {
    std::vector<std::string> names;
    for (int r = 0; r < network_.ranks; ++r) names.push_back(fmt::format("rank {}", r));
    if (linear_) {
      std::vector<int> part_of_vertex(at(network_.vertices), -1);
      for (int r = 0; r < network_.ranks; ++r) part_of_vertex[at(r)] = r;
      add_partition(std::move(part_of_vertex), names);
    }
    constexpr int most_places = 16;  // limits the number of partitions
    for (int place = 0; place < std::min(platform_.ranks_per_host, most_places); ++place) {
      for (bool const outwards : {true, false}) add_partition_of_place(place, outwards, names);
    }
  }

  /// Adds the partition of the ranks that have this place on their hosts, each with the links over which its bytes
  /// leave, or come in.
  void add_partition_of_place(int place, bool outwards, std::vector<std::string> const& names) {
    std::vector<int> part_of(at(network_.vertices), -1);
    std::vector<int> on(at(hosts_), -1);
    for (int r = 0; r < network_.ranks; ++r) {
      if (paths_.place(Rank(r)) == place) part_of[at(r)] = on[at(network_.host_of[at(r)])] = r;
    }
    take_ports(part_of);
    for (Nic const& each : nics_) {
      int const rank = on[at(each.host)];
      if (rank >= 0 && is_own(each.nic, rank)) part_of[at(outwards ? each.out : each.in)] = rank;
    }
    add_partition(std::move(part_of), names);
  }

  /// Gives the inner ends of ports, and of links within the host, to the parts of their ranks.
  void take_ports(std::vector<int>& part_of) const {
    for (auto const& [vertex, rank] : inner_) part_of[at(vertex)] = part_of[at(rank)];
    for (NetworkLink const& each : network_.links) {
      if (each.kind != LinkKind::port) continue;
      if (each.from < network_.ranks && each.group == 0) part_of[at(each.to)] = part_of[at(each.from)];
      if (each.to < network_.ranks && each.group == 1) part_of[at(each.from)] = part_of[at(each.to)];
    }
  }

  /// Adds the partition whose parts are, on every host, the ranks that use the same NIC.
  void add_partition_of_nics() {
    std::vector<int> part_of(at(network_.vertices), -1);
    std::vector<std::string> names;
    for (int nic = 0; nic < platform_.nics; ++nic) names.push_back(fmt::format("ranks on NIC {} of their hosts", nic));
    for (Nic const& each : nics_) part_of[at(each.out)] = part_of[at(each.in)] = each.nic;
    for (int r = 0; r < network_.ranks; ++r) part_of[at(r)] = paths_.nic_at(paths_.place(Rank(r)));
    take_ports(part_of);
    for (int copy = 0; platform_.rails && copy < network_copies(); ++copy) {
      for (int r = 0; r < routers_; ++r) part_of[at(into(r, copy))] = part_of[at(out_of(r, copy))] = copy;
    }
    add_partition(std::move(part_of), std::move(names));
  }

  static constexpr int first_cable_group = 16;
  /// A NIC with its vertices for both directions.
  struct Nic {
    int out, in, host, nic;
  };

  Platform const& platform_;
  Paths paths_;
  /// The timing is linear; a host may have several ranks; a message is spread over all NICs of its host.
  bool linear_, several_, striped_;
  double port_;  ///< bytes per second that a NIC carries in each direction: those of all ports together
  /// A copy of the network has routers_ routers; the vertex of the first one is first_router_.
  int hosts_ = 0, routers_ = 0, first_router_ = 0;
  Network network_;
  std::vector<std::vector<int>> used_;  ///< ranks by host
  std::vector<int> host_of_;            ///< by vertex; -1: a router
  std::vector<Nic> nics_;
  std::vector<std::pair<int, int>> inner_;  ///< where links within a host begin, each with its rank
  /// The divisions of the topology's routers into parts, such as groups; none if routers are left out.
  std::vector<RouterParts> parts_ = has_routers() ? router_parts(platform_.topology) : std::vector<RouterParts>();
  /// The numbers of the groups of cables, by the divisions in which a cable stays within a part.
  std::map<std::vector<bool>, int> groups_;
};

/// The network under LogGP: all ranks around one vertex. A byte takes the lesser of g and G at the NICs of both ranks,
/// and no time in between; if that is 0, links are unlimited.
Network network_of(LogGp const& model, int ranks) {
  Network network{.ranks = ranks, .vertices = ranks + 1, .links = {}, .host_of = {}};
  double const byte = std::min(model.g, model.G).value;
  std::optional<double> const capacity = byte > 0 ? std::optional(1 / byte) : std::nullopt;
  Partition each{std::vector<int>(at(ranks) + 1, -1), {}};
  for (int r = 0; r < ranks; ++r) {
    network.links.push_back({r, ranks, capacity, LinkKind::nic, 2});
    network.links.push_back({ranks, r, capacity, LinkKind::nic, 3});
    network.host_of.push_back(r);
    each.part_of[at(r)] = r;
    each.names.push_back(fmt::format("rank {}", r));
  }
  network.partitions.push_back(std::move(each));
  return network;
}

/// Lower bounds of the start-up of any message: on this machine when it is idle, the least latency of all sizes.
LeastStartup least_startup(Platform const& platform) {
  if (platform.timing == TimingModel::loggp) {
    LogGp const& model = platform.loggp;
    Seconds const single = model.o + model.L + model.o;
    Seconds const behind = single - std::min(model.g, model.G);
    return {single, behind, behind};
  }
  Seconds between = platform.latency;
  for (SizePiece const& each : platform.pieces) between = std::min(between, each.latency);
  Seconds const within = platform.ranks_per_host > 1 ? platform.intra_latency.value_or(platform.latency) : between;
  Seconds const any = std::min(between, within);
  return {any, between, any};
}

}  // namespace

/// Unset for platform files, whose links only SimGrid knows.
std::optional<Network> network_of(Platform const& platform, int ranks) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) return std::nullopt;
  bool const loggp = platform.timing == TimingModel::loggp;
  Network network = loggp ? network_of(platform.loggp, ranks) : Writer(platform, ranks).write();
  network.startup = least_startup(platform);
  return network;
}

}  // namespace rondo
