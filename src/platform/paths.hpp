#pragma once

// The path of a message from rank to rank, and the resources that paths share.
//
// A path leads through the inside of the two hosts, their NICs and the topology. A striped message between two hosts
// takes all NICs, with one flow over each; any other message is one flow. docs/model.md has the rules.
//
// All resources that flows may share have numbers: NICs out of hosts and into hosts, memories of hosts, links of
// islands, and links of the topology (once for each copy of the network). Under linear timing NICs are shared only if
// a host has several ranks, and memories never; under flow timing both are always shared. A routed network lists the
// resources on the route of each pair of ranks (topology/network.hpp).

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "platform/platform.hpp"
#include "platform/routing.hpp"
#include "topology/network.hpp"

namespace rondo {

/// The properties of a message's payload on which its path depends, packed in one byte: the piece of sizes that it
/// falls into, whether it needs the handshake, and whether it is striped.
class SizeClass {
 public:
  constexpr SizeClass() = default;
  constexpr explicit SizeClass(std::uint8_t code) : code_(code) {}
  constexpr SizeClass(std::size_t piece, bool greets, bool striped)
      : code_(static_cast<std::uint8_t>(piece | (greets ? greeting : 0U) | (striped ? stripes : 0U))) {}

  constexpr std::size_t piece() const { return code_ & (greeting - 1U); }
  /// Whether the message is larger than `eager`, so it begins with the handshake.
  constexpr bool greets() const { return (code_ & greeting) != 0; }
  /// Whether the message takes all NICs if it is between hosts.
  constexpr bool striped() const { return (code_ & stripes) != 0; }
  constexpr std::uint8_t code() const { return code_; }

 private:
  static constexpr unsigned greeting = 64, stripes = 128;
  std::uint8_t code_ = 0;
};

/// The class of a payload of so many bytes.
SizeClass size_class(Platform const& platform, std::int64_t payload);
/// Whether hosts have one NIC without gaps between messages, and one memory of intra_bandwidth.
bool has_plain_hosts(Platform const& platform);
/// Whether the links between the ranks of a host can slow messages down. Under linear timing they can if all ports of a
/// rank together ask for more than a link carries.
bool shares_islands(Platform const& platform);

/// The NICs of one flow: out of the source's host, and into the target's.
struct NicPair {
  int out = 0, in = 0;
};

/// Answers the questions of engines about the paths of messages on one platform. Keeps a reference to the platform.
class Paths {
 public:
  explicit Paths(Platform const& platform);

  Routes const& routes() const { return routes_; }
  int host(Rank rank) const { return host_of(platform_, rank); }
  /// The place of a rank among the ranks of its host, in rising order. In all functions here a rank may be a part
  /// (schedule/parts.hpp).
  int place(Rank part) const;
  /// The NIC of the rank at this place. If messages are striped, it is the NIC by the rule of blocks.
  int nic_at(int place) const;
  /// The lowest place whose rank uses this NIC.
  int first_place_on(int nic) const;

  /// Into how many flows the message is divided.
  int flows(Rank from, Rank to, SizeClass size) const;
  /// How many of `bytes` bytes each flow carries: the same for all, rounded up.
  std::int64_t flow_bytes(Rank from, Rank to, SizeClass size, std::int64_t bytes) const;
  /// The NICs of one flow of a message between two hosts.
  NicPair nics(Rank from, Rank to, SizeClass size, int flow) const {
    return platform_.nics == 1 ? NicPair() : several_nics(from, to, size, flow);
  }
  /// The copies of the network that a message between two hosts takes.
  Networks networks(Rank from, SizeClass size) const;
  /// Whether the message comes in over the NIC of another rank and goes on over the island of the target's host.
  bool is_forwarded(Rank from, Rank to) const { return platform_.rails && changes_nics(from, to); }

  /// The start-up of the message, and the highest bandwidth that one of its flows can use.
  RouteCost route_cost(Rank from, Rank to, SizeClass size) const;
  /// The same for a message between two hosts whose route has so many links.
  RouteCost cost_over(Rank from, Rank to, std::size_t links, SizeClass size) const;

 private:
  NicPair several_nics(Rank from, Rank to, SizeClass size, int flow) const;
  bool changes_nics(Rank from, Rank to) const;
  RouteCost with_handshake(RouteCost cost, SizeClass size) const {
    if (size.greets()) cost.startup = cost.startup + platform_.flow.handshake;
    return cost;
  }

  Platform const& platform_;
  Routes routes_;
  std::vector<std::int32_t> places_;  ///< by rank, where a list places them
};

/// All shared things of a machine with their numbers and capacities; the solver of max-min fairness knows nothing else.
class SharedResources {
 public:
  using Number = std::uint32_t;

  /// The numbers begin with `first`. Links of the topology whose numbers are equal modulo `kinds` count as one. With
  /// `hosts` = 1 a single host stands for all of them.
  SharedResources(Paths const& paths, Platform const& platform, int hosts, LinkId kinds, Number first = 0);

  /// The capacities in bytes a second, in the order of the numbers, the first one being that of number `first`.
  std::vector<double> const& capacities() const { return capacities_; }
  bool shares_links() const { return shares_links_; }
  bool shares_memories() const { return shares_memories_; }
  /// Whether messages within a host may have to share something.
  bool shares_within() const { return shares_memories_ || joins_by_links(); }
  /// Appends the numbers that a message within a host crosses. There are none for a message of a rank to itself if
  /// there is no memory.
  void append_within(Rank from, Rank to, std::vector<Number>& into) const;
  /// Append the numbers that a flow between hosts crosses, in this order; links of the topology are those of the flow's
  /// copy of the network.
  void append_out(Rank from, NicPair nics, std::vector<Number>& into) const;
  void append_links(NicPair nics, std::span<LinkId const> links, std::vector<Number>& into) const;
  void append_in(Rank from, Rank to, NicPair nics, std::vector<Number>& into) const;

 private:
  bool joins_by_links() const { return between_ > 0; }
  Number add(std::int64_t count, double capacity);
  void add_island(Island const& island);
  void add_links();
  Number link_between(int host, int from_place, int to_place) const;
  Number nic(Number first, int host, int nic) const;

  Paths const& paths_;
  Platform const& platform_;
  std::int64_t hosts_;
  LinkId kinds_;
  Number first_;
  std::vector<double> capacities_;
  bool shares_nics_, shares_links_, shares_memories_;
  Number first_up_ = 0, first_down_ = 0, first_memory_ = 0, first_link_ = 0;
  Number first_joint_ = 0;    ///< of the links of islands
  std::int64_t between_ = 0;  ///< links of each island; 0: memories
};

/// The routes of messages of `message` bytes between all pairs of ranks, with their start-ups. A route lists the
/// resources that a message uses, in the order of its path. Under linear timing they are the port of the sender, then
/// shared NICs, memories and links, and last the port of the receiver. Under flow timing there are no ports. Under
/// LogGP they are the NICs of the two ranks. Under `ugal` the routes are those of `minimal`. The topology must not be a
/// platform file (ContractViolation).
RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message);

}  // namespace rondo
