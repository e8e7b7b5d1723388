#pragma once

// The part of the schema that applies at a place, as one flat schema without conditions.

#include <optional>
#include <string>
#include <vector>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// What the schema says of one place: `allOf` and the `then` or `else` of each `if` merged into the schema itself. With
/// a value, its conditions decide; without one, all count (its kind is not yet known).
Json flat(Json const& schema, Json const* value);

/// The flat schema at a place of the document, with conditions decided by the document where it has values. Unset where
/// the schema knows no such place.
std::optional<Json> schema_at(Json const& schema, Json const& document, Tokens const& tokens);

/// The keys that the schema knows at a place of the document, whatever kind that place turns out to be.
std::vector<std::string> possible_keys(Json const& schema, Json const& document, Tokens const& tokens);

/// The keys that a flat schema accepts.
std::vector<std::string> known_keys(Json const& flat_schema);
/// What a flat schema expects, as a noun phrase: "an integer from 1 to 64", or its title.
std::string expectation(Json const& flat_schema);

}  // namespace rondo::scenario
