#pragma once

// The compiler flags that a scenario may state for a user's program. A scenario by somebody else must not start
// other programs by them.

#include "scenario/read.hpp"

namespace rondo::scenario {

/// Throws InputError unless each flag in the list defines a macro, adds folders for headers or libraries, chooses a
/// language standard, optimizes, debugs or warns. All other flags are refused, because they could name programs that
/// the compiler starts (-wrapper, -B, -specs, -fplugin, -fuse-ld), files that it reads words from (@FILE) or writes
/// (-o), or words for other tools (-Wl, -Wa, -Wp, -Xlinker). The folders of -I and -L must be permitted
/// (named_file.hpp).
void expect_compiler_flags(Place const& flags);

}  // namespace rondo::scenario
