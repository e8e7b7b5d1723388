#pragma once

// Numbers for everything that flows may share: NICs out of hosts and into hosts, memories of hosts, links of
// islands, and links of the topology (once for each copy of the network). Under linear timing NICs are shared only if a
// host has several ranks, and memories never; under flow timing both are always shared.

#include <cstdint>
#include <span>
#include <vector>

#include "platform/paths.hpp"

namespace rondo {

/// All shared things of a machine with their numbers and capacities; the solver of max-min fairness knows nothing else.
class SharedResources {
 public:
  using Number = std::uint32_t;

  /// The numbers begin with `first`. Links of the topology whose numbers are equal modulo `kinds` count as one. With
  /// `hosts` = 1 a single host stands for all of them.
  SharedResources(Paths const& paths, Platform const& platform, int hosts, LinkId kinds, Number first = 0);

  /// The capacities in bytes a second, in the order of the numbers, the first one being that of number `first`.
  std::vector<double> const& capacities() const { return capacities_; }
  bool shares_nics() const { return shares_nics_; }
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

}  // namespace rondo
