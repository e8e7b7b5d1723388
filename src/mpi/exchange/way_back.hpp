#pragma once

#include <mpi.h>

namespace rondo::mpi {

/// A wait as long as an acknowledgement is on its way: it is over when the receive is, and the send with it.
struct WayBack {
  MPI_Request send, receive;
};

}  // namespace rondo::mpi
