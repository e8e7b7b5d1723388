#pragma once

// A schedule from a file, held against the promise of the collective that it is to carry out.

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/collective.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::mpi {

/// What a schedule from a file promises if it is one of the collective: the root and the pieces of each block are found
/// in its buffers. If several ranks might be the root, the promise in the file says which one it is.
struct FilePromise {
  Classical whole;           ///< of blocks that are not cut
  std::uint32_t pieces = 1;  ///< of each block
};
FilePromise promise_of(ScheduleFile const& file, ClassicalCollective collective);

/// The promise with its blocks cut, for an operator that commutes or not.
Collective collective_of(FilePromise const& promise, Rank root, bool ordered);

enum class Order : std::uint8_t { any, of_ranks };
/// Proves the schedule, and says whether it also keeps the order of ranks. Throws InputError with the first violation.
Order prove(ScheduleFile const& file, FilePromise const& promise, std::string const& name);

}  // namespace rondo::mpi
