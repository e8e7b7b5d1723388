#pragma once

// Writes promises as JSON, by the list of all their blocks. Used if a promise cannot be named by its collective alone.

#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"

namespace rondo {

/// The promise written out, slot by slot, as scenario/promise.hpp reads it.
scenario::Json written_out(Collective const& collective);

}  // namespace rondo
