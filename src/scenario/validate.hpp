#pragma once

// Checks documents against the schema, with messages for people.

#include <string>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"
#include "scenario/schema_check.hpp"

namespace rondo::scenario {

/// Checks a document of this extent against the schema. Throws InputError with the deepest wrong place, the value
/// there, and the values that the schema accepts there. Places in errors are changed in two ways. If Rondo has put the
/// content of the file into an object under a key, `hidden` is that key, and it is left out at the beginning of places.
/// `within` is the place of the document in the file.
void validate(Json const& document, std::string const& file, Extent extent, std::string const& hidden = "",
              std::string const& within = "");

/// Splits a pointer into its tokens. Throws InputError with the place `place` unless the pointer leads to a value of
/// the document, or from an object of the document to a key that the schema knows there, for any kind of the object.
Tokens match(Json const& document, std::string const& pointer, std::string const& file, std::string const& place);

}  // namespace rondo::scenario
