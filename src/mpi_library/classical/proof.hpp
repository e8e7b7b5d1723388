#pragma once

// Checks a schedule from a file against the promise of the collective that it shall carry out.

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/collective.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::mpi {

/// The promise of a schedule from a file, if it can be one of this collective: the root and the pieces of each block
/// follow from its buffers. If several ranks could be the root, the promise in the file tells which one is.
struct FilePromise {
  Classical whole;           ///< of blocks that are not cut
  std::uint32_t pieces = 1;  ///< of each block
};
FilePromise promise_of(ScheduleFile const& file, ClassicalCollective collective);

/// The promise with its blocks cut into pieces, for an operator that commutes or for one that does not.
Collective collective_of(FilePromise const& promise, Rank root, bool ordered);

/// Whether a schedule joins contributions in the order of ranks.
enum class Order : std::uint8_t { any, of_ranks };
/// Proves the schedule, and tells whether it also keeps the order of ranks. Throws InputError with the first violation.
Order prove(ScheduleFile const& file, FilePromise const& promise, std::string const& name);

}  // namespace rondo::mpi
