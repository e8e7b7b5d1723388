#include "mpi/runtime/mail.hpp"

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

void Mail::post(Rank to, int tag, std::span<int const> content) {
  check(MPI_Isend(content.data(), static_cast<int>(content.size()), MPI_INT, to.value, tag, comm_,
                  &requests_.emplace_back()));
}

void Mail::sent() {
  // The requests are waited for one by one, because SMPI's MPI_Waitall looks at every request after each completion.
  for (MPI_Request& request : requests_) check(MPI_Wait(&request, MPI_STATUS_IGNORE));
  requests_.clear();
}

std::vector<Letter> Mail::collect(std::size_t count, int tag, int length) {
  std::vector<Letter> letters(count, Letter{Rank(0), std::vector<int>(static_cast<std::size_t>(length))});
  std::vector<MPI_Request> requests(count);
  for (std::size_t i = 0; i < count; ++i) {
    check(MPI_Irecv(letters[i].content.data(), length, MPI_INT, MPI_ANY_SOURCE, tag, comm_, &requests[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    MPI_Status status;
    check(MPI_Wait(&requests[i], &status));
    letters[i].from = Rank(status.MPI_SOURCE);
  }
  return letters;
}

Letter Mail::next(int tag, int most) {
  Letter letter{Rank(0), std::vector<int>(static_cast<std::size_t>(most))};
  MPI_Status status;
  check(MPI_Recv(letter.content.data(), most, MPI_INT, MPI_ANY_SOURCE, tag, comm_, &status));
  int count = 0;
  check(MPI_Get_count(&status, MPI_INT, &count));
  letter.from = Rank(status.MPI_SOURCE);
  letter.content.resize(static_cast<std::size_t>(count));
  return letter;
}

}  // namespace rondo::mpi
