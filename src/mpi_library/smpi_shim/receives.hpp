#pragma once

// Messages that end within an element of a derived datatype. MPI delivers the elements that have arrived of MPI's own
// types. SMPI 3.32 delivers whole elements of the derived type only, and loses the rest of the message. Therefore such
// messages are received here as bytes and unpacked afterwards.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// Unpacks data that may end within an element. The buffer may be MPI_BOTTOM. Throws MpiFailure.
void unpack(std::span<std::byte const> data, void* buffer, MPI_Datatype type);

/// The buffer of a receive.
struct Destination {
  void* buffer;
  int count;
  MPI_Datatype type;
};

/// The same memory as bytes, if the data of a message lie in the buffer in one piece. Otherwise the destination itself.
/// Throws MpiFailure.
Destination plain_destination(Destination const& destination);

/// Whether SMPI may lose a part of a message. MPI counts the bytes of a message by an int. Larger messages go to SMPI
/// as they are.
bool needs_unpacking(Destination const& destination);

/// Receives into the buffer that it is handed, and sets the status. Returns an error code.
using Receive = std::function<int(Destination const&, MPI_Status*)>;

/// Receives a message by such a function, and unpacks it where this is needed. Returns an error code.
int receive(Destination const& destination, MPI_Status* status, Receive const& work);

/// Starts a receive into the buffer that it is handed. Returns an error code.
using BeginReceive = std::function<int(Destination const&, MPI_Request*)>;

/// The request of such a receive, which unpacks the message when it is complete. Throws MpiFailure.
std::unique_ptr<RequestOperation> receive_request(Destination const& destination, BeginReceive const& begin);

}  // namespace rondo::mpi
