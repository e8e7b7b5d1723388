#pragma once

#include <string>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"
#include "scenario/schema_check.hpp"

namespace rondo::scenario {

/// Checks a document against the schema. Throws InputError that names the deepest place that is wrong and what the
/// schema expects there. `hidden` is left out at the beginning of places: the key of an object of ours that wraps what
/// the file holds. `within` is where the document stands in the file.
void validate(Json const& document, std::string const& file, Extent extent, std::string const& hidden = "",
              std::string const& within = "");

/// The tokens of a pointer. Throws InputError, at `place`, unless it leads to a value of the document, or from an
/// object of the document to a key that the schema knows there (in any of its kinds).
Tokens match(Json const& document, std::string const& pointer, std::string const& file, std::string const& place);

}  // namespace rondo::scenario
