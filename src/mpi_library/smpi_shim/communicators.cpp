// Replaces those of SMPI's functions for communicators and Cartesian grids that need code of their own.
// functions/write.py generates the others.

#include <mpi.h>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/duplicate_request.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/answer.hpp"

namespace {

using namespace rondo::mpi;

/// Checks the number of dimensions of a Cartesian grid against other arguments, which SMPI does not do. Returns
/// MPI_ERR_ARG if `fits` refuses the number, or the error of MPI_Cartdim_get.
template <typename Fits>
int fits_dimensions(MPI_Comm comm, Fits const& fits) {
  int dimensions = 0;
  int const code = PMPI_Cartdim_get(comm, &dimensions);
  if (code != MPI_SUCCESS) return code;
  return fits(dimensions) ? MPI_SUCCESS : MPI_ERR_ARG;
}

}  // namespace

extern "C" {

int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* source, int* dest) {
  int const code = fits_dimensions(comm, [&](int dimensions) { return direction < dimensions; });
  return answer(comm, code != MPI_SUCCESS ? code : PMPI_Cart_shift(comm, direction, disp, source, dest), __func__);
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int* coords) {
  int const code = fits_dimensions(comm, [&](int dimensions) { return maxdims >= dimensions; });
  return answer(comm, code != MPI_SUCCESS ? code : PMPI_Cart_coords(comm, rank, maxdims, coords), __func__);
}

/// Compares Rondo's inter-communicators here, because SMPI does not know them.
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int* result) {
  if (!is_inter(a) && !is_inter(b)) return answer(a, PMPI_Comm_compare(a, b, result), __func__);
  int const code = guarded([&] {
    if (result == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *result = compare(a, b);
  });
  return answer(a, code, __func__);
}

/// A communicator that Rondo still has to duplicate is freed later.
int MPI_Comm_free(MPI_Comm* comm) { return freed_after_duplicates(comm) ? MPI_SUCCESS : PMPI_Comm_free(comm); }

/// Calls the error handler of the communicator. SMPI's own function would call a predefined handler as if it were a
/// function of the program.
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  if (comm == MPI_COMM_NULL) return answer(comm, MPI_ERR_COMM, __func__);
  answer(comm, errorcode, __func__);
  return MPI_SUCCESS;
}

/// Ends all ranks of the program.
int MPI_Abort(MPI_Comm comm, int errorcode) { return end_ranks(comm, errorcode); }

}  // extern "C"

namespace rondo::mpi {

/// Gives this library's MPI_Comm_free a second name. link_check.cpp compares both to find out whether the loader uses
/// this library.
__attribute__((alias("MPI_Comm_free"), visibility("hidden"))) int own_comm_free(MPI_Comm* comm);

}  // namespace rondo::mpi
