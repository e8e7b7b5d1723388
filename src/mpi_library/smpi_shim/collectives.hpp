#pragma once

// How the functions of MPI that functions/write.py generates carry out collectives under SMPI: between two groups by
// Rondo; on one group by the chosen algorithm (mpi_library/classical/choice.hpp), otherwise by SMPI. Rondo's own
// functions take the place of those of SMPI that are wrong.

#include <mpi.h>

#include <functional>
#include <memory>

#include "mpi_library/calls/library_request.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/classical/calls.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"

namespace rondo::mpi {

/// SMPI's own function, which returns a code.
using Library = std::function<int()>;
/// SMPI's own non-blocking function.
using LibraryBegin = LibraryRequest::Start;
/// Both, of one collective.
struct SmpiForms {
  OnComm blocking;
  LibraryBegin non_blocking;
};

int blocking_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, Library const& library);
/// Without a chosen algorithm, a helper carries the blocking form out (helpers.hpp).
int begin_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                     SmpiForms const& library);
/// A request that is started later, and can be started again.
int init_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                    SmpiForms const& library);

/// Makes one of Rondo's requests, or returns null; then SMPI's own function is used.
using Make = std::function<std::unique_ptr<RequestOperation>()>;
int begin_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                  LibraryBegin const& library);
int init_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                 LibraryBegin const& library);

/// Reports that MPI does not have this function for two groups. Returns the error.
int refuse(MPI_Comm comm, char const* function);

}  // namespace rondo::mpi
