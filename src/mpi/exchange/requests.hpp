#pragma once

// The requests of an exchange that are under way, each with its purpose.
// Acknowledgement is the acknowledgement of a synchronous send as a message, for an MPI that ends such a send too
// early.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rondo::mpi {

/// Two requests that together last as long as an acknowledgement is on its way: the receive ends when it arrives, and
/// then the send ends too.
struct Acknowledgement {
  MPI_Request send, receive;
};

/// What a request is for.
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
  /// The purpose of a request, and for acknowledged data the rank that acknowledges them.
  struct RequestInfo {
    Purpose purpose;
    int peer;
  };

  void add(MPI_Request request, Purpose purpose, int peer = MPI_PROC_NULL);
  bool empty() const { return requests_.empty(); }
  bool has(Purpose purpose) const { return find(purpose) < infos_.size(); }

  /// Tests all requests, and returns the complete ones in the order in which they were added.
  std::vector<RequestInfo> completed();
  /// Waits for any one request, and returns it. There must be at least one.
  RequestInfo wait(MPI_Status& status);
  /// Cancels the receive with this purpose, if there is one. Returns whether it had received a message all the same; if
  /// so, `status` is that of the message.
  bool cancel_receive(Purpose purpose, MPI_Status& status);

 private:
  /// The index of the first request with this purpose; size() if there is none.
  std::size_t find(Purpose purpose) const;
  std::size_t size() const { return requests_.size(); }
  void remove_null();

  // infos_[i] belongs to requests_[i].
  std::vector<MPI_Request> requests_;
  std::vector<RequestInfo> infos_;
};

}  // namespace rondo::mpi
