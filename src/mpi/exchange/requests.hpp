#pragma once

// The requests that an exchange has under way, each with what it stands for.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::mpi {

enum class Purpose : std::uint8_t {
  data,
  acknowledged_data,
  acknowledgement,
  rest,
  signal,
  signal_receive,
  data_receive,
  rest_receive
};

/// All functions throw MpiFailure.
class ExchangeRequests {
 public:
  /// What a request stands for, and the target of acknowledged data.
  struct Meaning {
    Purpose purpose;
    int peer;
  };

  void add(MPI_Request request, Purpose purpose, int peer = MPI_PROC_NULL);
  bool empty() const { return requests_.empty(); }
  bool has(Purpose purpose) const { return find(purpose) < meanings_.size(); }

  /// Tests all requests; what those that are complete stood for, in the order in which they were added.
  std::vector<Meaning> completed();
  /// Waits for any request, of which there is one; what it stood for.
  Meaning wait(MPI_Status& status);
  /// Ends the receive of this purpose, if there is one: whether it had received a message all the same, and its status.
  bool end_receive(Purpose purpose, MPI_Status& status);

 private:
  std::size_t find(Purpose purpose) const;
  void remove_null();

  // meanings_[i] is what requests_[i] stands for.
  std::vector<MPI_Request> requests_;
  std::vector<Meaning> meanings_;
};

}  // namespace rondo::mpi
