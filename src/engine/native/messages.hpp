#pragma once

// The messages of a schedule as flat arrays, without their lists of blocks. Together with the arrays of Ports and of
// the rounds a message takes 22 bytes (24 bytes if there are more than 65,536 different durations).

#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/column.hpp"
#include "base/units.hpp"
#include "platform/paths.hpp"
#include "platform/platform.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::native {

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

/// The messages of rank 0 of a schedule in which all ranks follow one program of relative offsets.
Messages messages_of_one(Schedule const& schedule, Platform const& platform);

}  // namespace rondo::native
