#pragma once

#include <cstdint>
#include <optional>

#include "scenario/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// whole: a scenario with all that it needs. part: some of its top-level keys, each complete in itself.
enum class Extent : std::uint8_t { whole, part };

/// The deepest place where the document breaks the schema, the first of several; unset where it breaks it nowhere.
std::optional<Tokens> deepest_fault(Extent extent, Json const& document);

}  // namespace rondo::scenario
