// Whether a program is linked so that this library's functions take the place of SMPI's.

#include <mpi.h>
#include <unistd.h>

#include <cstdio>

extern "C" {

/// rondo/mpi.h refers to it, so that a linker takes the library from its archive by any words, and misses it if it is
/// not there: SMPI declares MPI's functions weak, for which no linker looks into an archive.
__attribute__((visibility("default"))) extern char const rondo_mpi_is_linked;
char const rondo_mpi_is_linked = 1;
}

namespace rondo::mpi {

/// communicators.cpp's MPI_Comm_free by a name that nothing can take the place of.
__attribute__((visibility("hidden"))) int own_comm_free(MPI_Comm* comm);

namespace {

/// Without -Bsymbolic-functions the loader finds libsimgrid's functions first.
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
