#pragma once

// The requests of an exchange that are under way, each with its purpose.

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
  /// The purpose of a request, and for acknowledged data their target.
  struct Meaning {
    Purpose purpose;
    int peer;
  };

  void add(MPI_Request request, Purpose purpose, int peer = MPI_PROC_NULL);
  bool empty() const { return requests_.empty(); }
  bool has(Purpose purpose) const { return find(purpose) < meanings_.size(); }

  /// Tests all requests, and returns the meanings of those that are complete, in the order in which they were added.
  std::vector<Meaning> completed();
  /// Waits for any one request, and returns its meaning. There must be at least one.
  Meaning wait(MPI_Status& status);
  /// Ends the receive with this purpose, if there is one. Returns whether it had received a message all the same; if
  /// so, `status` is that of the message.
  bool end_receive(Purpose purpose, MPI_Status& status);

 private:
  std::size_t find(Purpose purpose) const;
  void remove_null();

  // meanings_[i] is the meaning of requests_[i].
  std::vector<MPI_Request> requests_;
  std::vector<Meaning> meanings_;
};

}  // namespace rondo::mpi
