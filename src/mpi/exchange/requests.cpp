#include "mpi/exchange/requests.hpp"

#include <algorithm>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/wait_any.hpp"

namespace rondo::mpi {

void ExchangeRequests::add(MPI_Request request, Purpose purpose) {
  requests_.push_back(request);
  purposes_.push_back(purpose);
}

std::size_t ExchangeRequests::find(Purpose purpose) const {
  return static_cast<std::size_t>(std::find(purposes_.begin(), purposes_.end(), purpose) - purposes_.begin());
}

std::vector<Purpose> ExchangeRequests::completed() {
  std::vector<Purpose> result;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    int over = 0;
    check(MPI_Test(&requests_[k], &over, MPI_STATUS_IGNORE));
    if (over == 0) continue;
    result.push_back(purposes_[k]);
    requests_[k] = MPI_REQUEST_NULL;
  }
  remove_null();
  return result;
}

Purpose ExchangeRequests::wait(MPI_Status& status) {
  Purpose const purpose = purposes_[wait_any(requests_, &status)];
  remove_null();
  return purpose;
}

bool ExchangeRequests::end_receive(Purpose purpose, MPI_Status& status) {
  std::size_t const at = find(purpose);
  if (at == purposes_.size()) return false;
  int cancelled = 0;
  check(MPI_Cancel(&requests_[at]));
  check(MPI_Wait(&requests_[at], &status));
  check(MPI_Test_cancelled(&status, &cancelled));
  requests_[at] = MPI_REQUEST_NULL;
  remove_null();
  return cancelled == 0;
}

/// Completed requests are null; SMPI leaves that to its caller in places.
void ExchangeRequests::remove_null() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (requests_[k] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[k];
    purposes_[kept++] = purposes_[k];
  }
  requests_.resize(kept);
  purposes_.resize(kept);
}

}  // namespace rondo::mpi
