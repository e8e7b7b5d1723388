#pragma once

// Carries the messages of a sparse exchange over MPI. Completed requests and probed messages are the events of
// ExchangeCore. Data travel on one duplicate of the communicator, and signals on another. Exchanges do not use MPI's
// own collectives, so that every message can be counted here.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/exchange/core.hpp"
#include "mpi/exchange/requests.hpp"
#include "mpi/runtime/message_buffers.hpp"
#include "mpi/runtime/own_comm.hpp"

namespace rondo::mpi {

/// How exchanges are carried out.
struct ExchangeOptions {
  ExchangeRules rules = {};
  Completion completion = Completion::poll;
  /// With Completion::wait: data of this size or more travel in two parts, because the receive that waits for them has
  /// no more room. The same at all ranks; at least 1.
  int waited_bytes = 16384;
  int numbers = 0;  ///< how many numbers nbx_tagged uses before they repeat; at least 2; 0: one for each tag of MPI
  /// For an MPI whose synchronous sends end before their acknowledgements are back: begins to simulate the
  /// acknowledgement from the rank `target`. Unset: MPI ends a synchronous send when it is acknowledged.
  std::function<Acknowledgement(MPI_Comm comm, int target)> acknowledge = {};
};

/// Counts this rank's messages to other ranks since the driver was made. Messages to itself are not counted.
struct ExchangeCounts {
  std::int64_t data_messages = 0;     ///< a message in two parts counts twice
  std::int64_t ack_messages = 0;      ///< received: one for each synchronous send
  std::int64_t barrier_messages = 0;  ///< sent in barriers, and to count messages first
  std::int64_t data_bytes = 0;
  std::int64_t barrier_words = 0;
  /// The most bytes that an exchange held at its end: the buffers of messages and of the waiting receive, and the words
  /// of the protocol.
  std::int64_t memory_bytes = 0;
  std::int64_t exchanges = 0;
};

/// Carries out exchanges on one communicator, one after the other.
class ExchangeDriver : private Transport {
 public:
  /// Collective, because it duplicates the communicator. All functions that call MPI throw MpiFailure.
  ExchangeDriver(MPI_Comm comm, ExchangeOptions options);

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Collective, but does not wait: begins an exchange of these messages. The exchange before must be done. Received
  /// messages are put into `inbox`, which must outlive the exchange. A message to this rank itself is there at once.
  void begin(Outbox packed, Inbox& inbox);
  bool done() const { return core_.done() && requests_.empty(); }
  /// Advances an unfinished exchange. With Completion::wait it waits for one event; with Completion::poll it checks
  /// once for all events.
  void progress();

  ExchangeCounts const& counts() const { return counts_; }

 private:
  /// Sends message `index` of the outbox, in two parts if it is too long.
  void send_data(int target, int index, Mode mode) override;
  void send_signal(int target, int stage, std::span<Word const> words) override;
  void send_first(int target, std::span<std::byte const> data, Mode mode);

  /// Reports a completed request to the core; `status` is that of received data, or of their second part.
  void handle(Purpose purpose, int peer, MPI_Status const& status);
  void begin_acknowledgement(int target);
  void end_acknowledgements();
  /// Receives a message of data if there is one. Returns whether there was one.
  bool poll_data();
  /// Handles all completed requests. Returns whether there were any.
  bool poll_requests();
  /// Waits for one request, and handles it.
  void wait();
  void post_receives();
  void receive_data(MPI_Status const& status);
  void receive_waited_data(MPI_Status const& status);
  void end_remainder(int source);
  void end_data_receive();
  void end_if_done();

  ExchangeOptions options_;
  OwnComm data_comm_, signal_comm_;
  int rank_ = 0;
  int size_ = 1;
  ExchangeCore core_;
  int tag_ = 0;                                ///< the tag of this exchange's data
  Outbox outbox_;                              ///< of this exchange
  Inbox* inbox_ = nullptr;                     ///< of this exchange; null if none is active
  ExchangeRequests requests_;                  ///< the open requests
  std::vector<MPI_Request> acknowledgements_;  ///< the sends of simulated acknowledgements of this exchange
  std::vector<Word> signal_values_;            ///< the memory into which a signal is received
  std::vector<std::byte> waited_data_;         ///< the memory of the receive that waits for data; empty with polling
  std::vector<PackedMessage> in_parts_;        ///< the messages whose second part has not arrived
  ExchangeCounts counts_;
};

}  // namespace rondo::mpi
