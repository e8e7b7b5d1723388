#include "mpi/smpi_shim/answer.hpp"

#include <cstdio>

namespace rondo::mpi {
namespace {

void end_program(MPI_Comm comm, int code, char const* function) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  PMPI_Error_string(code, text, &length);
  std::fprintf(stderr, "%s: %s\n", function, text);
  PMPI_Abort(comm, code);
}

void handle(MPI_Comm comm, int code, char const* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  // SMPI calls no predefined handler by itself.
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_RETURN) return;
  if (handler == MPI_ERRORS_ARE_FATAL) return end_program(comm, code, function);
  PMPI_Comm_call_errhandler(comm, code);
  PMPI_Errhandler_free(&handler);
}

}  // namespace

int answer(MPI_Comm comm, int code, char const* function) {
  if (code != MPI_SUCCESS) handle(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code, function);
  return code;
}

}  // namespace rondo::mpi
