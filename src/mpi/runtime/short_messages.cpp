// Sends without waiting; sent() waits for all messages. The parts of Reductions that are not templates are here, too.

#include "mpi/runtime/short_messages.hpp"

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

void ShortMessages::post(Rank to, int tag, std::span<int const> content) {
  check(MPI_Isend(content.data(), static_cast<int>(content.size()), MPI_INT, to.value, tag, comm_,
                  &requests_.emplace_back()));
}

void ShortMessages::sent() {
  // The requests are waited for one by one, because SMPI's MPI_Waitall looks at every request after each completion.
  for (MPI_Request& request : requests_) check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  requests_.clear();
}

/// Posts all receives at once, so that senders do not wait for each other.
std::vector<ShortMessage> ShortMessages::collect(std::size_t count, int tag, int length) {
  std::vector<ShortMessage> messages(count, ShortMessage{Rank(0), std::vector<int>(static_cast<std::size_t>(length))});
  std::vector<MPI_Request> requests(count);
  for (std::size_t i = 0; i < count; ++i) {
    check(MPI_Irecv(messages[i].content.data(), length, MPI_INT, MPI_ANY_SOURCE, tag, comm_, &requests[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    MPI_Status status;
    check(MPI_Wait(&requests[i], &status));
    messages[i].from = Rank(status.MPI_SOURCE);
  }
  return messages;
}

/// Its length is known only when it has arrived.
ShortMessage ShortMessages::next(int tag, int most) {
  ShortMessage message{Rank(0), std::vector<int>(static_cast<std::size_t>(most))};
  MPI_Status status;
  check(MPI_Recv(message.content.data(), most, MPI_INT, MPI_ANY_SOURCE, tag, comm_, &status));
  int count = 0;
  check(MPI_Get_count(&status, MPI_INT, &count));
  message.from = Rank(status.MPI_SOURCE);
  message.content.resize(static_cast<std::size_t>(count));
  return message;
}

Reductions::Reductions(MPI_Comm comm) : comm_(comm) {
  rank_ = rank_in(comm_);
  size_ = size_of(comm_);
}

/// In stage k each rank knows the sum over the 2^k ranks up to itself, and sends it to the rank 2^k further on.
std::int64_t Reductions::sum_before(std::int64_t mine) {
  ++calls_;
  std::int64_t before = 0, until = mine;
  for (int distance = 1; distance < size_; distance *= 2) {
    std::int64_t const sent = until;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank_ + distance < size_) {
      check(MPI_Isend(&sent, 1, MPI_INT64_T, rank_ + distance, tag, comm_, &request));
      ++messages_;
    }
    if (rank_ >= distance) {
      std::int64_t theirs = 0;
      receive(rank_ - distance, &theirs, sizeof theirs);
      before += theirs;
      until += theirs;
    }
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  return before;
}

void Reductions::send(int to, void const* data, std::size_t bytes) {
  check(MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, to, tag, comm_));
  ++messages_;
}

void Reductions::receive(int from, void* data, std::size_t bytes) {
  check(MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, comm_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::mpi
