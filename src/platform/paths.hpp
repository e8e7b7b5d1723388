#pragma once

// The path of a message from rank to rank: through the inside of the two hosts, their NICs and the topology. A
// striped message between two hosts takes all NICs, with one flow over each; any other message is one flow.
// docs/model.md has the rules.

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "platform/platform.hpp"
#include "platform/routing.hpp"

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

}  // namespace rondo
