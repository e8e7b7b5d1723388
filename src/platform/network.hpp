#pragma once

// A machine as a network with capacities (topology/network.hpp), for lower bounds of times.

#include <optional>

#include "platform/platform.hpp"
#include "topology/network.hpp"

namespace rondo {

/// The machine of the first `ranks` ranks as links with capacities, chosen so that it only ever lets messages pass
/// faster than the machine does; bounds that hold for it hold for the machine.
/// Its links are the ports of ranks under linear timing and in LogGP, NICs and memories if they are shared, links of
/// islands, and links of the topology that are shared and have not failed. It knows no routes and no limits inside
/// routers, so a bound holds for every routing. With `neighbors_only` no message passes more than one link between
/// routers. Its partitions are those of the topology, down to hosts and their ranks. Unset for a platform file.
std::optional<Network> network_of(Platform const& platform, int ranks);

}  // namespace rondo
