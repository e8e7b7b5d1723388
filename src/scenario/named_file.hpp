#pragma once

// Files that a scenario names: sources and binaries of programs, graphs, machines, platform files. A scenario that
// somebody else wrote must not read any file of its user, so that they lie below the scenario's own folder, below one
// of the folders that the command line permits (base/permissions.hpp), or among the platforms and scenarios that come
// with Rondo. Symbolic links are followed first: where they lead is what counts.

#include <string>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// The path of the file that the string there names, as seen from the scenario's folder. Nothing of the file is looked
/// at before it is known to be permitted. Throws InputError.
std::string named_file(Place const& name);
/// The same for a folder that is written in `name` among other things.
void expect_permitted_folder(Place const& name, std::string const& folder);

}  // namespace rondo::scenario
