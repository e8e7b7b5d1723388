#pragma once

// Files that a scenario names: sources and binaries of programs, graphs, machines, platform files. A scenario that
// somebody else wrote must not read any file of its user, so that they lie below the scenario's own folder, below one
// of the folders that the command line permits (base/permissions.hpp), or among the platforms and scenarios that come
// with Rondo. Symbolic links are followed first: where they lead is what counts.

#include <string>
#include <string_view>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// The path of the file that the string there names, as seen from the scenario's folder. Nothing of the file is looked
/// at before it is known to be permitted. Throws InputError.
std::string named_file(Place const& name);
/// Whether a scenario may name the file.
bool is_permitted(std::string const& path, std::string const& scenario);
/// Throws InputError unless a path is permitted that is written in `name` among other things, a file or a folder as
/// `what` says, and that others read as it is written: links are followed before "..", as they do.
void expect_permitted_path(Place const& name, std::string const& path, std::string_view what);

}  // namespace rondo::scenario
