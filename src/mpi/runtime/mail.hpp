#pragma once

// Short messages of integers, by which ranks tell each other what they need to set up later operations.

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace rondo::mpi {

/// A message of integers and who sent it.
struct Letter {
  Rank from;
  std::vector<int> content;
};

/// Messages of integers to ranks that know how many they get, but not in which order.
class Mail {
 public:
  explicit Mail(MPI_Comm comm) : comm_(comm) {}
  Mail(Mail const&) = delete;
  Mail& operator=(Mail const&) = delete;

  /// Sends without waiting; `content` stays as it is until sent() returns.
  void post(Rank to, int tag, std::span<int const> content);
  /// Waits until all that was posted is sent.
  void sent();
  /// The next `count` letters with this tag, of `length` integers each; received all at once.
  std::vector<Letter> collect(std::size_t count, int tag, int length);
  /// The next letter with this tag, of at most `most` integers.
  Letter next(int tag, int most);

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace rondo::mpi
