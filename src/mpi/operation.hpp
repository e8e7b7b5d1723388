#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "mpi/local_copy.hpp"
#include "mpi/slots.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The program of a rank with all addresses, datatypes and partners at hand, made once, started again and again. An
/// active operation is in a round, whose messages are posted; what of them is not complete is `pending`.
// Not persistent requests: SMPI reads what a derived datatype sends when the request is made, not when it is started.
class Operation {
 public:
  /// Local. The messages of an operation have a tag of their own on the communicator.
  Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag);
  ~Operation();
  Operation(Operation const&) = delete;
  Operation& operator=(Operation const&) = delete;

  int rounds() const { return static_cast<int>(rounds_.size()) - 1; }
  bool active() const { return active_; }
  std::span<MPI_Request const> pending() const { return pending_; }

  /// All of these throw MpiFailure; the operation is then inactive and of no further use.
  void start();
  /// Goes as far as the messages that have arrived allow, without waiting.
  void test();
  /// Waits for all messages of the round, then enters the next one.
  void wait_for_round();
  /// The k-th pending message has been found complete by someone else.
  void completed(std::size_t k);

 private:
  struct Post {
    Parcel parcel;
    int partner;
  };
  struct Round {
    std::vector<Post> receives, sends;
    std::vector<LocalCopy> copies;
  };

  Parcel parcel(Program const& program, Transfer const& transfer) const;
  /// Does the copies of the round whose messages are complete, and goes on to the next one that has messages.
  void proceed();
  void post(Round const& round);
  /// Throws, and ends the operation, unless the code is MPI_SUCCESS.
  void require(int code);

  SlotTable slots_;
  MPI_Comm comm_;
  int tag_;
  std::vector<Round> rounds_;  ///< round 0 has copies only
  std::size_t round_ = 0;
  std::vector<MPI_Request> pending_;
  bool active_ = false;
};

}  // namespace rondo::mpi
