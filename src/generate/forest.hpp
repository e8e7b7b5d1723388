#pragma once

// Spanning trees for every piece of data, packed for the ways of a machine: which message carries which piece in which
// round, so that no resource of the machine is busy for much longer than it has to be.

#include <cstdint>
#include <vector>

#include "topology/routed_network.hpp"

namespace rondo::generate {

/// A piece that one rank has and that all ranks shall have.
struct Seedling {
  int origin = 0;
  std::int64_t bytes = 0;
};

/// The receiver gets the piece for the first time; the sender has it from before the round.
struct Branch {
  int from = 0, to = 0;
  std::uint32_t piece = 0;
};
using ForestRounds = std::vector<std::vector<Branch>>;

/// The moves of all pieces, each over a tree that spans all ranks. Of several ways to pack them the one whose rounds
/// are shortest, each as long as its busiest resource and a start-up: along a ring of ranks whose messages meet on no
/// resource, if a search finds one, or by the rarest piece first over the nearest ways that are free.
/// Pure: what is drawn comes from a fixed seed.
ForestRounds grow_forest(RoutedNetwork const& network, std::vector<Seedling> const& pieces);

/// How long these rounds take if each ends before the next one begins.
double seconds_of(RoutedNetwork const& network, std::vector<Seedling> const& pieces, ForestRounds const& rounds);

/// The network in which messages go the other way.
RoutedNetwork with_ways_back(RoutedNetwork const& network);

}  // namespace rondo::generate
