// Runs a schedule round by round: receives are posted before sends, and the next round begins when all requests have
// completed. An error does not stop the operation, because partners would wait for ever; it is reported at the end.

#include "mpi/runtime/operation.hpp"

#include <limits>
#include <utility>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

constexpr MPI_Count most_counted = std::numeric_limits<int>::max();

/// Whether a receive brought the expected number of bytes. Past 2^31-1 bytes MPI does not tell, and the answer is yes.
bool brought(MPI_Status const& status, MPI_Count expected) {
  int bytes = 0;
  return MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes == MPI_UNDEFINED || bytes == expected ||
         expected > most_counted;
}

}  // namespace

Operation::Operation(Rounds rounds, MPI_Comm comm, int tag)
    : own_(std::make_unique<Rounds const>(std::move(rounds))), rounds_(own_.get()), comm_(comm), tag_(tag) {}

Operation::Operation(Rounds const& shared, Schedule const& schedule, Rank rank, MPI_Comm comm, int tag)
    : rounds_(&shared), schedule_(&schedule), rank_(rank), comm_(comm), tag_(tag) {}

/// Begins the first round.
void Operation::start() {
  round_ = 0;
  failure_ = rounds_->copies_failure();
  active_ = true;
  proceed();
}

/// Goes on through rounds as long as nothing has to be awaited.
void Operation::proceed() {
  while (active_ && open_ == 0) {
    copy_blocks();
    if (round_ended_) round_ended_(round_);
    pending_.clear();
    if (round_ == rounds_->last()) {
      active_ = false;
      return;
    }
    messages_ = rounds_->messages(++round_);
    for (MessageDescriptor const& message : messages_.all) {
      post(message, pending_.size() < messages_.receives ? Direction::receive : Direction::send);
    }
  }
}

/// The local copies at the end of a round.
void Operation::copy_blocks() {
  try {
    for (LocalCopy const& copy : rounds_->copies(round_)) copy.run();
  } catch (MpiFailure const& failure) {
    note(failure.code());
  }
}

/// Posts a message. After an error, what would pass on wrong data is sent empty.
void Operation::post(MessageDescriptor const& message, Direction direction) {
  MessageDescriptor const empty{nullptr, MPI_BYTE, 0, message.partner};
  bool const passes_on = direction == Direction::send && round_ > 1;
  MPI_Request& made = pending_.emplace_back(MPI_REQUEST_NULL);
  int const code = request(passes_on && failure_ != MPI_SUCCESS ? empty : message, direction, made);
  if (code != MPI_SUCCESS) {
    // The partner waits for a message, or waits for its message to be received, so an empty one is posted
    // instead.
    note(code);
    if (request(empty, direction, made) != MPI_SUCCESS) made = MPI_REQUEST_NULL;
  }
  if (made != MPI_REQUEST_NULL) ++open_;
}

/// Calls MPI_Isend or MPI_Irecv.
int Operation::request(MessageDescriptor const& message, Direction direction, MPI_Request& request) const {
  auto const [address, type, count, unused] = message;
  int const rank = partner(message);
  if (direction == Direction::receive) return MPI_Irecv(address, count, type, rank, tag_, comm_, &request);
#ifdef SMPI_H
  // SMPI compares sizes with its threshold for eager sends as 32-bit integers. From 2^31 bytes on they may look
  // negative, so SMPI would send eagerly and copy the message. Large messages are therefore sent synchronously.
  auto const send = message.bytes() > most_counted ? &MPI_Issend : &MPI_Isend;
#else
  auto const send = &MPI_Isend;
#endif
  return send(address, count, type, rank, tag_, comm_, &request);
}

int Operation::partner(MessageDescriptor const& message) const {
  return schedule_ == nullptr ? message.partner : schedule_->peer(rank_, {message.partner, 0, 0}).value;
}

void Operation::note(int code) {
  if (failure_ == MPI_SUCCESS) failure_ = code;
}

/// Notes the error of a request.
void Operation::note(std::size_t k, int code, MPI_Status const& status) {
  note(code);
  if (k >= messages_.receives) return;
  // If one of several messages is too long, SMPI says so only here. Other libraries leave this field at its initial
  // value, MPI_SUCCESS.
  note(status.MPI_ERROR);
  if (code == MPI_SUCCESS && !brought(status, messages_.all[k].bytes())) note(MPI_ERR_TRUNCATE);
}

/// Goes on without waiting.
void Operation::test() {
  while (active_) {
    std::vector<MPI_Request> const before = pending_;
    std::vector<MPI_Status> statuses(pending_.size());
    int complete = 0;
    int const code = PMPI_Testall(static_cast<int>(pending_.size()), pending_.data(), &complete, statuses.data());
    // After an error MPI may have completed some of the requests.
    if (code != MPI_SUCCESS) {
      note(code);
      wait_for_round();
      continue;
    }
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      // SMPI ends requests that are complete even if others are not, and reports each of them only once.
      if (before[k] == MPI_REQUEST_NULL || pending_[k] != MPI_REQUEST_NULL) continue;
      note(k, MPI_SUCCESS, statuses[k]);
      --open_;
    }
    if (open_ > 0) return;
    proceed();
  }
}

/// Waits until all requests of the round have completed.
void Operation::wait_for_round() {
  // The requests are waited for one by one, because SMPI's MPI_Waitall looks at every request after each completion,
  // which is s^2 work for s requests.
  for (std::size_t k = 0; k < pending_.size(); ++k) {
    if (pending_[k] == MPI_REQUEST_NULL) continue;
    MPI_Status status{};
    int const code = PMPI_Wait(&pending_[k], k < messages_.receives ? &status : MPI_STATUS_IGNORE);
    note(k, code, status);
  }
  open_ = 0;
  proceed();
}

/// A request has completed; the last one of a round begins the next round.
void Operation::completed(std::size_t k, int code, MPI_Status const& status) {
  note(k, code, status);
  pending_[k] = MPI_REQUEST_NULL;
  --open_;
  proceed();
}

}  // namespace rondo::mpi
