// Runs a schedule as the operation of a request. Buffers are read at each start, because a persistent request may be
// started with other contents.

#include "mpi_library/classical/classical_request.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/progress.hpp"

namespace rondo::mpi {
namespace {

/// Whether a (op) b has the bits of b (op) a. Only of two NaNs the one or the other may remain. Other operators that
/// commute do not promise it: the maximum of 0 and -0 may be either.
bool has_same_bits_swapped(MPI_Op op) { return op == MPI_SUM || op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR; }

/// Joins an arriving vector with the present one, before or behind it: MPI_Reduce_local joins its first argument before
/// the second.
Combine combine_by(MPI_Op op) {
  return [op, swaps = has_same_bits_swapped(op)](Slot const& arriving, Slot const& present, Join join) {
    auto const* const in = reinterpret_cast<void*>(arriving.piece.address);  // NOLINT(performance-no-int-to-ptr)
    auto* const into = reinterpret_cast<void*>(present.piece.address);       // NOLINT(performance-no-int-to-ptr)
    if (join == Join::before || swaps)
      return check(MPI_Reduce_local(in, into, present.piece.count, present.piece.type, op));
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
      tag_(home_->next_tag()),
      choices_version_(home_->choices.version()) {}

ClassicalRequest::~ClassicalRequest() {
  if (active()) Progress::of_this_process().forget(*operation_);
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

/// The rounds are made once. They know the buffers by their addresses.
void ClassicalRequest::prepare(MPI_Comm comm) {
  if (!operation_) {
    memory_.emplace(call_, caller_.rank, caller_.ranks);
    Rank const rank(caller_.rank);
    operation_.emplace(Rounds(*schedule_, rank, memory_->table(sizes_), combine_by(call_.op)), comm, tag_);
  }
  memory_->begin();
}

std::size_t ClassicalRequest::bytes() const {
  if (!memory_) return 0;
  std::size_t slots = 0;
  for (Buffer const each : {Buffer::send, Buffer::receive, Buffer::intermediate}) slots += sizes_.slots[each].slots;
  return memory_->bytes() + operation_->bytes() + slots * sizeof(Slot);
}

void ClassicalRequest::begin_another_call() {
  tag_ = home_->next_tag();
  if (operation_) operation_->use_tag(tag_);
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

void ClassicalRequest::carry_out() {
  prepare(home_->messages->handle());
  Progress& progress = Progress::of_this_process();
  progress.start(*operation_);
  progress.wait(*operation_);
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

namespace {

bool is_predefined_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return true;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  return combiner == MPI_COMBINER_NAMED;
}

bool is_predefined_operator(MPI_Op op) {
  MPI_Op const all[] = {MPI_OP_NULL, MPI_SUM,  MPI_MAX, MPI_MIN,  MPI_PROD,   MPI_LAND,  MPI_LOR,
                        MPI_LXOR,    MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  return std::find(std::begin(all), std::end(all), op) != std::end(all);
}

bool may_be_kept(CollectiveCall const& call) {
  return !call.by_counts && is_predefined_operator(call.op) && is_predefined_type(call.send_type) &&
         is_predefined_type(call.receive_type);
}

}  // namespace

ClassicalRequest* RecentCalls::find(CollectiveCall const& call) {
  auto const known = std::ranges::find(calls_, call, &Call::call);
  if (known == calls_.end()) return nullptr;
  if (!known->request->is_still_chosen()) {
    calls_.erase(known);
    return nullptr;
  }
  calls_.splice(calls_.begin(), calls_, known);
  known->request->begin_another_call();
  return known->request.get();
}

void RecentCalls::keep(MPI_Comm comm, CollectiveCall const& call, std::unique_ptr<ClassicalRequest> request) {
  if (request->bytes() > most_bytes || !may_be_kept(call)) return;
  auto known = Attached<RecentCalls>::if_any(comm);
  if (known == nullptr) Attached<RecentCalls>::attach(comm, known = std::make_shared<RecentCalls>());
  known->calls_.push_front({call, std::move(request)});
  known->drop_old();
}

void RecentCalls::drop_old() {
  std::size_t bytes = 0, calls = 0;
  auto each = calls_.begin();
  for (; each != calls_.end() && calls < most_calls; ++each, ++calls) {
    bytes += each->request->bytes();
    if (bytes > most_bytes) break;
  }
  calls_.erase(each, calls_.end());
}

}  // namespace rondo::mpi
