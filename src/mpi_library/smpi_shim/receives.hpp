#pragma once

// Receives messages that end within an element of a derived datatype. MPI delivers the part of the element that has
// arrived. SMPI 3.32 delivers only whole elements of the derived type, and loses the rest of the message. Therefore
// messages of such types are received here as bytes and unpacked afterwards.

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "mpi_library/calls/request_operation.hpp"

namespace rondo::mpi {

/// Unpacks data that may end within an element. The type must not be empty unless there are no data. The buffer may be
/// MPI_BOTTOM. Throws MpiFailure.
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

/// Tells whether SMPI may lose a part of a message: whether its type is derived. False for a message with more bytes
/// than an int can count, which goes to SMPI as it is.
bool needs_unpacking(Destination const& destination);

/// Receives into the buffer that it is handed, and sets the status. Returns an error code.
using Receive = std::function<int(Destination const&, MPI_Status*)>;

/// Calls `work` to receive a message, with the destination or with memory for its bytes, and unpacks them. Nothing is
/// unpacked after an error. The error code of the status stays. Returns an error code.
int receive(Destination const& destination, MPI_Status* status, Receive const& work);

/// Starts a receive into the buffer that it is handed. Returns an error code.
using BeginReceive = std::function<int(Destination const&, MPI_Request*)>;

/// Makes the request of a receive that unpacks the message when it is complete. Call it only if needs_unpacking. Throws
/// MpiFailure.
std::unique_ptr<RequestOperation> receive_request(Destination const& destination, BeginReceive const& begin);

}  // namespace rondo::mpi
