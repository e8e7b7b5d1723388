// Sends without waiting; sent() waits for all of them.

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

}  // namespace rondo::mpi
