#pragma once

// The part of the schema that applies at a place, as one flat schema without conditions, for messages and
// descriptions.

#include <optional>
#include <string>
#include <vector>

#include "json/pointer.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The schema of one place, with `allOf` and the `then` or `else` of each `if` merged into it. With a value, the value
/// decides conditions; without one, all branches count, because the kind is not known yet.
Json flat(Json const& schema, Json const* value);

/// The flat schema at a place of the document; the document decides conditions as far as it has values. Unset if the
/// schema does not know such a place.
std::optional<Json> schema_at(Json const& schema, Json const& document, Tokens const& tokens);

/// The keys that the schema knows at a place of the document, for any kind that the place may have.
std::vector<std::string> possible_keys(Json const& schema, Json const& document, Tokens const& tokens);

/// The keys that a flat schema accepts.
std::vector<std::string> known_keys(Json const& flat_schema);
/// What a flat schema expects, as a noun phrase: "an integer from 1 to 64", or its title.
std::string expectation(Json const& flat_schema);

}  // namespace rondo::scenario
