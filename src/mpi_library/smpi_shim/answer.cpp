// Reports errors through error handlers, which SMPI does not call for predefined ones.

#include "mpi_library/smpi_shim/answer.hpp"

#include <unistd.h>
#include <cstdint>
#include <cstdio>

#include "mpi_library/calls/failed_comm.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"

// A function of the C++ ABI. It registers a function that is called when the process ends, or when this code is
// unloaded.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* owner) noexcept;
extern "C" void* __dso_handle;

namespace rondo::mpi {
namespace {

void leave(void* code) {
  std::fflush(nullptr);
  ::_exit(static_cast<int>(reinterpret_cast<std::intptr_t>(code)));
}

/// Does with an error what the communicator's handler says.
void handle(MPI_Comm comm, int code, char const* function) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  // SMPI itself does not call predefined handlers.
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_RETURN) return;
  if (handler == MPI_ERRORS_ARE_FATAL) return end_program(comm, code, function);
  PMPI_Comm_call_errhandler(comm, code);
  PMPI_Errhandler_free(&handler);
}

}  // namespace

/// Ends all ranks, as MPI_ERRORS_ARE_FATAL demands, with a line that names the function.
void end_program(MPI_Comm comm, int code, char const* function) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "%s: %s\n", function, text);
  end_ranks(comm, code);
}

/// Exit codes have eight bits; a code that is a multiple of 256 would look like success.
int end_ranks(MPI_Comm comm, int code) {
  int const seen = code != 0 && code % 256 == 0 ? 1 : code & 0xff;
  // The code is passed by value: under some kinds of privatization the variables of a rank are no longer in place at
  // the end.
  __cxa_atexit(leave, reinterpret_cast<void*>(static_cast<std::intptr_t>(seen)), &__dso_handle);
  return PMPI_Abort(comm, code);
}

int answer(MPI_Comm comm, int code, char const* function) {
  if (code != MPI_SUCCESS) expect_thread_of_rank();
  if (code != MPI_SUCCESS) handle(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code, function);
  return code;
}

int answer_request(int code, char const* function) {
  if (code == MPI_SUCCESS) return code;
  MPI_Comm const comm = take_failed();
  bool const is_of_message = code == MPI_ERR_TRUNCATE || code == MPI_ERR_IN_STATUS;
  return comm == MPI_COMM_NULL && is_of_message ? code : answer(comm, code, function);
}

}  // namespace rondo::mpi
