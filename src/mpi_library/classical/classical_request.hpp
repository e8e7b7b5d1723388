#pragma once

// A classical collective that one of Rondo's schedules carries out, as an operation for which a program may have a
// request. RecentCalls keeps the blocking collectives of a communicator that were called lately, ready to be carried
// out again. A program repeats its calls with the same buffers, and then nothing of a call has to be made anew.

#include <mpi.h>

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/runtime/operation.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/classical/call_memory.hpp"
#include "mpi_library/classical/classical_comm.hpp"
#include "mpi_library/classical/collective_call.hpp"

namespace rondo::mpi {

/// The calling rank, and the number of ranks of the collective.
struct Caller {
  int rank = 0;
  int ranks = 0;
};

/// The operation of one call.
class ClassicalRequest : public RequestOperation {
 public:
  /// The communicator must have its duplicate already. The call's buffers and lists must outlive this object. `sizes`
  /// are those of the rank's slots.
  ClassicalRequest(std::shared_ptr<ClassicalComm> home, std::shared_ptr<Schedule const> schedule, SlotSizes sizes,
                   CollectiveCall const& call, Caller caller);
  ~ClassicalRequest() override;
  ClassicalRequest(ClassicalRequest const&) = delete;
  ClassicalRequest& operator=(ClassicalRequest const&) = delete;

  /// Must be called if the caller may free the call's datatypes before the operation is complete, as MPI allows.
  void keep_types();

  /// Must be called before the operation is started for another call with the same arguments. A request that is started
  /// again keeps its tag.
  void begin_another_call();
  /// Whether the same call would be carried out in this way now. Looks at the environment.
  bool is_still_chosen() const { return home_->choices.look_for_version() == choices_version_; }
  /// The memory that it keeps beside the buffers of the call.
  std::size_t bytes() const;

  /// Carries the operation out at once, on another communicator of as many ranks, of which the caller is the same one.
  /// Throws MpiFailure.
  void carry_out_on(MPI_Comm comm);

  /// The same on the communicator of the call.
  void carry_out();

  /// Starts the operation, and reads the buffers anew.
  void start() override;
  bool active() const override { return operation_ && operation_->active(); }
  void wait() override;
  void finish() override;
  std::shared_ptr<MPI_Comm const> comm() const override { return {home_, &home_->carrier}; }

 private:
  MPI_Datatype duplicate_type(MPI_Datatype type);
  void prepare(MPI_Comm comm);

  std::shared_ptr<ClassicalComm> home_;
  std::shared_ptr<Schedule const> schedule_;
  SlotSizes sizes_;
  CollectiveCall call_;
  Caller caller_;
  int tag_;
  int choices_version_;              ///< when the algorithm or the schedule was chosen
  std::vector<MPI_Datatype> types_;  ///< to be freed
  std::optional<CallMemory> memory_;
  std::optional<Operation> operation_;
};

/// Carried by the caller's communicator (calls/attached.hpp).
class RecentCalls {
 public:
  /// The operation for a call with exactly these arguments, with a new tag, if all choices are still the same; null if
  /// there is none. It stays here until forget() or the next keep().
  ClassicalRequest* find(CollectiveCall const& call);
  /// To be called if the operation that was found last has failed.
  void forget() { calls_.pop_front(); }
  /// Keeps the operation of a call that has been carried out, or forgets it: if it has much memory, if the call has
  /// lists of counts, which may change, or if a datatype or the operator is the program's own, whose handle may be used
  /// again for another one.
  static void keep(MPI_Comm comm, CollectiveCall const& call, std::unique_ptr<ClassicalRequest> request);

 private:
#ifdef SMPI_H
  static constexpr std::size_t most_bytes = std::size_t{64} << 10;  // all ranks are in one process
#else
  static constexpr std::size_t most_bytes = std::size_t{4} << 20;
#endif
  static constexpr std::size_t most_calls = 8;
  struct Call {
    CollectiveCall call;
    std::unique_ptr<ClassicalRequest> request;
  };
  void drop_old();

  std::list<Call> calls_;  ///< the one that was found or kept last comes first
};

}  // namespace rondo::mpi
