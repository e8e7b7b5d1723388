#pragma once

// Schedules from files (docs/custom.md) that carry out the collectives of a communicator, after a proof.
// Rank 0 reads a file for all ranks of a communicator, so that no other rank has to see it (SharedFile). prove() and
// FilePromise check the schedule against the promise of the collective that it shall carry out.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi_library/classical/call_memory.hpp"
#include "problem/block_sizes.hpp"
#include "schedule/collective.hpp"
#include "schedule/file/schedule_json.hpp"
#include "schedule/other_root_and_size.hpp"

namespace rondo::mpi {

/// A file as rank 0 has read it; the value is the same at all ranks.
struct SharedFile {
  std::string text;     ///< empty if it is refused
  std::string refusal;  ///< one line that says why; else empty
  int answer = 0;       ///< what `judge` has returned
};

/// A file, the place where it is named, and a communicator of the library's own whose ranks shall know it.
struct FileForAll {
  std::string name, where;
  MPI_Comm comm;
};

/// Collective. Rank 0 reads the file and calls `judge` with its text. If reading or judging throws, the text of the
/// exception is the refusal. Rank 0 prints it on standard error before the other ranks learn of it, because they may
/// end the program. Throws MpiFailure.
SharedFile share_file(FileForAll const& file, std::uint64_t most_bytes,
                      std::function<int(std::string const& text)> const& judge);

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

/// The share of one rank in the schedule for one root. The schedule has a program for this rank only; `held` and `owed`
/// are the contents of its send buffer at the start and of its receive buffer at the end.
struct ScheduleOfRank {
  int root = 0;
  std::shared_ptr<Schedule const> schedule;
  BlocksOfSlots blocks;
  std::vector<Content> held;
  std::vector<Owed> owed;
};

/// What happens if a schedule is for another number of ranks: the choice is an error, or the library's own algorithm is
/// used.
enum class OtherRanks : std::uint8_t { refused, passed_over };

/// A schedule that rank 0 of a communicator has proved. If it cannot be used, all ranks know why, and only refusal()
/// and for_other_ranks() may be called.
class ProvedSchedule {
 public:
  /// Collective. Rank 0 reads and proves the file; the others parse the same text without a proof. Throws MpiFailure.
  ProvedSchedule(FileForAll const& named, ClassicalCollective collective, OtherRanks others);

  /// The reason why it cannot be used on this communicator, in one line; otherwise empty.
  std::string const& refusal() const { return refusal_; }
  /// Whether the reason is that it is for another number of ranks and may be passed over.
  bool for_other_ranks() const { return for_other_ranks_; }

  /// The schedule for this root, which is ignored if the collective has none. The schedules for the last `most_roots`
  /// roots are kept; the reference is valid until that schedule is dropped. Throws InputError if the operator does not
  /// commute and the schedule does not keep the order of ranks.
  ScheduleOfRank const& of(int root, bool commutative);
  /// Whether every block goes directly from its own rank to the rank that is owed it, so that no other rank needs to
  /// know its size.
  bool direct() const;
  /// The sizes of this rank's slots for blocks of these sizes.
  SlotSizes sizes(ScheduleOfRank const& mine, problem::BlockSizes const& sizes) const;

 private:
  /// The bytes of a piece of a block, from the sizes of whole blocks.
  Bytes size(Content const& content, problem::BlockSizes const& sizes) const;
  /// The part of a schedule that Rounds needs: the rank's own program, and its partners.
  std::shared_ptr<Schedule const> only_mine(Schedule const& schedule) const;

  static constexpr std::size_t most_roots = 32;
  std::string refusal_;  ///< empty if the schedule can be used
  bool for_other_ranks_ = false;
  ScheduleFile file_;
  FilePromise promise_;
  Order order_ = Order::any;
  int rank_ = 0;
  std::vector<std::int64_t> ends_;   ///< of the pieces of a block, in the file's sizes
  std::list<ScheduleOfRank> known_;  ///< by root, the one used last in front
};

/// The proved schedules of a communicator, by file and collective.
using ProvedSchedules = std::map<std::pair<std::string, ClassicalCollective>, std::unique_ptr<ProvedSchedule>>;

}  // namespace rondo::mpi
