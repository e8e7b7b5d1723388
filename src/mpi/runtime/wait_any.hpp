#pragma once

// MPI_Waitany in the form that the library needs, and a workaround for a defect of SimGrid 3.32.

#include <mpi.h>

#include <cstddef>
#include <span>

namespace rondo::mpi {

/// MPI_Waitany over requests, some of which may be null, but not all. Returns the index of the request that has
/// completed, and makes it null. Throws MpiFailure.
std::size_t wait_any(std::span<MPI_Request> requests, MPI_Status* status);

/// Must be called before the MPI library's MPI_Waitany, MPI_Waitsome and MPI_Testany. If a call of SimGrid 3.32 ends by
/// an exception, as waiting for a cancelled request does inside, it leaves a pointer to its own stack frame behind. Of
/// all calls only these read this pointer before they replace it, and they crash if the stack has been overwritten.
/// This function clears it and takes no simulated time.
void clear_stale_call();

}  // namespace rondo::mpi
