#pragma once

// Finds the places at which a document breaks its schema.

#include <cstdint>
#include <optional>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// How much of a scenario a document is. whole: a scenario with everything that it needs. part: some of its top-level
/// keys, each complete in itself. promise: a promise by itself.
enum class Extent : std::uint8_t { whole, part, promise };

/// The schema against which a document of this extent is checked.
Json const& schema_of(Extent extent);

/// The deepest place at which the document breaks the schema, the first one of several; unset if there is none.
std::optional<Tokens> deepest_fault(Extent extent, Json const& document);
/// The deepest fault for any other schema, which is prepared anew in each call.
std::optional<Tokens> deepest_fault(Json const& schema, Json const& document);

}  // namespace rondo::scenario
