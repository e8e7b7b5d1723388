#pragma once

// Checks documents against the schema, with messages for people.

#include <string>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"
#include "scenario/schema_check.hpp"

namespace rondo::scenario {

/// Checks a document against the schema. Throws InputError with the deepest wrong place and with what the schema
/// expects there. `hidden` is left out at the beginning of places: it is the key of an object of Rondo's around the
/// content of the file. `within` is the place of the document in the file.
void validate(Json const& document, std::string const& file, Extent extent, std::string const& hidden = "",
              std::string const& within = "");

/// The tokens of a pointer. Throws InputError with the place `place` unless the pointer leads to a value of the
/// document, or from an object of the document to a key that the schema knows there (for any of its kinds).
Tokens match(Json const& document, std::string const& pointer, std::string const& file, std::string const& place);

}  // namespace rondo::scenario
