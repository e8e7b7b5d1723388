#pragma once

// Schedules from files (docs/custom.md) that carry out the collectives of a communicator, after a proof.

#include <mpi.h>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mpi_library/classical/proof.hpp"
#include "mpi_library/classical/shared_file.hpp"
#include "mpi_library/classical/slot_sizes.hpp"
#include "problem/block_sizes.hpp"
#include "schedule/same_size.hpp"

namespace rondo::mpi {

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
