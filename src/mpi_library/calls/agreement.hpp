#pragma once

// Lets the ranks of a collective call agree whether it may go on. Without that, a rank with wrong arguments would leave
// the others waiting.

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace rondo::mpi {

/// Computes a number that stands for a sequence of numbers. Two different sequences, such as the same numbers in
/// another order, have the same fingerprint only by chance, with a probability of about 2^-64.
class Fingerprint {
 public:
  void add(std::int64_t number);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// The statement of a rank before a collective call.
struct Vote {
  int code = MPI_SUCCESS;  ///< the error class that the rank has found in its own arguments
  Fingerprint arguments;   ///< of the arguments that must be the same at all ranks
};

/// Collective. Returns the error class that all ranks have to return: the largest one that a rank has found, or
/// MPI_ERR_NOT_SAME if no rank has found an error but their arguments differ. It takes one reduction. Throws MpiFailure
/// if that fails.
int agree(MPI_Comm comm, Vote const& mine);

/// Collective. Returns for each entry of `mine` the largest value that any rank has there. All ranks must pass equally
/// many numbers. Messages with this tag go up a binomial tree to rank 0 and down again. This takes 2 ceil(log2 p)
/// messages one after the other; SMPI's own MPI_Allreduce takes p. Throws MpiFailure.
std::vector<std::int64_t> largest_of_all(std::vector<std::int64_t> mine, MPI_Comm comm, int tag);

}  // namespace rondo::mpi
