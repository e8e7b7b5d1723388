#pragma once

// Writes promises as JSON.

#include "scenario/scenario.hpp"
#include "schedule/collective.hpp"

namespace rondo {

/// The promise written out, slot by slot, as scenario/promise.hpp reads it.
scenario::Json written_out(Collective const& collective);

}  // namespace rondo
