// Tests and cancels requests.

#include "mpi/exchange/requests.hpp"

#include <algorithm>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/wait_any.hpp"

namespace rondo::mpi {

void ExchangeRequests::add(MPI_Request request, Purpose purpose, int peer) {
  requests_.push_back(request);
  infos_.push_back({purpose, peer});
}

std::size_t ExchangeRequests::find(Purpose purpose) const {
  auto const found =
      std::find_if(infos_.begin(), infos_.end(), [&](RequestInfo const& info) { return info.purpose == purpose; });
  return static_cast<std::size_t>(found - infos_.begin());
}

/// Removes the requests that have completed, and returns what they were for.
std::vector<ExchangeRequests::RequestInfo> ExchangeRequests::completed() {
  std::vector<RequestInfo> result;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    int complete = 0;
    check(MPI_Test(&requests_[k], &complete, MPI_STATUS_IGNORE));
    if (complete == 0) continue;
    result.push_back(infos_[k]);
    // In some calls SMPI does not set a completed request to null.
    requests_[k] = MPI_REQUEST_NULL;
  }
  remove_null();
  return result;
}

ExchangeRequests::RequestInfo ExchangeRequests::wait(MPI_Status& status) {
  RequestInfo const info = infos_[wait_any(requests_, &status)];
  remove_null();
  return info;
}

/// Returns whether the receive got a message in spite of the cancellation.
bool ExchangeRequests::cancel_receive(Purpose purpose, MPI_Status& status) {
  std::size_t const i = find(purpose);
  if (i == size()) return false;
  int cancelled = 0;
  // The message may arrive before the cancellation. MPI then completes the receive, and it is not cancelled.
  check(MPI_Cancel(&requests_[i]));
  check(MPI_Wait(&requests_[i], &status));
  check(MPI_Test_cancelled(&status, &cancelled));
  requests_[i] = MPI_REQUEST_NULL;
  remove_null();
  return cancelled == 0;
}

/// Drops the requests that are null because they are complete.
void ExchangeRequests::remove_null() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    if (requests_[k] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[k];
    infos_[kept++] = infos_[k];
  }
  requests_.resize(kept);
  infos_.resize(kept);
}

}  // namespace rondo::mpi
