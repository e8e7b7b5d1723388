#pragma once

// The routes of a machine by its routing rule and around its failed links. They are pure functions of the platform
// and the pair of hosts, the same for both engines; only under `ugal` a message chooses between two of them as it
// starts.
//
// - minimal: as routes.hpp says. Where a link of that route has failed, and on a graph: a drawn shortest route.
// - ecmp: a drawn shortest route.
// - valiant: by `minimal` to host d mod n of all n, d drawn, and from there on by `minimal` [Valiant82]. If the route
// visits a router twice, the loop is removed.
// - ugal: the route of minimal or of valiant, whichever is less loaded when the message starts [Kim08]: that of
// minimal unless its load is the larger one. The load of a route is its number of links, times the most, over its
// links, of (n + 1) / c, where n messages are under way over a link of c cables: those that have started with a
// route over it and have not ended (under flow timing: gone off, and not arrived).
//
// A drawn shortest route goes from router to router, each time over one of the links that have not failed and lead to
// a router nearer to the target: with links b_1, .., b_k in the order of their numbers, k > 1, it takes b_(1 + d mod
// k), d drawn. Near is what has fewer links between groups on its shortest way, then fewer links.
//
// What is drawn for hosts a and b comes from splitmix64 (base/random.hpp) with the seed s XOR (a * 2^32 + b), where s
// is the first number that splitmix64 gives from the machine's seed.

#include <optional>
#include <unordered_map>
#include <vector>

#include "platform/platform.hpp"
#include "platform/router_graph.hpp"
#include "platform/routes.hpp"

namespace rondo {

/// The time of a message that does not depend on bandwidth, and the highest bandwidth that it can use.
struct RouteCost {
  Seconds startup;  ///< latency + (hops - 1) * hop_latency, or intra_latency on one host
  BytesPerSecond bandwidth;
};

/// The routes of a platform, for many questions about them: it keeps the searches that it has made. Keeps a reference
/// to the platform.
class Routes {
 public:
  explicit Routes(Platform const& platform) : platform_(platform) {}
  Routes(Routes const&) = delete;
  Routes& operator=(Routes const&) = delete;

  /// Appends the links from one host to another, in order; under `ugal` those of `minimal`. Between hosts of one
  /// router, and in a topology without routers, there are none.
  void append(int from_host, int to_host, std::vector<LinkId>& links) const;
  /// Appends the links of `valiant`, whatever the rule.
  void append_over_drawn_host(int from_host, int to_host, std::vector<LinkId>& links) const;
  /// How many links between routers or switches `append` appends. Between different hosts of a topology without routers
  /// the answer is 1; the routes of a platform file are known to the engine alone.
  int hops(int from_host, int to_host) const;
  /// The start-up and bandwidth of a message whose size falls into this piece (Platform::pieces). The piece matters
  /// only between different hosts.
  RouteCost route_cost(int from_host, int to_host, std::size_t piece) const;
  /// The start-up and bandwidth of a message within a host.
  RouteCost cost_within() const;
  /// The start-up and bandwidth of a message between two hosts whose route has so many links.
  RouteCost cost_over(std::size_t links, std::size_t piece) const;
  /// The start-up of a message without payload.
  Seconds startup(int from_host, int to_host) const {
    return route_cost(from_host, to_host, piece_of(platform_, 0)).startup;
  }

 private:
  void append_minimal(int from_host, int to_host, std::vector<LinkId>& links) const;
  void append_drawn_shortest(int from_host, int to_host, std::vector<LinkId>& links) const;
  Nearness& nearness_to(int router) const;
  bool is_closed_form() const;

  Platform const& platform_;
  mutable std::optional<RouterGraph> graph_;
  mutable std::unordered_map<int, Nearness> nearness_;  ///< by target
};

/// The copies of the topology's network that a message takes: one after the other, from the first on.
struct Networks {
  int first = 0, count = 1;
};

/// How many messages are under way over each link, and which route one that starts takes under `ugal`.
class RouteLoads {
 public:
  explicit RouteLoads(Platform const& platform, Routes const& routes);
  /// The route between two hosts of a message that starts now; it is under way from now on.
  std::vector<LinkId> choose(int from_host, int to_host, Networks networks = {});
  /// A message on this route has ended.
  void release(std::vector<LinkId> const& route, Networks networks = {});

 private:
  double load(std::vector<LinkId> const& route, Networks networks) const;
  void add(std::vector<LinkId> const& route, Networks networks, int messages);
  std::size_t place(LinkId id, int network) const {
    return static_cast<std::size_t>(network) * cables_.size() + static_cast<std::size_t>(id);
  }

  Routes const& routes_;
  std::vector<int> cables_;     ///< by link
  std::vector<int> under_way_;  ///< by network and link
};

/// Both directions of the links that join these pairs of routers, in ascending order. Throws InputError, without a
/// place, unless there is one for each pair.
std::vector<LinkId> links_between(MachineTopology const& topology, std::vector<std::vector<int>> const& pairs);
/// Both directions of a fraction of all links, rounded to a number of them, in ascending order: of the n links that
/// lead from a router to one of a higher number, in the order of their numbers, the first k places after, for i = 0,
/// .., k - 1, the link at place i has changed places with that at place i + d mod (n - i), d from splitmix64 with the
/// seed.
std::vector<LinkId> some_links(MachineTopology const& topology, double fraction, std::uint64_t seed);
/// Throws InputError, without a place, where links that failed cut off hosts from others.
void check_joined(MachineTopology const& topology, std::vector<LinkId> const& failed);

}  // namespace rondo
