#include "mpi/runtime/operation.hpp"

#include <limits>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

constexpr std::int64_t sent = -1;

/// Whether a receive brought as many bytes as were asked for. Past 2^31-1 bytes MPI does not tell.
bool brought(MPI_Status const& status, std::int64_t expected) {
  int bytes = 0;
  return MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED || bytes == expected ||
         expected > std::numeric_limits<int>::max();
}

}  // namespace

Operation::Operation(Schedule const& schedule, Rank rank, SlotTable slots, MPI_Comm comm, int tag)
    : slots_(std::move(slots)), comm_(comm), tag_(tag) {
  Program const& program = schedule.program(rank);
  for (int round = 0; round <= program.rounds(); ++round) {
    Round& made = rounds_.emplace_back();
    auto const post = [&](Transfer const& transfer) {
      return Post{descriptor(program, transfer), schedule.peer(rank, transfer).value, bytes(program, transfer)};
    };
    for (Transfer const& transfer : program.receives(round)) made.receives.push_back(post(transfer));
    for (Transfer const& transfer : program.sends(round)) made.sends.push_back(post(transfer));
    for (Copy const& copy : program.copies(round)) {
      if (slots_[copy.from].bytes == slots_[copy.into].bytes)
        made.copies.emplace_back(slots_[copy.from], slots_[copy.into]);
      else
        copies_failure_ = MPI_ERR_TRUNCATE;
    }
  }
}

Operation::Operation(SingleRound const& round, MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {
  auto const post = [](Message const& message) {
    return Post{descriptor_of(message.slot.piece), message.partner, message.slot.bytes.value};
  };
  Round& local = rounds_.emplace_back();
  for (auto const& [from, into] : round.copies) local.copies.emplace_back(from, into);
  if (round.receives.empty() && round.sends.empty()) return;
  Round& made = rounds_.emplace_back();
  for (Message const& message : round.receives) made.receives.push_back(post(message));
  for (Message const& message : round.sends) made.sends.push_back(post(message));
}

Operation::~Operation() {
  for (Round& round : rounds_) {
    for (Post& each : round.receives) release(each.descriptor);
    for (Post& each : round.sends) release(each.descriptor);
  }
}

MessageDescriptor Operation::descriptor(Program const& program, Transfer const& transfer) const {
  std::vector<Piece> pieces;
  for (Place const place : program.places(transfer)) {
    if (slots_[place].bytes.value > 0) pieces.push_back(slots_[place].piece);
  }
  return descriptor_of(pieces);
}

std::int64_t Operation::bytes(Program const& program, Transfer const& transfer) const {
  std::int64_t total = 0;
  for (Place const place : program.places(transfer)) total += slots_[place].bytes.value;
  return total;
}

void Operation::start() {
  round_ = 0;
  failure_ = copies_failure_;
  active_ = true;
  proceed();
}

void Operation::proceed() {
  while (active_ && pending_.empty()) {
    copy_blocks();
    if (++round_ == rounds_.size()) {
      active_ = false;
      return;
    }
    post(rounds_[round_]);
  }
}

void Operation::copy_blocks() {
  try {
    for (LocalCopy& copy : rounds_[round_].copies) copy.run();
  } catch (MpiFailure const& failure) {
    note(failure.code());
  }
}

void Operation::post(Round const& round) {
  for (Post const& each : round.receives) post(each, &MPI_Irecv, each.bytes);
  bool const passes_on = round_ > 1;
  for (Post const& each : round.sends) {
    if (passes_on && failure_ != MPI_SUCCESS)
      post({{}, each.partner, 0}, &MPI_Isend, sent);
    else
      post(each, each.descriptor.synchronous ? &MPI_Issend : &MPI_Isend, sent);
  }
}

template <typename Function>
void Operation::post(Post const& each, Function function, std::int64_t expected) {
  MPI_Request request = MPI_REQUEST_NULL;
  MessageDescriptor const& descriptor = each.descriptor;
  int const code = function(descriptor.address, descriptor.count, descriptor.type, each.partner, tag_, comm_, &request);
  if (code != MPI_SUCCESS) {
    // The partner waits for a message, or for one to be taken.
    note(code);
    if (function(nullptr, 0, MPI_BYTE, each.partner, tag_, comm_, &request) != MPI_SUCCESS) return;
  }
  pending_.push_back(request);
  expected_.push_back(expected);
}

void Operation::note(int code) {
  if (failure_ == MPI_SUCCESS) failure_ = code;
}

void Operation::note(int code, MPI_Status const& status, std::int64_t expected) {
  note(code);
  // Where one of several messages is too long, SMPI says so here alone. Other libraries leave this as it was made:
  // MPI_SUCCESS.
  if (expected != sent) note(status.MPI_ERROR);
  if (code == MPI_SUCCESS && expected != sent && !brought(status, expected)) note(MPI_ERR_TRUNCATE);
}

void Operation::test() {
  while (active_) {
    std::vector<MPI_Status> statuses(pending_.size());
    int complete = 0;
    int const code = PMPI_Testall(static_cast<int>(pending_.size()), pending_.data(), &complete, statuses.data());
    // After an error MPI may have completed some of them.
    if (code != MPI_SUCCESS) {
      note(code);
      wait_for_round();
      continue;
    }
    if (complete == 0) return;
    for (std::size_t k = 0; k < pending_.size(); ++k) note(MPI_SUCCESS, statuses[k], expected_[k]);
    pending_.clear();
    expected_.clear();
    proceed();
  }
}

void Operation::wait_for_round() {
  for (std::size_t k = 0; k < pending_.size(); ++k) {
    bool const open = pending_[k] != MPI_REQUEST_NULL;
    MPI_Status status{};
    int const code = PMPI_Wait(&pending_[k], &status);
    if (open) note(code, status, expected_[k]);
  }
  pending_.clear();
  expected_.clear();
  proceed();
}

void Operation::completed(std::size_t k, int code, MPI_Status const& status) {
  note(code, status, expected_[k]);
  std::swap(pending_[k], pending_.back());
  std::swap(expected_[k], expected_.back());
  pending_.pop_back();
  expected_.pop_back();
  proceed();
}

}  // namespace rondo::mpi
