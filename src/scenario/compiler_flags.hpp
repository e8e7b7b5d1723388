#pragma once

#include "scenario/read.hpp"

namespace rondo::scenario {

/// Throws InputError unless each flag of the list is one that defines a macro, looks for headers or libraries, chooses
/// a language standard, optimizes, debugs or warns. All others are refused, since they can name programs that the
/// compiler starts (-wrapper, -B, -specs, -fplugin, -fuse-ld), files that it takes words from (@FILE) or writes (-o),
/// or words for other tools (-Wl, -Wa, -Wp, -Xlinker). The folders of -I and -L must be permitted (named_file.hpp).
void expect_compiler_flags(Place const& flags);

}  // namespace rondo::scenario
