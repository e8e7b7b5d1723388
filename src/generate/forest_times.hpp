#pragma once

// How long a packing of trees takes on a network: the measure by which forest.cpp chooses.

#include <vector>

#include "generate/forest.hpp"

namespace rondo::generate {

/// If each round ends before the next one begins, and takes as long as its busiest resource and the start-ups of its
/// busiest port: quickly found, but too short where messages that share a resource keep each other from using the next
/// one.
double seconds_by_rounds(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces,
                         ForestRounds const& rounds);

/// If each rank begins a round when it has ended the one before, and messages take turns at the ports, if the network
/// has any, and share the other resources max-min fairly. `apart`: each piece is a message.
double seconds_of(RoutedNetwork const& network, std::vector<SourcePiece> const& pieces, ForestRounds const& rounds,
                  bool apart);

}  // namespace rondo::generate
