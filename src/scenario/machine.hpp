#pragma once

// The keys of a machine, from which its schema and its reader follow (key.hpp).

#include "scenario/key.hpp"

namespace rondo::scenario {

Table<Platform> const& machine_keys();
/// What a machine's object may be: machine_keys, and which of them each timing model needs.
Json machine_schema();

/// The key `topology`: each kind of topology with its keys.
Form<MachineTopology> topology_form();

}  // namespace rondo::scenario
