#pragma once

// The routes between the ranks of a machine as lists of resources (topology/routed_network.hpp).

#include "platform/platform.hpp"
#include "topology/routed_network.hpp"

namespace rondo {

/// The routes of messages of `message` bytes between all pairs of ranks, with their start-ups. A route lists the
/// resources that a message uses, in the order of its path. Under linear timing they are the port of the sender, then
/// shared NICs, memories and links, and last the port of the receiver. Under flow timing there are no ports. Under
/// LogGP they are the NICs of the two ranks. Under `ugal` the routes are those of `minimal`. The topology must not be a
/// platform file (ContractViolation).
RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message);

}  // namespace rondo
