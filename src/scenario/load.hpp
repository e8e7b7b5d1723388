#pragma once

// Parts of loading that other sources of the folder use; load_document() in scenario.hpp is the whole.

#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// What a document is that is no scenario or no machine, and which commands accept it: "a schedule, which rondo prove
/// takes, ..."; empty if nobody can tell.
std::string other_kind(Json const& document);

/// A scenario from its text, read as load_document() reads a file with this name.
Document load_text(std::string_view text, std::string const& name);

/// The folder of a file, "" for the current one.
std::string folder_of(std::string const& file);
/// The path of `name`, relative to `folder`.
std::string resolve(std::string const& folder, std::string const& name);

/// Stands in the place of the file in messages about --set. Files in such a value are named on the command line.
inline constexpr char const* command_line = "--set";

/// Replaces a machine that is the name of a file by the object in the file, checked against the schema. The path of a
/// platform file in it stays relative to the folder of `scenario`.
void inline_machine(Json& document, std::string const& scenario);

}  // namespace rondo::scenario
