#pragma once

// The messages of a schedule, as the native engine sees them.
// Peers, Sizes and Costs read partners, bytes and durations from a schedule and a machine. A broken schedule is read
// without harm: a partner rank that does not exist becomes `nobody`, and a slot past the listed sizes of its buffer has
// no bytes.
// Messages keeps all messages as flat arrays, without their lists of blocks. Together with the arrays of Ports and of
// the rounds a message takes 22 bytes (24 bytes if there are more than 65,536 different durations).
// The functions at the end give the noise of a message, and the log of messages whose sends and receives occupy their
// ports together.

#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/column.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "engine/engine.hpp"
#include "engine/noise.hpp"
#include "platform/paths.hpp"
#include "platform/platform.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::native {

/// Stands for a rank that does not exist.
inline constexpr std::int32_t nobody = -1;

/// The partners of transfers, as ranks.
class Peers {
 public:
  explicit Peers(Schedule const& schedule);
  /// The partner of one rank, or nobody.
  std::int32_t operator()(std::int32_t rank, Transfer const& transfer) const {
    std::int32_t const peer = relative_ ? resolve(rank, transfer) : transfer.peer;
    return peer >= 0 && peer < ranks_ ? peer : nobody;
  }
  bool relative() const { return relative_; }
  /// For relative peers: the partners of all ranks, in time proportional to the number of ranks.
  void all(Transfer const& transfer, std::vector<std::int32_t>& into) const;
  /// For relative peers: the partner of rank 0, which identifies the offset of all ranks; nobody if there is no such
  /// offset.
  std::int32_t ahead(Transfer const& transfer) const;
  /// For relative peers: the rank whose partner is rank 0.
  std::int32_t behind(Transfer const& transfer) const;

 private:
  std::span<int const> offset(Transfer const& transfer) const;
  std::int32_t resolve(std::int32_t rank, Transfer const& transfer) const;
  Schedule const& schedule_;
  bool relative_;
  std::int32_t ranks_;
};

/// The bytes of the messages of a program.
class Sizes {
 public:
  explicit Sizes(Program const& program);
  std::int64_t operator()(Transfer const& transfer) const { return uniform_ ? transfer.count * block_ : sum(transfer); }

 private:
  std::int64_t sum(Transfer const& transfer) const;
  Program const* program_;
  bool uniform_;
  std::int64_t block_;
};

/// The linear timing model of a platform: how long a message occupies its ports if it shares no bandwidth with others.
class Costs {
 public:
  explicit Costs(Platform const& platform);
  /// Whether all pairs of ranks have the same start-up.
  bool uniform() const { return uniform_; }
  Seconds operator()(std::int32_t from, std::int32_t to, std::int64_t bytes) const {
    if (plain_) return latency_ + Bytes(checked_sum(bytes, envelope_)) / bandwidth_;
    return between_ranks(Rank(from), Rank(to), bytes);
  }
  /// The class of a message's size (paths.hpp).
  SizeClass size(std::int64_t bytes) const { return plain_ ? SizeClass() : size_class(platform_, bytes); }

 private:
  Seconds between_ranks(Rank from, Rank to, std::int64_t bytes) const {
    SizeClass const size = size_class(platform_, bytes);
    RouteCost const cost = paths_.route_cost(from, to, size);
    return cost.startup + Bytes(paths_.flow_bytes(from, to, size, checked_sum(bytes, envelope_))) / cost.bandwidth;
  }

  Platform const& platform_;
  Paths paths_;
  bool uniform_;
  bool plain_;  ///< uniform, and the start-up and bandwidth are latency_ and bandwidth_ for every size
  Seconds latency_;
  std::int64_t envelope_;
  BytesPerSecond bandwidth_;
};

/// Stands for no message in arrays of numbers.
inline constexpr std::uint32_t nothing = 0xffff'ffff;

/// A number for each message. It takes 2 bytes; from the first number above 65,535 on, 4 bytes.
class KindColumn {
 public:
  void reserve(std::size_t messages) { low_.reserve(messages); }
  void push_back(std::uint32_t kind) {
    if (kind >> 16 != 0) high_.resize(low_.size());
    low_.push_back(static_cast<std::uint16_t>(kind));
    if (kind >> 16 != 0) high_.push_back(static_cast<std::uint16_t>(kind >> 16));
  }
  std::uint32_t operator[](std::size_t message) const {
    return message < high_.size() ? std::uint32_t{high_[message]} << 16 | low_[message] : low_[message];
  }

 private:
  Column<std::uint16_t> low_, high_;
};

/// Messages have the number of their send: one rank after the other, the sends of each in posting order.
struct Messages {
  std::vector<std::uint32_t> first_send;     ///< by rank, with a closing one
  std::vector<std::uint32_t> first_receive;  ///< by rank, with a closing one: receives are numbered in the same way
  Column<std::int32_t> source, target;       ///< by message
  KindColumn kind;                           ///< by message: its duration among the kinds
  std::vector<Seconds> durations;            ///< by kind
  std::vector<SizeClass> sizes;              ///< by kind: the class of sizes of its messages
  std::int64_t bytes = 0;
};

/// Prefetches the ends of a message into the cache; the message is used some steps later.
inline void fetch_ends(Messages const& messages, std::uint32_t message) {
  __builtin_prefetch(messages.source.data() + message);
  __builtin_prefetch(messages.target.data() + message);
}

/// Numbers durations: schedules have many messages but few different durations. Equal durations of two classes of sizes
/// are two kinds, because their numbers of bytes differ.
class Kinds {
 public:
  explicit Kinds(Messages& messages) : messages_(messages) {}
  /// The number of a kind, which is added if it is new.
  std::uint32_t operator()(Seconds duration, SizeClass size) {
    if (last_ < messages_.durations.size() && messages_.durations[last_] == duration &&
        messages_.sizes[last_].code() == size.code()) {
      return last_;
    }
    if (size.code() >= known_.size()) known_.resize(size.code() + std::size_t{1});
    auto const [found, is_new] = known_[size.code()].try_emplace(
        std::bit_cast<std::uint64_t>(duration.value), static_cast<std::uint32_t>(messages_.durations.size()));
    if (is_new) {
      messages_.durations.push_back(duration);
      messages_.sizes.push_back(size);
    }
    return last_ = found->second;
  }

 private:
  Messages& messages_;
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> known_;  ///< by class of sizes
  std::uint32_t last_ = nothing;
};

/// The messages of a schedule. A send to no rank has the target nobody.
/// match() gives for each receive the message that meets it, or nothing. Messages between two ranks match in posting
/// order.
Messages read_messages(Schedule const& schedule, Platform const& platform);
Column<std::uint32_t> match(Schedule const& schedule, Messages const& messages);

/// The sends of a task graph as messages. A send without a partner also has a number.
Messages messages_of(TaskGraph const& graph, Platform const& platform);

/// The numbers of these messages.
struct TaskMessages {
  explicit TaskMessages(TaskGraph const& graph);
  std::vector<std::uint32_t> of;    ///< by task: its message; nothing: it is no send
  std::vector<std::uint32_t> send;  ///< by message: its task
};

/// How many CPUs or NICs each rank has, as `which` says: one more than the largest number that a task names.
std::size_t devices_of_a_rank(TaskGraph const& graph, std::uint8_t Task::*which);

/// The messages of rank 0 of a schedule in which all ranks follow one program of relative offsets.
Messages messages_of_one(Schedule const& schedule, Platform const& platform);

/// The part (or rank) that sends the message, and the number of the send among its sends.
struct SendNumber {
  std::size_t part;
  std::uint64_t send;
  SendNumber(Messages const& messages, std::uint32_t message)
      : part(at(messages.source[message])), send(message - messages.first_send[part]) {}
};

/// The noise in the start-up of a message.
inline Seconds startup_noise(Noise const& noise, Messages const& messages, std::uint32_t message) {
  SendNumber const number(messages, message);
  return noise.startup(number.part, number.send);
}

/// The times of all messages of a schedule, from their starts and ends by number of message.
inline std::vector<MessageTimes> times_of_messages(Schedule const& schedule, Messages const& messages,
                                                   std::vector<Seconds> const& starts,
                                                   std::vector<Seconds> const& ends) {
  std::vector<MessageTimes> all;
  std::uint32_t message = 0;
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        Seconds const start = starts[message];
        Seconds const end = ends[message];
        all.push_back({Rank(rank), Rank(messages.target[message]), program.bytes(send), start, end, start, end});
        ++message;
      }
    }
  }
  return all;
}

}  // namespace rondo::native
