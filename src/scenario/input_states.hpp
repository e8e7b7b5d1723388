#pragma once

// The states of the files from which a point was read: their content and length. They are part of the expanded
// scenario in a record, so that a record with other files is not taken for the same, and nobody reproduces it with
// other files.

#include <string>

#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// The document with the checksum of each file of a graph, a machine, a program or a schedule, beside the key that
/// names the file. A stated checksum must be right. Throws PlacedError.
Json with_checksums(Json document, std::string const& file);

/// The document with `inputs`: checksum and length of every file from which its point is read, with the name relative
/// to the scenario's folder. Stated ones must be right. Without files there is no such key. Throws PlacedError.
Json with_input_states(Json document, Inputs const& inputs, std::string const& file);

}  // namespace rondo::scenario
