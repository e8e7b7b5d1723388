#pragma once

// Files and compiler flags that a scenario may name. The files are sources and binaries of programs, graphs, machines
// and platform files. A scenario by somebody else must not read arbitrary files of its user. So these files must lie
// below the scenario's own folder, below a folder that the command line permits (base/permissions.hpp), or among the
// platforms and scenarios that come with Rondo. Symbolic links are followed first, and the path that they lead to is
// checked. A scenario must not start other programs by the compiler flags of a user's program.

#include <string>
#include <string_view>

#include "scenario/read.hpp"

namespace rondo::scenario {

/// The path of the file that the string at `name` names, relative to the scenario's folder. Nothing is read from the
/// file before it is known to be permitted. Throws InputError.
std::string named_file(Place const& name);
/// Whether a scenario may name the file.
bool is_permitted(std::string const& path, std::string const& scenario);

/// Throws InputError unless each flag in the list defines a macro, adds folders for headers or libraries, chooses a
/// language standard, optimizes, debugs or warns. All other flags are refused, because they could name programs that
/// the compiler starts (-wrapper, -B, -specs, -fplugin, -fuse-ld), files that it reads words from (@FILE) or writes
/// (-o), or words for other tools (-Wl, -Wa, -Wp, -Xlinker). The folders of -I and -L must be permitted
/// (permitted_input.hpp).
void expect_compiler_flags(Place const& flags);

}  // namespace rondo::scenario
