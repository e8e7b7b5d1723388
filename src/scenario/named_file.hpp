#pragma once

// Files that a scenario names: sources and binaries of programs, graphs, machines, platform files. A scenario by
// somebody else must not read arbitrary files of its user. So these files must lie below the scenario's own folder,
// below a folder that the command line permits (base/permissions.hpp), or among the platforms and scenarios that come
// with Rondo. Symbolic links are followed first, and the path that they lead to is checked.

#include <string>
#include <string_view>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// The path of the file that the string at `name` names, relative to the scenario's folder. Nothing is read from the
/// file before it is known to be permitted. Throws InputError.
std::string named_file(Place const& name);
/// Whether a scenario may name the file.
bool is_permitted(std::string const& path, std::string const& scenario);
/// Throws InputError unless a path is permitted that is a part of `name`. `what` is "file" or "folder". Other programs
/// read the path as it is written: like them, this follows links before "..".
void expect_permitted_path(Place const& name, std::string const& path, std::string_view what);

}  // namespace rondo::scenario
