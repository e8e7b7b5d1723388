#pragma once

// Parts of loading a scenario, for the other sources of this folder and for callers that need one part alone.
// load_document() in scenario.hpp does all of it. The states of the files from which a point was read are their
// checksums and lengths. They are part of the expanded scenario in a record. A record that was made with other files
// is then not taken for a current one, and a person who reproduces the record with other files gets an error.

#include <string>
#include <string_view>

#include "json/value.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// Names the kind of a document, which its keys tell, and the commands that take it: "a schedule, which rondo prove
/// takes, ...". Errors about a document of the wrong kind say this. Empty if the kind is unknown.
std::string other_kind(Json const& document);

/// Loads a scenario from its text, as load_document() loads it from a file with this name. Throws InputError.
Document load_text(std::string_view text, std::string const& name);

/// The folder of a file, "" for the current one.
std::string folder_of(std::string const& file);
/// The path of `name`, which is relative to `folder` unless it is absolute. The path is normalized.
std::string resolve(std::string const& folder, std::string const& name);

/// Stands in the place of the file in messages about --set. Names of files in such a value are relative to the working
/// directory.
inline constexpr char const* command_line = "--set";

/// If the machine is the name of a file, replaces it by the object in the file, which is checked against the schema.
/// Any other document stays as it is. Paths in the file, of a platform file or of noise, are relative to the file's
/// folder. They are rewritten so that they are relative to the folder of `scenario`; if that is `command_line`, to the
/// working directory. Throws InputError.
void inline_machine(Json& document, std::string const& scenario);

/// The document with the checksum of each file of a graph, a machine, a program or a schedule, beside the key that
/// names the file. A stated checksum must be right. Throws PlacedError.
Json with_checksums(Json document, std::string const& file);

/// The document with `inputs`: checksum and length of every file from which its point is read, with the name relative
/// to the scenario's folder. Stated ones must be right. Without files there is no such key. Throws PlacedError.
Json with_input_states(Json document, Inputs const& inputs, std::string const& file);

}  // namespace rondo::scenario
