#pragma once

// Short messages of integers, by which ranks tell each other what they need to set up later operations.

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace rondo::mpi {

/// A message of integers and who sent it.
struct ShortMessage {
  Rank from;
  std::vector<int> content;
};

/// Messages of integers for ranks that know how many messages they will get, but not in which order.
class ShortMessages {
 public:
  explicit ShortMessages(MPI_Comm comm) : comm_(comm) {}
  ShortMessages(ShortMessages const&) = delete;
  ShortMessages& operator=(ShortMessages const&) = delete;

  /// Begins to send, and does not wait. `content` must not change until sent() returns.
  void post(Rank to, int tag, std::span<int const> content);
  /// Waits until everything that was posted has been sent.
  void sent();
  /// Receives the next `count` messages with this tag, all at once; each has `length` integers.
  std::vector<ShortMessage> collect(std::size_t count, int tag, int length);
  /// Receives the next message with this tag; it has at most `most` integers.
  ShortMessage next(int tag, int most);

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace rondo::mpi
