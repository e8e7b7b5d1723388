#pragma once

// How functions/write.py's functions of MPI carry out collectives under SMPI: between two groups by Rondo's own, on one
// group by the algorithm that is chosen (mpi_library/classical/choice.hpp), else by SMPI's. Where SMPI's are wrong,
// Rondo's take their place.

#include <mpi.h>

#include <functional>
#include <memory>

#include "mpi_library/calls/library_request.hpp"
#include "mpi_library/calls/requested.hpp"
#include "mpi_library/classical/calls.hpp"

namespace rondo::mpi {

/// SMPI's own function, which returns a code.
using Library = std::function<int()>;
/// SMPI's own non-blocking function.
using LibraryBegin = LibraryRequest::Start;

int blocking_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, Library const& library);
int begin_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                     LibraryBegin const& library);
/// A request that is started later, and again.
int init_collective(char const* function, CollectiveCall const& call, MPI_Comm comm, MPI_Request* request,
                    LibraryBegin const& library);

/// Makes a request of ours, or null: then SMPI's own is used.
using Make = std::function<std::unique_ptr<Requested>()>;
int begin_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                  LibraryBegin const& library);
int init_request(char const* function, MPI_Comm comm, MPI_Request* request, Make const& make,
                 LibraryBegin const& library);

/// Says that MPI does not have the function between two groups. Its error.
int refuse(MPI_Comm comm, char const* function);

}  // namespace rondo::mpi
