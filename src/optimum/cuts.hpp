#pragma once

// Lower bounds of times by what has to pass a cut of a network: bytes over capacity. They hold for every schedule and
// routing, as no byte comes out of a set of vertices but over the links that leave it.

#include <optional>
#include <string>
#include <vector>

#include "optimum/demand.hpp"

namespace rondo::optimum {

/// A set of vertices, the bytes that have to leave or enter it, and how long the links there take for them.
struct Cut {
  double seconds = 0;         ///< bytes / capacity
  bool splits_hosts = false;  ///< ranks of one host stand on both sides
  bool single = false;        ///< one rank or host, over its own ports, NICs or memory
  bool average = false;       ///< of all parts of a partition together
  std::string words = {};     ///< "hosts of group 2 to the others: 48MiB over 2 links"
};

/// The best cuts of those with hosts as a whole and of those that split hosts, in the partitions of the network.
/// Of an allreduce also: of k parts that hold all ranks, each byte's place of the vector leaves some part at least
/// 2 (k - 1) times. For a message between parts joins the contributions of two parts at most, so that nobody has all of
/// them before k - 1 messages; and each of the k - 1 others has to receive once more after that.
/// `passes`: whether anything has to pass between ranks at all, be it an empty block.
struct Cuts {
  std::optional<Cut> between_hosts, within_hosts;
  bool passes = false;
};
Cuts partition_cuts(Network const& network, Demand const& demand);

/// The cut with exactly these vertices inside, those that leave (or enter) it.
struct Side {
  std::vector<bool> inside;  ///< by vertex
  bool entering = false;
};
std::optional<Cut> cut_of(Network const& network, Demand const& demand, Side const& side);

}  // namespace rondo::optimum
