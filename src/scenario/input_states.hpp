#pragma once

// What a record knows the files by that its point was read from: the content and length of each. They are part of its
// expanded scenario, so that a record of other files is not taken for it, and that nobody reproduces it with other
// ones.

#include <string>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The document with the checksum of each file that a graph, a machine, a program or a schedule is read from beside the
/// key that names it; one that is stated must be right. Throws PlacedError.
Json with_checksums(Json document, std::string const& file);

/// The document with `inputs`: the checksum and length of every file that its point is read from, by name as the
/// scenario's folder has it; those that are stated must be right. Without files there is no such key. Throws
/// PlacedError.
Json with_input_states(Json document, Inputs const& inputs, std::string const& file);

}  // namespace rondo::scenario
