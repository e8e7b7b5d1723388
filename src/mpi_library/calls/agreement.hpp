#pragma once

// Agreement among the ranks of a collective call whether it may go on. Without it, a rank with wrong arguments would
// leave the others waiting.

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace rondo::mpi {

/// A number that stands for a sequence of numbers. Two different sequences, or orders, have the same number only with a
/// chance of 2^-64.
class Fingerprint {
 public:
  void add(std::int64_t number);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// What a rank states before a collective call: the error class that it has found in its own arguments, and a
/// fingerprint of these.
struct Vote {
  int code = MPI_SUCCESS;
  Fingerprint arguments;
};

/// Collective. Returns the error class that all ranks have to return: the largest one that a rank has found. If no rank
/// has found an error, but their arguments differ, it is MPI_ERR_NOT_SAME.
int agree(MPI_Comm comm, Vote const& mine);

/// Collective. For each number, the largest that any rank has; the result is the same at all ranks. Messages with this
/// tag go up a binomial tree to rank 0 and down again, which takes twice ceil(log2 p) messages one after the other,
/// whereas SMPI's own MPI_Allreduce takes p. Throws MpiFailure.
std::vector<std::int64_t> largest_of_all(std::vector<std::int64_t> mine, MPI_Comm comm, int tag);

}  // namespace rondo::mpi
