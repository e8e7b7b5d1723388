#include "mpi/exchange/requests.hpp"

#include <algorithm>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/wait_any.hpp"

namespace rondo::mpi {

void ExchangeRequests::add(MPI_Request request, Purpose purpose, int peer) {
  requests_.push_back(request);
  meanings_.push_back({purpose, peer});
}

std::size_t ExchangeRequests::find(Purpose purpose) const {
  auto const found =
      std::find_if(meanings_.begin(), meanings_.end(), [&](Meaning const& m) { return m.purpose == purpose; });
  return static_cast<std::size_t>(found - meanings_.begin());
}

std::vector<ExchangeRequests::Meaning> ExchangeRequests::completed() {
  std::vector<Meaning> result;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    int over = 0;
    check(MPI_Test(&requests_[k], &over, MPI_STATUS_IGNORE));
    if (over == 0) continue;
    result.push_back(meanings_[k]);
    requests_[k] = MPI_REQUEST_NULL;
  }
  remove_null();
  return result;
}

ExchangeRequests::Meaning ExchangeRequests::wait(MPI_Status& status) {
  Meaning const meaning = meanings_[wait_any(requests_, &status)];
  remove_null();
  return meaning;
}

bool ExchangeRequests::end_receive(Purpose purpose, MPI_Status& status) {
  std::size_t const at = find(purpose);
  if (at == meanings_.size()) return false;
  int cancelled = 0;
  check(MPI_Cancel(&requests_[at]));
  check(MPI_Wait(&requests_[at], &status));
  check(MPI_Test_cancelled(&status, &cancelled));
  requests_[at] = MPI_REQUEST_NULL;
  remove_null();
  return cancelled == 0;
}

/// Drops requests that are complete. They are null; in some calls SMPI leaves it to its caller to make them so.
void ExchangeRequests::remove_null() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (requests_[k] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[k];
    meanings_[kept++] = meanings_[k];
  }
  requests_.resize(kept);
  meanings_.resize(kept);
}

}  // namespace rondo::mpi
