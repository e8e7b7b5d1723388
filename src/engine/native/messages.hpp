#pragma once

// The messages of a schedule as flat arrays, 22 bytes each with what Ports and the rounds add (24 if there are more
// than 65,536 durations); block lists stay behind.

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

inline constexpr std::uint32_t nothing = 0xffff'ffff;

/// A number for each message, mostly below 65,536: 2 bytes each, 4 from the first larger one on.
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

/// Messages by the number of their send: ranks one after the other, the sends of each in posting order.
struct Messages {
  std::vector<std::uint32_t> first_send;     ///< by rank, with a closing one
  std::vector<std::uint32_t> first_receive;  ///< by rank, with a closing one: receives are numbered in the same way
  Column<std::int32_t> source, target;       ///< by message
  KindColumn kind;                           ///< by message: its duration among the kinds
  std::vector<Seconds> durations;            ///< by kind
  std::vector<SizeClass> sizes;              ///< by kind: the class of the sizes that messages of it have
  std::int64_t bytes = 0;
};

/// Reads the ends of a message into the cache, for a use some steps later.
inline void fetch_ends(Messages const& messages, std::uint32_t message) {
  __builtin_prefetch(messages.source.data() + message);
  __builtin_prefetch(messages.target.data() + message);
}

/// Finds or adds durations; schedules have many messages and few durations. One duration in two classes of sizes is
/// two kinds, since their bytes differ.
class Kinds {
 public:
  explicit Kinds(Messages& messages) : messages_(messages) {}
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

/// The messages of a schedule, and for each receive the message that meets it, or nothing: messages between two ranks
/// match in posting order. Sends to nobody have the target nobody.
Messages read_messages(Schedule const& schedule, Platform const& platform);
Column<std::uint32_t> match(Schedule const& schedule, Messages const& messages);

/// The sends of a graph as messages; those without a partner keep their place.
Messages messages_of(TaskGraph const& graph, Platform const& platform);

/// The messages of rank 0, where all ranks follow one program of relative offsets.
Messages messages_of_one(Schedule const& schedule, Platform const& platform);

}  // namespace rondo::native
