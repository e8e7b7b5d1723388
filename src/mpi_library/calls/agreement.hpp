#pragma once

// Lets the ranks of a collective call agree whether it may go on. Without that, a rank with wrong arguments would
// leave the others waiting.
// StatedSizes lets ranks find out by a single reduction whether all of them state the same sizes of blocks.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"

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

/// The sizes of blocks that a rank states and that should be the same at all ranks.
class StatedSizes {
 public:
  explicit StatedSizes(std::size_t blocks);
  std::size_t blocks() const { return largest_.size(); }
  void state(std::size_t block, Bytes size);
  /// The sizes that this rank has stated: the largest one if it has contradicted itself, 0 if it has stated none.
  std::vector<Bytes> own() const;
  /// Collective. The sizes that all ranks state, with 0 where no rank states one. Unset if two ranks differ, or if a
  /// rank is not `right`.
  std::optional<std::vector<Bytes>> agreed(MPI_Comm comm, int tag, bool right) const;

 private:
  std::vector<std::int64_t> largest_, opposite_;  ///< the largest size and the largest -size that were stated
};

}  // namespace rondo::mpi
