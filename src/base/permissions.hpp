#pragma once

// What the person at the command line lets scenarios do beyond describing a simulation. Programs are code: to compile
// and run one that a scenario names is to trust whoever wrote the scenario. Like the rights of a process, these are set
// once, before the first scenario is read, and child processes inherit them; nothing that a scenario says changes them.
// They are asked where a program is started and where a file is opened, so that no way there leads past them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace rondo {

struct Permissions {
  enum class Programs : std::uint8_t {
    refused,  ///< a scenario that needs a program is bad input
    listed,   ///< its points are listed, and nothing is started (--dry-run)
    started,  ///< compilers and programs are started (--allow-programs)
  };
  Programs programs = Programs::refused;
  std::vector<std::string> folders = {};  ///< whose files scenarios may name, beside those of their own folders
  Seconds compiling{0};                   ///< real time that compiling a program may take; 0: any
};

/// The permissions that permit() was given last; by default nothing is permitted.
Permissions const& permissions();
void permit(Permissions permissions);

/// Throws InputError unless programs may be started.
void expect_programs_allowed();

}  // namespace rondo
