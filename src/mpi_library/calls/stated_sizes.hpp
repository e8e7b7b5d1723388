#pragma once

// Lets ranks find out by a single reduction whether all of them state the same sizes of blocks.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"

namespace rondo::mpi {

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
