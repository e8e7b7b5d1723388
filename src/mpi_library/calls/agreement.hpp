#pragma once

// How the ranks of a collective call agree whether it may go on: a rank whose arguments are wrong would otherwise leave
// the others waiting.

#include <mpi.h>

#include <cstdint>
#include <vector>

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

/// Collective: the error class that all ranks return. It is the largest that a rank has found; if none of the ranks
/// found an error, but their arguments differ, it is MPI_ERR_NOT_SAME.
int agree(MPI_Comm comm, Vote const& mine);

/// Collective: of each number the largest that a rank has, at all ranks, by messages of this tag up a binomial tree to
/// rank 0 and down again: twice ceil(log2 p) of them one after the other, where SMPI's own MPI_Allreduce takes p.
/// Throws MpiFailure.
std::vector<std::int64_t> largest_of_all(std::vector<std::int64_t> mine, MPI_Comm comm, int tag);

}  // namespace rondo::mpi
