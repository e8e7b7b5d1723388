#pragma once

// The executor of schedules on a communicator. MPI programs call it, and the SMPI engine times it.

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

/// The rounds of a rank under way: in each it posts all receives, then all sends, waits for all of them, then does the
/// round's copies (see schedule.hpp). It can be started again and again.
///
/// An active operation is in a round, whose messages are posted; what of them is not complete is `pending`. Where a
/// message fails, or brings more or fewer bytes than were asked for, the operation goes on to its end all the same, so
/// that no other rank waits for this one in vain; but from then on it sends empty messages, for what it would pass on
/// may be wrong, so that those who depend on it are told too.
///
/// How it is waited for is its owner's choice: an owner that has no other operation goes from round to round by
/// wait_for_round(), `Progress` moves several at once.
// Not persistent requests: SMPI reads what a derived datatype sends when the request is made, not when it is started.
class Operation {
 public:
  /// All constructors are local. The messages of an operation have a tag of their own on the communicator, whose ranks
  /// are those of the schedule.
  Operation(Rounds rounds, MPI_Comm comm, int tag);
  /// With payload, see the constructors of Rounds.
  Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag)
      : Operation(Rounds(schedule, rank, std::move(slots)), comm, tag) {}
  /// Without payload: `shared` are the rounds of this rank's program. They and the schedule outlive the operation.
  Operation(Rounds const& shared, Schedule const& schedule, Rank rank, MPI_Comm comm, int tag);
  Operation(Operation const&) = delete;
  Operation& operator=(Operation const&) = delete;

  int rounds() const { return rounds_->last(); }
  bool active() const { return active_; }
  /// The round that the operation is in, while it is active.
  int round() const { return round_; }
  /// The MPI requests of this round's messages; those that are complete are null.
  std::span<MPI_Request const> pending() const { return pending_; }
  /// The first error of the operation as it was last started, or MPI_SUCCESS.
  int failure() const { return failure_; }

  /// `call` is handed each round whose copies are done, from round 0 on, before the next one is posted.
  void on_round_end(std::function<void(int)> call) { round_ended_ = std::move(call); }

  void start();
  /// Goes as far as the messages that have arrived allow, without waiting.
  void test();
  /// Waits for all messages of the round, then enters the next one that has messages.
  void wait_for_round();
  /// The k-th pending message has been found complete by someone else, with this result.
  void completed(std::size_t k, int code, MPI_Status const& status);

 private:
  enum class Way : std::uint8_t { receive, send };

  /// Once the messages of the round are complete: does its copies, and goes on to the next one that has messages.
  void proceed();
  void copy_blocks();
  void post(MessageDescriptor const& message, Way way);
  int request(MessageDescriptor const& message, Way way, MPI_Request& request) const;
  int partner(MessageDescriptor const& message) const;
  void note(int code);
  /// What has become of the k-th message of the round.
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
