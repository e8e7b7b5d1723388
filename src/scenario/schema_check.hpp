#pragma once

#include <cstdint>
#include <optional>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// whole: a scenario with all that it needs. part: some of its top-level keys, each complete in itself. promise: a
/// promise by itself.
enum class Extent : std::uint8_t { whole, part, promise };

/// The schema that a document of this extent is held against.
Json const& schema_of(Extent extent);

/// The deepest place where the document breaks the schema, the first of several; unset where it breaks it nowhere.
std::optional<Tokens> deepest_fault(Extent extent, Json const& document);
/// The deepest fault by a schema that is not among these, which is prepared anew in each call.
std::optional<Tokens> deepest_fault(Json const& schema, Json const& document);

}  // namespace rondo::scenario
