#pragma once

// MPI_Waitany in the form that the library needs, and a workaround for a defect of SimGrid 3.32.

#include <mpi.h>

#include <cstddef>
#include <span>

namespace rondo::mpi {

/// MPI_Waitany over requests that may be null, of which some are not: the index of the one that has completed, which is
/// null then. Throws MpiFailure.
std::size_t wait_any(std::span<MPI_Request> requests, MPI_Status* status);

/// To be called before the MPI library's MPI_Waitany. A call of SimGrid 3.32 that ends by an exception, as waiting for
/// a cancelled request does inside, leaves behind a pointer to its own stack frame; of all calls only MPI_Waitany and
/// MPI_Testany look at it before they replace it, and crash where the stack has been overwritten. This clears it, and
/// takes no simulated time.
void forget_the_last_call();

}  // namespace rondo::mpi
