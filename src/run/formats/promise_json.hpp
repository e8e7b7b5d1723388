#pragma once

// Writes promises as JSON, by the list of all their blocks. Exports use it if the name and the parameters of the
// collective do not describe the promise.

#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"

namespace rondo {

/// The promise of kind "stated": the blocks that each rank holds and is owed, slot by slot, as scenario/promise.hpp
/// reads them. Its size grows with the number of all slots.
scenario::Json written_out(Collective const& collective);

}  // namespace rondo
