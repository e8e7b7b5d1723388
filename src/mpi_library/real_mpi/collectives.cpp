// How collectives are carried out on a real MPI. Under SMPI smpi_shim takes the place of this file.

#include "mpi_library/real_mpi/collectives.hpp"

#include <memory>
#include <utility>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/classical/classical_request.hpp"
#include "mpi_library/classical/unused_choices.hpp"

namespace rondo::mpi {

/// Returns the error class, after the error handler was called.
int blocking_collective(CollectiveCall const& call, MPI_Comm comm, Library const& library) {
  auto const code = by_choice(call, comm);
  if (!code) return library();
  if (*code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, *code);
  return *code;
}

/// The MPI library carries out what no choice of Rondo's applies to.
int begin_collective(CollectiveCall const& call, MPI_Comm comm, MPI_Request* request, Library const& library) {
  bool done = false;
  int const code = guarded([&] {
    std::unique_ptr<RequestOperation> made = requested_by_choice(call, comm);
    if (made == nullptr) return;
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = make_handle(std::move(made), Lifetime::once);
    done = true;
  });
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return done || code != MPI_SUCCESS ? code : library();
}

/// Calls the error handler of the communicator on which the request failed.
int answer_request(int code) {
  if (code == MPI_SUCCESS) return code;
  MPI_Comm const failed = take_failed();
  if (failed != MPI_COMM_NULL) PMPI_Comm_call_errhandler(failed, code);
  return code;
}

namespace {

int hints_taken(MPI_Comm comm, MPI_Info info) {
  int const code = guarded([&] { take_hints(comm, info); });
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace
}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_Finalize() {
  tell_choices_without_effect();
  return PMPI_Finalize();
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  int const code = PMPI_Comm_set_info(comm, info);
  return code == MPI_SUCCESS ? hints_taken(comm, info) : code;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  int const code = PMPI_Comm_dup_with_info(comm, info, newcomm);
  return code == MPI_SUCCESS ? hints_taken(*newcomm, info) : code;
}

}  // extern "C"
