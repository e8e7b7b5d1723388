#pragma once

#include <mpi.h>

#include <cstdint>

namespace rondo::mpi {

/// A number that stands for a sequence of numbers: another sequence, or order, has another one but by a chance of
/// 2^-64.
class Fingerprint {
 public:
  void add(std::int64_t number);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// What a rank found in its own arguments of a collective call: an error class, and what they say.
struct Vote {
  int code = MPI_SUCCESS;
  Fingerprint said;
};

/// Collective: the error class that all ranks return. It is the largest of theirs; MPI_ERR_NOT_SAME if none of them
/// found an error but they do not say the same.
int agree(MPI_Comm comm, Vote const& mine);

}  // namespace rondo::mpi
