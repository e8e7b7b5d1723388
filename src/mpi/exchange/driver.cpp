// Turns requests and messages of MPI into events of the core. It either polls, or waits for any of its requests; an MPI
// that runs ranks in turns needs the latter.

#include "mpi/exchange/driver.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// The tag of second parts, which travel on the communicator of signals; the stages of signals are smaller.
constexpr int remainder_tag = 1000;

/// Stands at the end of the first part of a message in parts, and is the size of the second part.
using RemainderSize = std::uint32_t;
constexpr int rest_size_bytes = static_cast<int>(sizeof(RemainderSize));

/// Gives up the core for a moment. If there are more processes than cores, a rank that polls would keep the core from
/// the ranks that it waits for. Simulated ranks are no processes and need nothing.
void let_others_run() {
#ifndef SMPI_H
  std::this_thread::yield();
#endif
}

}  // namespace

/// Duplicates the communicator, and takes numbers of exchanges up to the largest tag.
ExchangeDriver::ExchangeDriver(MPI_Comm comm, ExchangeOptions options)
    : options_(options), data_comm_(comm), signal_comm_(comm), core_({}, 0, 1) {
  rank_ = rank_in(data_comm_.handle());
  size_ = size_of(data_comm_.handle());
  core_ = ExchangeCore(options_.rules, rank_, size_);
  if (options_.numbers == 0) options_.numbers = std::max(largest_tag(data_comm_.handle()), 2);
  options_.waited_bytes = std::min(options_.waited_bytes, std::numeric_limits<int>::max() - rest_size_bytes);
  if (options_.completion == Completion::wait) {
    waited_data_.resize(static_cast<std::size_t>(options_.waited_bytes + rest_size_bytes));
  }
}

/// The number of the exchange is the tag of its data if the protocol numbers them.
void ExchangeDriver::begin(Outbox packed, Inbox& inbox) {
  expects(done(), "an exchange at a time");
  bool const numbered = options_.rules.algorithm == ExchangeAlgorithm::nbx_tagged;
  tag_ = numbered ? static_cast<int>(counts_.exchanges % options_.numbers) : 0;
  ++counts_.exchanges;
  outbox_ = std::move(packed);
  inbox_ = &inbox;
  std::vector<int> targets;
  auto& messages = outbox_.messages();
  auto const own_message = std::find_if(messages.begin(), messages.end(), [&](auto& m) { return m.peer == rank_; });
  if (own_message != messages.end()) {
    inbox.add(std::move(*own_message));
    messages.erase(own_message);
  }
  for (PackedMessage const& message : messages) targets.push_back(message.peer);
  core_.begin(std::move(targets), *this);
  post_receives();
  end_if_done();
}

void ExchangeDriver::begin_acknowledgement(int target) {
  Acknowledgement const back = options_.acknowledge(data_comm_.handle(), target);
  requests_.add(back.receive, Purpose::acknowledgement);
  acknowledgements_.push_back(back.send);
}

/// Ends the sends of the ways back; their receives are over already.
void ExchangeDriver::end_acknowledgements() {
  for (MPI_Request& send : acknowledgements_) check(MPI_Wait(&send, MPI_STATUS_IGNORE));
  acknowledgements_.clear();
}

/// The first part of a message in parts is its end, because there is room for the size of the second part after it.
void ExchangeDriver::send_data(int target, int index, Mode mode) {
  GrowingBuffer& data = outbox_.messages()[static_cast<std::size_t>(index)].buffer;
  int const all = static_cast<int>(data.size());
  bool const parts = options_.completion == Completion::wait && all >= options_.waited_bytes;
  int const rest = parts ? all - options_.waited_bytes : 0;
  if (parts) {
    auto const size = static_cast<RemainderSize>(rest);
    data.append(&size, sizeof size);
  }
  send_first(target, {data.data() + rest, data.size() - static_cast<std::size_t>(rest)}, mode);
  if (!parts) return;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(data.data(), rest, MPI_BYTE, target, remainder_tag, signal_comm_.handle(), &request));
  requests_.add(request, Purpose::rest);
  ++counts_.data_messages;
  counts_.data_bytes += rest;
}

/// Sends a message, or its first part if it is longer than the receive that waits for it.
void ExchangeDriver::send_first(int target, std::span<std::byte const> data, Mode mode) {
  int const size = static_cast<int>(data.size());
  MPI_Request request = MPI_REQUEST_NULL;
  if (mode == Mode::synchronous) {
    check(MPI_Issend(data.data(), size, MPI_BYTE, target, tag_, data_comm_.handle(), &request));
    requests_.add(request, Purpose::acknowledged_data, target);
  } else {
    check(MPI_Isend(data.data(), size, MPI_BYTE, target, tag_, data_comm_.handle(), &request));
    requests_.add(request, Purpose::data);
  }
  ++counts_.data_messages;
  counts_.data_bytes += size;
}

/// Sends words of a barrier or a reduction.
void ExchangeDriver::send_signal(int target, int stage, std::span<Word const> words) {
  MPI_Request request = MPI_REQUEST_NULL;
  // The core does not change words that it has sent, so they need no copy.
  check(MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_UINT32_T, target, stage, signal_comm_.handle(),
                  &request));
  requests_.add(request, Purpose::signal);
  ++counts_.barrier_messages;
  counts_.barrier_words += static_cast<std::int64_t>(words.size());
}

/// Posts the receive of the signal that is awaited and, if the driver waits for requests, one for data of unknown size.
void ExchangeDriver::post_receives() {
  MPI_Request request = MPI_REQUEST_NULL;
  if (auto const awaited = core_.awaited(); awaited && !requests_.has(Purpose::signal_receive)) {
    signal_values_.resize(static_cast<std::size_t>(awaited->words));
    check(MPI_Irecv(signal_values_.data(), awaited->words, MPI_UINT32_T, awaited->peer, awaited->stage,
                    signal_comm_.handle(), &request));
    requests_.add(request, Purpose::signal_receive);
  }
  if (options_.completion == Completion::poll) return;
  if (core_.awaits_data() && !requests_.has(Purpose::data_receive)) {
    check(MPI_Irecv(waited_data_.data(), static_cast<int>(waited_data_.size()), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                    data_comm_.handle(), &request));
    requests_.add(request, Purpose::data_receive);
  }
}

/// Handles what has completed; if nothing has, lets other ranks run.
void ExchangeDriver::progress() {
  if (options_.completion == Completion::wait) {
    wait();
  } else {
    bool const received = poll_data();
    bool const completed = poll_requests();
    if (!received && !completed) let_others_run();
  }
  // Receives must not be posted between two events that arrived together, because the second event refers to
  // requests that were posted before.
  post_receives();
  end_if_done();
}

/// Reports a completed request to the core.
void ExchangeDriver::handle(Purpose purpose, int peer, MPI_Status const& status) {
  switch (purpose) {
    case Purpose::acknowledged_data:
      if (options_.acknowledge) {
        begin_acknowledgement(peer);
        break;
      }
      [[fallthrough]];
    case Purpose::acknowledgement:
      ++counts_.ack_messages;
      core_.sent(*this);
      break;
    case Purpose::data:
      core_.sent(*this);
      break;
    case Purpose::data_receive:
      receive_waited_data(status);
      core_.data_received(*this);
      break;
    case Purpose::signal_receive:
      core_.signal_received(signal_values_, *this);
      break;
    case Purpose::rest_receive:
      end_remainder(status.MPI_SOURCE);
      break;
    case Purpose::rest:
    case Purpose::signal:
      break;
  }
}

/// Receives a message if one is there.
bool ExchangeDriver::poll_data() {
  if (!core_.awaits_data()) return false;
  int found = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, tag_, data_comm_.handle(), &found, &status));
  if (found == 0) return false;
  receive_data(status);
  core_.data_received(*this);
  return true;
}

bool ExchangeDriver::poll_requests() {
  std::vector<ExchangeRequests::RequestInfo> const completed = requests_.completed();
  for (auto const& [purpose, peer] : completed) handle(purpose, peer, {});
  return !completed.empty();
}

void ExchangeDriver::wait() {
  MPI_Status status;
  auto const [purpose, peer] = requests_.wait(status);
  handle(purpose, peer, status);
}

/// Receives a message that has been probed, in its full size.
void ExchangeDriver::receive_data(MPI_Status const& status) {
  int bytes = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes));
  PackedMessage message{status.MPI_SOURCE, GrowingBuffer::of_size(static_cast<std::size_t>(bytes))};
  check(MPI_Recv(message.buffer.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag_, data_comm_.handle(),
                 MPI_STATUS_IGNORE));
  inbox_->add(std::move(message));
}

/// Takes a message that a posted receive has got, and receives the rest if it was sent in two parts.
void ExchangeDriver::receive_waited_data(MPI_Status const& status) {
  int bytes = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes));
  bool const parts = bytes > options_.waited_bytes;
  RemainderSize rest = 0;
  if (parts) {
    bytes = options_.waited_bytes;
    std::memcpy(&rest, waited_data_.data() + bytes, sizeof rest);
  }
  PackedMessage message{status.MPI_SOURCE, GrowingBuffer::of_size(static_cast<std::size_t>(bytes) + rest)};
  std::copy_n(waited_data_.data(), bytes, message.buffer.data() + rest);
  if (!parts) return inbox_->add(std::move(message));
  // A probe is not used here, because it would take the simulated time of polling.
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(message.buffer.data(), static_cast<int>(rest), MPI_BYTE, message.peer, remainder_tag,
                  signal_comm_.handle(), &request));
  requests_.add(request, Purpose::rest_receive);
  in_parts_.push_back(std::move(message));
}

/// The source alone identifies the message, because a rank sends at most one message to this rank in an exchange.
void ExchangeDriver::end_remainder(int source) {
  auto const whole = std::find_if(in_parts_.begin(), in_parts_.end(), [&](auto& m) { return m.peer == source; });
  expects(whole != in_parts_.end(), "a first part before the rest");
  inbox_->add(std::move(*whole));
  in_parts_.erase(whole);
}

/// When the exchange is done, all data have been matched. Data that matched the posted receive may still be unhandled,
/// because a signal may be seen before them. If the receive has matched nothing, it is cancelled; data of the next
/// exchange cannot match it (core.hpp).
void ExchangeDriver::end_data_receive() {
  MPI_Status status;
  if (requests_.cancel_receive(Purpose::data_receive, status)) receive_waited_data(status);
}

/// Ends requests that are still open, and notes the memory that the exchange used.
void ExchangeDriver::end_if_done() {
  if (!core_.done()) return;
  end_data_receive();
  if (!requests_.empty() || inbox_ == nullptr) return;
  end_acknowledgements();
  std::size_t const words = core_.words() + signal_values_.capacity();
  std::size_t const bytes = outbox_.capacity() + inbox_->capacity() + words * sizeof(Word) + waited_data_.capacity();
  counts_.memory_bytes = std::max(counts_.memory_bytes, static_cast<std::int64_t>(bytes));
  outbox_ = {};
  inbox_ = nullptr;
}

}  // namespace rondo::mpi
