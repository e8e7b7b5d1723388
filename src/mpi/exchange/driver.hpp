#pragma once

// Carries the messages of a sparse exchange over MPI. Completed requests and probed messages are the events of
// ExchangeCore. Data travel on one duplicate of the communicator, signals on another. MPI's own collectives are not
// used, so that every message can be counted here.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/exchange/acknowledgement.hpp"
#include "mpi/exchange/core.hpp"
#include "mpi/exchange/requests.hpp"
#include "mpi/runtime/message_buffers.hpp"
#include "mpi/runtime/own_comm.hpp"

namespace rondo::mpi {

/// How exchanges are carried out.
struct ExchangeOptions {
  ExchangeRules rules = {};
  Completion completion = Completion::poll;
  int waited_bytes = 16384;  ///< the same at all ranks; at least 1
  int numbers = 0;  ///< how many numbers nbx_tagged uses before they repeat; at least 2; 0: one for each tag of MPI
  /// For an MPI whose synchronous sends end before their acknowledgements are back: begins the way back of an
  /// acknowledgement from a rank of the communicator. Unset: MPI ends a synchronous send when it is acknowledged.
  std::function<Acknowledgement(MPI_Comm comm, int target)> acknowledge = {};
};

/// What this rank has sent to other ranks since the driver was made. Messages to itself are not counted.
struct ExchangeCounts {
  std::int64_t data_messages = 0;
  std::int64_t ack_messages = 0;      ///< received: one for each synchronous send
  std::int64_t barrier_messages = 0;  ///< sent in barriers, and to count messages first
  std::int64_t data_bytes = 0;
  std::int64_t barrier_words = 0;
  /// The most bytes held at the end of an exchange: buffers of sent and received messages, and the words of the
  /// protocol.
  std::int64_t memory_bytes = 0;
  std::int64_t exchanges = 0;
};

/// Carries out exchanges on one communicator, one after the other.
class ExchangeDriver : private Transport {
 public:
  /// Collective. Throws MpiFailure, as the other functions do.
  ExchangeDriver(MPI_Comm comm, ExchangeOptions options);

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Collective, but without waiting: begins an exchange of these messages. Received messages are put into `inbox`,
  /// which must outlive the exchange.
  void begin(Outbox packed, Inbox& inbox);
  bool done() const { return core_.done() && requests_.empty(); }
  /// Moves an unfinished exchange forward: by waiting for one event (wait), or by looking once for all events (poll).
  void progress();

  ExchangeCounts const& counts() const { return counts_; }

 private:
  void send_data(int target, int index, Mode mode) override;
  void send_signal(int target, int stage, std::span<Word const> words) override;
  void send_first(int target, std::span<std::byte const> data, Mode mode);

  /// Handles an event; `status` is that of received data, or of their second part.
  void handle(Purpose purpose, int peer, MPI_Status const& status);
  void begin_acknowledgement(int target);
  void end_acknowledgements();
  // These return whether anything had happened.
  bool poll_data();
  bool poll_requests();
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
  int tag_ = 0;  ///< the tag of this exchange's data
  Outbox outbox_;
  Inbox* inbox_ = nullptr;
  ExchangeRequests requests_;
  std::vector<MPI_Request> acknowledgements_;  ///< the sends of the ways back that have begun in this exchange
  std::vector<Word> signal_values_;            ///< into which a signal is received
  std::vector<std::byte> waited_data_;         ///< into which data are received by a request
  std::vector<PackedMessage> in_parts_;        ///< whose rests are awaited
  ExchangeCounts counts_;
};

}  // namespace rondo::mpi
