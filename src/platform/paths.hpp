#pragma once

// The way of a message from rank to rank: over the inside of the two hosts, their NICs and the topology. A message
// between hosts that is striped takes all NICs, with a flow over each; any other message is one flow. docs/model.md has
// the rules.

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "platform/platform.hpp"
#include "platform/routing.hpp"

namespace rondo {

/// What the payload of a message decides of its way, in one byte.
class SizeClass {
 public:
  constexpr SizeClass() = default;
  constexpr explicit SizeClass(std::uint8_t code) : code_(code) {}
  constexpr SizeClass(std::size_t piece, bool greets, bool striped)
      : code_(static_cast<std::uint8_t>(piece | (greets ? greeting : 0U) | (striped ? stripes : 0U))) {}

  constexpr std::size_t piece() const { return code_ & (greeting - 1U); }
  /// Whether it is larger than `eager`, and so begins with the handshake.
  constexpr bool greets() const { return (code_ & greeting) != 0; }
  /// Whether it takes all NICs if it is between hosts.
  constexpr bool striped() const { return (code_ & stripes) != 0; }
  constexpr std::uint8_t code() const { return code_; }

 private:
  static constexpr unsigned greeting = 64, stripes = 128;
  std::uint8_t code_ = 0;
};

/// The class of a payload of so many bytes.
SizeClass size_class(Platform const& platform, std::int64_t payload);
/// Whether hosts have one NIC that counts no gaps, and a memory of intra_bandwidth.
bool has_plain_hosts(Platform const& platform);
/// Whether hosts have links between their ranks on which messages may slow each other: under linear timing all ports of
/// a rank at work may ask for more than a link has.
bool shares_islands(Platform const& platform);

/// The NICs of one flow: out of the source's host, and into the target's.
struct NicPair {
  int out = 0, in = 0;
};

/// Refers to the platform.
class Paths {
 public:
  explicit Paths(Platform const& platform);

  Routes const& routes() const { return routes_; }
  int host(Rank rank) const { return host_of(platform_, rank); }
  /// Which one of the ranks of its host it is, by rising rank. Ranks may be parts everywhere here.
  int place(Rank part) const;
  /// The NIC of the rank at this place; by the rule of blocks where messages are striped.
  int nic_at(int place) const;
  /// The lowest place whose NIC it is.
  int first_place_on(int nic) const;

  /// How many flows the message is.
  int flows(Rank from, Rank to, SizeClass size) const;
  /// What each flow carries of so many bytes: all flows the same, rounded up.
  std::int64_t flow_bytes(Rank from, Rank to, SizeClass size, std::int64_t bytes) const;
  /// Between ranks of two hosts.
  NicPair nics(Rank from, Rank to, SizeClass size, int flow) const {
    return platform_.nics == 1 ? NicPair() : several_nics(from, to, size, flow);
  }
  /// The networks that a message takes between ranks of two hosts.
  Networks networks(Rank from, SizeClass size) const;
  /// Whether it comes in over the NIC of another rank, over whose island it goes on.
  bool is_forwarded(Rank from, Rank to) const { return platform_.rails && changes_nics(from, to); }

  /// The start-up, and the most bandwidth that a flow of it can use.
  Way way(Rank from, Rank to, SizeClass size) const;
  /// Between ranks of two hosts, by a route of so many links.
  Way way_over(Rank from, Rank to, std::size_t links, SizeClass size) const;

 private:
  NicPair several_nics(Rank from, Rank to, SizeClass size, int flow) const;
  bool changes_nics(Rank from, Rank to) const;
  Way with_handshake(Way way, SizeClass size) const {
    if (size.greets()) way.startup = way.startup + platform_.flow.handshake;
    return way;
  }

  Platform const& platform_;
  Routes routes_;
  std::vector<std::int32_t> places_;  ///< by rank, where a list places them
};

}  // namespace rondo
