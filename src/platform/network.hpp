#pragma once

// A machine as a network with capacities (topology/network.hpp), for lower bounds of times.

#include <optional>

#include "platform/platform.hpp"
#include "topology/network.hpp"

namespace rondo {

/// No message between the first `ranks` ranks carries its bytes but over these links, and no link carries more than its
/// capacity: ports of ranks under linear timing and in LogGP, NICs and memories where they are shared, links of
/// islands, links of the topology where they are shared and have not failed. Routes and the inside of routers count for
/// nothing, so that it holds for every routing; with `neighbors_only` no message passes more than one link between
/// routers. The partitions are those of the topology, down to its hosts and their ranks. Unset for a platform file.
std::optional<Network> network_of(Platform const& platform, int ranks);

}  // namespace rondo
