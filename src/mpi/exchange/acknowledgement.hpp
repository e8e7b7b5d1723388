#pragma once

// The acknowledgement of a synchronous send as a message, for an MPI that ends such a send too early.

#include <mpi.h>

namespace rondo::mpi {

/// Two requests that together last as long as an acknowledgement is on its way: the receive ends when it arrives, and
/// then the send ends too.
struct Acknowledgement {
  MPI_Request send, receive;
};

}  // namespace rondo::mpi
