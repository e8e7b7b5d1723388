#pragma once

// Finds lower bounds of times by cuts of a network: the bytes that have to pass a cut, divided by its capacity. They
// hold for every schedule and routing, because a byte can leave a set of vertices only over the links that leave the
// set.

#include <optional>
#include <string>
#include <vector>

#include "optimum/demand.hpp"

namespace rondo::optimum {

/// A set of vertices, the bytes that have to leave or enter it, and the time that its links need for them.
struct Cut {
  double seconds = 0;         ///< bytes / capacity
  bool splits_hosts = false;  ///< ranks of one host are on both sides
  bool single = false;        ///< one rank or host, over its own ports, NICs or memory
  bool average = false;       ///< of all parts of a partition together
  std::string text = {};      ///< "hosts of group 2 to the others: 48MiB over 2 links"
};

/// The best cuts of the network's partitions: those that keep hosts whole, and those that split hosts.
///
/// For an allreduce there is another bound: if k parts hold all ranks, each byte of the vector leaves parts at least 2
/// (k - 1) times. A message between parts joins the contributions of at most two parts, so no part has all of them
/// before k - 1 messages. After that, each of the k - 1 other parts has to receive the result.
struct Cuts {
  std::optional<Cut> between_hosts, within_hosts;  ///< unset: no cut gives a bound above 0
  bool passes = false;                             ///< anything has to pass between ranks, even an empty block
};
/// Finds the best cuts for the bytes that the demand requires.
Cuts partition_cuts(Network const& network, Demand const& demand);

/// A set of vertices of a cut, and the direction in which bytes are counted: leaving the set, or entering it.
struct Side {
  std::vector<bool> inside;  ///< by vertex
  bool entering = false;
};
/// Computes the cut with exactly these vertices inside. Its text names the side with fewer ranks. Unset if it gives no
/// bound above 0.
std::optional<Cut> cut_of(Network const& network, Demand const& demand, Side const& side);

}  // namespace rondo::optimum
