#pragma once

// The states of the files from which a point was read: their checksums and lengths. They are part of the expanded
// scenario in a record. A record that was made with other files is then not taken for a current one, and a person who
// reproduces the record with other files gets an error.

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
