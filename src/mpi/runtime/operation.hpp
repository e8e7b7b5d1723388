#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/runtime/local_copy.hpp"
#include "mpi/runtime/slots.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// A message to or from `partner` of what lies in a slot.
struct Message {
  int partner = 0;
  Slot slot;
};

/// What a rank does in a single round, copies to itself first.
struct SingleRound {
  struct SelfCopy {
    Slot from, into;
  };
  std::vector<Message> receives, sends;
  std::vector<SelfCopy> copies;  ///< as many bytes on both sides
};

/// The program of a rank with all addresses, datatypes and partners at hand, made once, started again and again. An
/// active operation is in a round, whose messages are posted; what of them is not complete is `pending`. Where a
/// message fails, or brings more or fewer bytes than were asked for, the operation goes on to its end all the same, so
/// that no other rank waits for this one in vain; but from then on it sends empty messages, for what it would pass on
/// may be wrong, so that those who depend on it are told too.
// Not persistent requests: SMPI reads what a derived datatype sends when the request is made, not when it is started.
class Operation {
 public:
  /// Local. The messages of an operation have a tag of their own on the communicator. A copy between slots of different
  /// sizes is not made; the operation fails with MPI_ERR_TRUNCATE.
  Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag);
  /// The same. Throws MpiFailure for a copy whose datatypes cannot be copied.
  Operation(SingleRound const& round, MPI_Comm comm, int tag);
  ~Operation();
  Operation(Operation const&) = delete;
  Operation& operator=(Operation const&) = delete;

  int rounds() const { return static_cast<int>(rounds_.size()) - 1; }
  bool active() const { return active_; }
  std::span<MPI_Request const> pending() const { return pending_; }
  /// The first error of the operation as it was last started, or MPI_SUCCESS.
  int failure() const { return failure_; }

  void start();
  /// Goes as far as the messages that have arrived allow, without waiting.
  void test();
  /// Waits for all messages of the round, then enters the next one.
  void wait_for_round();
  /// The k-th pending message has been found complete by someone else, with this result.
  void completed(std::size_t k, int code, MPI_Status const& status);

 private:
  struct Post {
    MessageDescriptor descriptor;
    int partner;
    std::int64_t bytes;
  };
  struct Round {
    std::vector<Post> receives, sends;
    std::vector<LocalCopy> copies;
  };

  MessageDescriptor descriptor(Program const& program, Transfer const& transfer) const;
  std::int64_t bytes(Program const& program, Transfer const& transfer) const;
  /// Does the copies of the round whose messages are complete, and goes on to the next one that has messages.
  void proceed();
  void copy_blocks();
  void post(Round const& round);
  template <typename Function>
  void post(Post const& each, Function function, std::int64_t expected);
  void note(int code);
  /// What has become of a message that brings `expected` bytes, or of one that was sent.
  void note(int code, MPI_Status const& status, std::int64_t expected);

  SlotTable slots_;
  MPI_Comm comm_;
  int tag_;
  std::vector<Round> rounds_;  ///< round 0 has copies only
  std::size_t round_ = 0;
  std::vector<MPI_Request> pending_;
  std::vector<std::int64_t> expected_;  ///< of each pending message the bytes to be received; negative: it is sent
  int copies_failure_ = MPI_SUCCESS;    ///< of what cannot be copied whenever it is started
  int failure_ = MPI_SUCCESS;
  bool active_ = false;
};

}  // namespace rondo::mpi
