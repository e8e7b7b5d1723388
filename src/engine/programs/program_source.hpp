#pragma once

// Compiles a user's MPI program for the simulation, with SMPI's compilers smpicc, smpicxx and smpif90.

#include <memory>
#include <string>
#include <vector>

#include "engine/programs/program_image.hpp"

namespace rondo {

/// An MPI program in C (*.c), Fortran (*.f, *.f90, *.F, *.F90) or C++ that is to be compiled.
struct ProgramSource {
  std::vector<std::string> paths;  ///< at least one, all of one language
  std::string folder;              ///< the folder in which it is compiled; empty: the current one
  std::vector<std::string> flags;  ///< options for the compiler, after -O2
};

/// The program, compiled by SMPI's compiler and linked with librondo_mpi, unless librondo_mpi has not been built (as
/// under the sanitizers). In one process the same content with the same flags is compiled once.
/// Throws InputError if there is no such file or no compiler, if compiling takes longer than the permissions allow
/// (base/permissions.hpp), if programs are not permitted, or with the compiler's first error.
std::shared_ptr<ProgramImage const> compiled(ProgramSource const& source);

}  // namespace rondo
