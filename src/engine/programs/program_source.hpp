#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/programs/program_image.hpp"

namespace rondo {

/// An MPI program in C (*.c), Fortran (*.f, *.f90, *.F, *.F90) or C++ to be compiled.
struct ProgramSource {
  std::vector<std::string> paths;  ///< at least one, all of one language
  std::string folder;              ///< in which it is compiled; empty: this one
  std::vector<std::string> flags;  ///< for the compiler, behind -O2
};

/// The program, compiled by SMPI's compiler and linked with librondo_mpi where that has been built (not under the
/// sanitizers). Sources of the same content are compiled once in a process, with the same flags.
/// Throws InputError: there is no such file or no compiler, it takes longer than the permissions say
/// (base/permissions.hpp), no program may be started, or what the compiler said first.
std::shared_ptr<ProgramImage const> compiled(ProgramSource const& source);

}  // namespace rondo
