#pragma once

// The permissions that the person at the command line gives to scenarios. Programs are code: whoever compiles and runs
// a program that a scenario names trusts the author of the scenario. Like the rights of a process, permissions are set
// once, before the first scenario is read, and child processes inherit them. Nothing in a scenario can change them.
// They are checked where a program is started and where a file is opened, so that no path in the code avoids them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

struct Permissions {
  enum class Programs : std::uint8_t {
    refused,  ///< a scenario that needs a program is bad input
    listed,   ///< its points are listed, but nothing is started (--dry-run)
    started,  ///< compilers and programs are started (--allow-programs)
  };
  Programs programs = Programs::refused;
  std::vector<std::string> folders = {};  ///< folders whose files scenarios may name, in addition to their own folders
  Seconds compiling{0};                   ///< real time that compiling a program may take; 0: unlimited
};

/// The permissions that were set last; by default nothing is permitted.
Permissions const& permissions();
void permit(Permissions permissions);

/// Throws InputError unless programs may be started.
void expect_programs_allowed();

}  // namespace rondo
