#pragma once

// How the functions of MPI that functions/write.py generates carry out collectives under SMPI: between two groups by
// Rondo; on one group by the chosen algorithm (mpi_library/classical/choice.hpp), otherwise by SMPI. Rondo's own
// functions take the place of those of SMPI that are wrong. Each function here returns an error code of MPI, after the
// communicator's error handler was called. `function` is the name of the caller's MPI function, for errors and reports.

#include <mpi.h>

#include <functional>
#include <memory>

#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/classical/calls.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"

namespace rondo::mpi {

/// SMPI's own function, which returns a code.
using Library = std::function<int()>;
/// SMPI's own non-blocking function.
using LibraryBegin = LibraryRequest::Start;
/// SMPI's own functions for one collective. `blocking` runs on the communicator that it is handed.
struct SmpiForms {
  OnComm blocking;
  LibraryBegin non_blocking;
};

/// Carries a collective out. Scans between two groups are refused, because MPI has none.
int blocking_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, Library const& library);
/// Begins a collective, and writes its request. On one group a helper (helpers.hpp) carries out the chosen algorithm,
/// or SMPI's blocking form if none is chosen. This needs arguments that is_usable accepts. With others the rank itself
/// carries out the chosen algorithm, or SMPI's own non-blocking function begins the collective.
int begin_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                     SmpiForms const& library);
/// Makes a request of a collective that is started later, and can be started again. On one group all ranks must call it
/// in the same order. Each start carries the collective out as begin_collective does.
int init_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                    SmpiForms const& library);

/// Makes one of Rondo's requests. Returns null if SMPI's own function has to be used. Throws MpiFailure.
using Make = std::function<std::unique_ptr<RequestOperation>()>;
/// Makes a request and starts it, or calls `library` if `make` returns null.
int begin_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                  LibraryBegin const& library);
/// Makes a persistent request. If `make` returns null, each start calls `library`, SMPI's non-blocking function.
int init_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                 LibraryBegin const& library);

/// Reports, on standard error and to the error handler, that MPI does not have this function for two groups. Returns
/// MPI_ERR_COMM.
int refuse(MPI_Comm comm, char const* function);

}  // namespace rondo::mpi
