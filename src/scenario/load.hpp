#pragma once

#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {

/// What a document is that is no scenario, or no machine, and which commands take it: "a schedule, which rondo prove
/// takes, ..."; empty where nobody can tell.
std::string other_kind(Json const& document);

/// A scenario from its text, as load_document() reads a file of this name.
Document load_text(std::string_view text, std::string const& name);

/// The folder of a file, "" for the current one.
std::string folder_of(std::string const& file);
/// `name` as seen from `folder`.
std::string resolve(std::string const& folder, std::string const& name);

/// Stands for the file in messages on what --set says; files that it names are named on the command line.
inline constexpr char const* command_line = "--set";

/// Replaces a machine that is the name of a file by the object that the file holds, checked against the schema. The
/// path of a platform file in it is kept relative to the folder of `scenario`.
void inline_machine(Json& document, std::string const& scenario);

}  // namespace rondo::scenario
