#pragma once

// How ranks find out by one reduction whether they all give the same sizes of blocks.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.hpp"

namespace rondo::mpi {

/// What a rank says of the sizes of blocks that all ranks should give the same size.
class SaidSizes {
 public:
  explicit SaidSizes(std::size_t blocks);
  std::size_t blocks() const { return largest_.size(); }
  void say(std::size_t block, Bytes size);
  /// What this rank has said, the largest where it has contradicted itself; 0 where nothing.
  std::vector<Bytes> own() const;
  /// Collective: what all say, 0 where nobody does; unset if two differ, or a rank has nothing `right` to say.
  std::optional<std::vector<Bytes>> agreed(MPI_Comm comm, int tag, bool right) const;

 private:
  std::vector<std::int64_t> largest_, opposite_;  ///< size and -size, the largest said
};

}  // namespace rondo::mpi
