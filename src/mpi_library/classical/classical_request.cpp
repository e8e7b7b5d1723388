// Runs a schedule as the operation of a request. Buffers are read at each start, because a persistent request may be
// started with other contents.

#include "mpi_library/classical/classical_request.hpp"

#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/local_copy.hpp"
#include "mpi_library/calls/progress.hpp"

namespace rondo::mpi {
namespace {

/// Joins an arriving vector with the present one, before or behind it: MPI_Reduce_local joins its first argument before
/// the second.
Combine combine_by(MPI_Op op) {
  return [op](Slot const& arriving, Slot const& present, Join join) {
    auto const* const in = reinterpret_cast<void*>(arriving.piece.address);  // NOLINT(performance-no-int-to-ptr)
    auto* const into = reinterpret_cast<void*>(present.piece.address);       // NOLINT(performance-no-int-to-ptr)
    if (join == Join::before) return check(MPI_Reduce_local(in, into, present.piece.count, present.piece.type, op));
    check(MPI_Reduce_local(into, const_cast<void*>(in), present.piece.count, present.piece.type, op));
    LocalCopy(arriving, present).run();
  };
}

}  // namespace

ClassicalRequest::ClassicalRequest(std::shared_ptr<ClassicalComm> home, std::shared_ptr<Schedule const> schedule,
                                   SlotSizes sizes, CollectiveCall const& call, Caller caller)
    : home_(std::move(home)),
      schedule_(std::move(schedule)),
      sizes_(std::move(sizes)),
      call_(call),
      caller_(caller),
      tag_(home_->next_tag()) {}

ClassicalRequest::~ClassicalRequest() {
  if (operation_) Progress::of_this_process().forget(*operation_);
  for (MPI_Datatype& type : types_) MPI_Type_free(&type);
}

/// Keeps a datatype alive after its user has freed it, by making it a part of another one. A duplicate would not do,
/// because operators know datatypes by their handles. Predefined types cannot be freed. SMPI 3.32 loses the parts of a
/// datatype when the user frees them, so that there is no way to keep them.
MPI_Datatype ClassicalRequest::duplicate_type(MPI_Datatype type) {
#ifdef SMPI_H
  return type;
#else
  if (type == MPI_DATATYPE_NULL) return type;
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner));
  if (combiner == MPI_COMBINER_NAMED) return type;
  MPI_Datatype around = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(1, type, &around));
  types_.push_back(around);
  return type;
#endif
}

void ClassicalRequest::keep_types() {
  call_.send_type = duplicate_type(call_.send_type);
  call_.receive_type = duplicate_type(call_.receive_type);
}

/// Makes the rounds of this call; addresses are part of them.
void ClassicalRequest::prepare(MPI_Comm comm) {
  operation_.reset();
  memory_.emplace(call_, caller_.rank, caller_.ranks);
  Rank const rank(caller_.rank);
  operation_.emplace(Rounds(*schedule_, rank, memory_->table(sizes_), combine_by(call_.op)), comm, tag_);
}

/// Runs the operation to its end on another communicator, for a call that blocks.
void ClassicalRequest::carry_out_on(MPI_Comm comm) {
  prepare(comm);
  operation_->start();
  while (operation_->active()) operation_->wait_for_round();
  int const failure = operation_->failure();
  operation_.reset();
  check(failure);
  memory_->finish();
}

void ClassicalRequest::start() {
  prepare(home_->messages->handle());
  Progress::of_this_process().start(*operation_);
}

void ClassicalRequest::wait() { Progress::of_this_process().wait(*operation_); }

void ClassicalRequest::finish() {
  check(operation_->failure());
  memory_->finish();
}

}  // namespace rondo::mpi
