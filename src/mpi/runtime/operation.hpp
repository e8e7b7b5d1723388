#pragma once

// The executor of schedules on a communicator. MPI programs call it, and the SMPI engine measures its time.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mpi/runtime/rounds.hpp"

namespace rondo::mpi {

/// The rounds of one rank while they run. In each round it posts all receives, then all sends, waits for all of them,
/// and then does the copies of the round (see schedule.hpp). An operation can be started again and again.
///
/// An active operation is in a round whose messages are posted; `pending` are those that are not complete. If a message
/// fails, or has another size than expected, the operation still goes on to its end, so that no other rank waits in
/// vain. But from then on it sends empty messages, because data that it would pass on may be wrong, and because the
/// ranks that depend on it must notice.
///
/// The owner chooses how to wait. An owner with a single operation goes from round to round by wait_for_round();
/// `Progress` moves several operations at once.
class Operation {
 public:
  /// All constructors are local. The messages of an operation have a tag of their own on the communicator, whose ranks
  /// are those of the schedule.
  Operation(Rounds rounds, MPI_Comm comm, int tag);
  /// With payload; see the constructors of Rounds.
  Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag)
      : Operation(Rounds(schedule, rank, std::move(slots)), comm, tag) {}
  /// Without payload. `shared` are the rounds of this rank's program; they and the schedule must outlive the operation.
  Operation(Rounds const& shared, Schedule const& schedule, Rank rank, MPI_Comm comm, int tag);
  Operation(Operation const&) = delete;
  Operation& operator=(Operation const&) = delete;

  int rounds() const { return rounds_->last(); }
  bool active() const { return active_; }
  /// The round that the operation is in, while it is active.
  int round() const { return round_; }
  /// The MPI requests for the messages of this round; those of complete messages are null.
  std::span<MPI_Request const> pending() const { return pending_; }
  /// The first error since the operation was last started, or MPI_SUCCESS.
  int failure() const { return failure_; }

  /// `call` gets the number of each round whose copies are done, from round 0 on, before the next round is posted.
  void on_round_end(std::function<void(int)> call) { round_ended_ = std::move(call); }

  /// While it is not active.
  void use_tag(int tag) { tag_ = tag; }
  /// The memory that the rounds take.
  std::size_t bytes() const { return rounds_->bytes(); }

  void start();
  /// Goes as far as the arrived messages allow, without waiting.
  void test();
  /// Waits for all messages of the round, then enters the next round that has messages.
  void wait_for_round();
  /// Reports that somebody else has found the k-th pending message complete, with this result.
  void completed(std::size_t k, int code, MPI_Status const& status);

 private:
  /// Receives come first in the lists of a round.
  enum class Direction : std::uint8_t { receive, send };

  /// When the messages of the round are complete: does its copies, and enters the next round that has messages.
  void proceed();
  void copy_blocks();
  void post(MessageDescriptor const& message, Direction direction);
  int request(MessageDescriptor const& message, Direction direction, MPI_Request& request) const;
  int partner(MessageDescriptor const& message) const;
  void note(int code);
  /// Notes the result of the k-th message of the round.
  void note(std::size_t k, int code, MPI_Status const& status);

  std::unique_ptr<Rounds const> own_;  ///< null without payload
  Rounds const* rounds_;
  Schedule const* schedule_ = nullptr;  ///< by which partners are told; null: they are ranks
  Rank rank_{};
  MPI_Comm comm_;
  int tag_;
  int round_ = 0;
  RoundMessages messages_;            ///< the messages of the current round
  std::vector<MPI_Request> pending_;  ///< one for each of messages_
  std::size_t open_ = 0;              ///< how many of them are not complete
  int failure_ = MPI_SUCCESS;
  bool active_ = false;
  std::function<void(int)> round_ended_;
};

}  // namespace rondo::mpi
