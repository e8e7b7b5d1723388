#pragma once

// The ways between ranks of a machine (topology/routed_network.hpp).

#include "platform/platform.hpp"
#include "topology/routed_network.hpp"

namespace rondo {

/// What messages of so many bytes use, in the order of the way, what the sender uses first: ports under linear timing,
/// NICs, memories and links where they are shared. Under `ugal` their routes are taken for those of `minimal`. Not for
/// a platform file.
RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message);

}  // namespace rondo
