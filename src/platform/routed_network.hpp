#pragma once

// The routes between the ranks of a machine as lists of resources (topology/routed_network.hpp).

#include "platform/platform.hpp"
#include "topology/routed_network.hpp"

namespace rondo {

/// The resources that a message of so many bytes uses, in the order of its path from the sender: ports under linear
/// timing, then NICs, memories and links if they are shared. Under `ugal` the routes are assumed to be those of
/// `minimal`. Not defined for a platform file.
RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message);

}  // namespace rondo
