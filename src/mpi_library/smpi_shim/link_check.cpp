// Checks that a program is linked in such a way that this library's functions replace those of SMPI.

#include <mpi.h>
#include <unistd.h>

#include <cstdio>

extern "C" {

/// rondo/mpi.h refers to this variable. So a linker takes the library from its archive in any order of arguments, and
/// fails if the library is missing. MPI's functions alone would not have this effect: SMPI declares them weak, and a
/// linker does not search archives for weak names.
__attribute__((visibility("default"))) extern char const rondo_mpi_is_linked;
char const rondo_mpi_is_linked = 1;
}

namespace rondo::mpi {

/// MPI_Comm_free of communicators.cpp, under a name that no other function can replace.
__attribute__((visibility("hidden"))) int own_comm_free(MPI_Comm* comm);

namespace {

/// Ends the program if the loader finds libsimgrid's functions first, as it does without -Bsymbolic-functions.
__attribute__((constructor)) void expect_own_functions() {
  if (&MPI_Comm_free == &own_comm_free) return;
  std::fputs(
      "librondo_mpi: this program has SMPI's functions in place of the library's: link it with "
      "-Wl,--whole-archive librondo_mpi.a -Wl,--no-whole-archive -Wl,-Bsymbolic-functions -lstdc++ -lm\n",
      stderr);
  _exit(1);
}

}  // namespace
}  // namespace rondo::mpi
