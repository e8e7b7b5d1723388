#include "mpi/operation.hpp"

#include <utility>

#include "mpi/failure.hpp"

namespace rondo::mpi {

Operation::Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag)
    : slots_(std::move(slots)), comm_(comm), tag_(tag) {
  Program const& program = schedule.program(rank);
  for (int round = 0; round <= program.rounds(); ++round) {
    Round& made = rounds_.emplace_back();
    auto const post = [&](Transfer const& transfer) {
      return Post{parcel(program, transfer), schedule.peer(rank, transfer).value};
    };
    for (Transfer const& transfer : program.receives(round)) made.receives.push_back(post(transfer));
    for (Transfer const& transfer : program.sends(round)) made.sends.push_back(post(transfer));
    for (Copy const& copy : program.copies(round)) made.copies.emplace_back(slots_[copy.from], slots_[copy.into]);
  }
}

Operation::~Operation() {
  for (Round& round : rounds_) {
    for (Post& each : round.receives) release(each.parcel);
    for (Post& each : round.sends) release(each.parcel);
  }
}

Parcel Operation::parcel(Program const& program, Transfer const& transfer) const {
  std::vector<Piece> pieces;
  for (Place const place : program.places(transfer)) {
    if (slots_[place].bytes.value > 0) pieces.push_back(slots_[place].piece);
  }
  return parcel_of(pieces);
}

void Operation::start() {
  round_ = 0;
  active_ = true;
  proceed();
}

void Operation::proceed() {
  while (active_ && pending_.empty()) {
    for (LocalCopy& copy : rounds_[round_].copies) copy.run();
    if (++round_ == rounds_.size()) {
      active_ = false;
      return;
    }
    post(rounds_[round_]);
  }
}

void Operation::post(Round const& round) {
  for (auto const& [parcel, source] : round.receives) {
    MPI_Request& request = pending_.emplace_back(MPI_REQUEST_NULL);
    require(MPI_Irecv(parcel.address, parcel.count, parcel.type, source, tag_, comm_, &request));
  }
  for (auto const& [parcel, target] : round.sends) {
    MPI_Request& request = pending_.emplace_back(MPI_REQUEST_NULL);
    auto const send = parcel.synchronous ? &MPI_Issend : &MPI_Isend;
    require(send(parcel.address, parcel.count, parcel.type, target, tag_, comm_, &request));
  }
}

void Operation::require(int code) {
  if (code != MPI_SUCCESS) active_ = false;
  check(code);
}

void Operation::test() {
  while (active_) {
    int complete = 0;
    require(MPI_Testall(static_cast<int>(pending_.size()), pending_.data(), &complete, MPI_STATUSES_IGNORE));
    if (complete == 0) return;
    pending_.clear();
    proceed();
  }
}

void Operation::wait_for_round() {
  for (MPI_Request& request : pending_) require(MPI_Wait(&request, MPI_STATUS_IGNORE));
  pending_.clear();
  proceed();
}

void Operation::completed(std::size_t k) {
  std::swap(pending_[k], pending_.back());
  pending_.pop_back();
  proceed();
}

}  // namespace rondo::mpi
