#pragma once

// The parts of `prove`; no code outside of this folder uses them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/prove.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::proof {

/// The fault of a race, which schedules in rounds cannot have and Fault does not name.
inline constexpr std::optional<Fault> race = std::nullopt;

/// Collects violations in the order in which they are found: counts all, keeps the first.
class Faults {
 public:
  explicit Faults(TaskGraph const& graph) : graph_(graph) {}

  /// Notes a fault of a task. `text` makes the words behind "rank 3: " and is called only if the violation is kept.
  /// The text is only made while violations are listed: there may be millions of them.
  template <typename Text>
  void add(std::optional<Fault> fault, std::uint32_t task, Text const& text) {
    int const line = task < graph_.lines.of.size() ? static_cast<int>(graph_.lines.of[task]) : 0;
    add(fault, graph_.rank_of(task), line, text);
  }
  template <typename Text>
  void add(std::optional<Fault> fault, Rank rank, int line, Text const& text) {
    ++count_;
    if (std::ssize(violations_) >= TaskProof::most_violations) return;
    violations_.push_back({fault, rank, line, "rank " + std::to_string(rank.value) + ": " + text()});
  }
  std::int64_t count() const { return count_; }
  std::vector<TaskViolation> take() && { return std::move(violations_); }

 private:
  TaskGraph const& graph_;
  std::int64_t count_ = 0;
  std::vector<TaskViolation> violations_;
};

/// A directed graph in flat arrays: for each node the nodes that follow it.
struct Arrows {
  std::vector<std::uint32_t> first, to;
  std::span<std::uint32_t const> of(std::uint32_t node) const {
    return std::span(to).subspan(first[node], first[node + 1] - first[node]);
  }
};

/// `to` has to happen after `from`.
struct Arrow {
  std::uint32_t from, to;
};
/// Sorts arrows by their origins.
Arrows arrows(std::vector<Arrow> const& all, std::size_t nodes);

/// Which events happen before which. The node of a task's effect has the number of the task; the nodes after them are
/// the starts of those tasks on whose start another task waits.
struct Order {
  Channels channels;
  std::vector<std::uint32_t> partner;  ///< by task: the send or receive that it meets; no_task if there is none
  std::size_t nodes = 0;
  std::vector<Arrow> all;
  Arrows after;
  std::vector<std::uint32_t>
      sequence;                      ///< nodes, each one after all that happen before it; nodes in a circle are missing
  std::vector<std::uint32_t> place;  ///< by node, where it stands in the sequence
};

/// Reports sends and receives that do not match, and a deadlock.
Order order_of(BlockGraph const& graph, Slots slots, Faults& faults);

/// Two tasks of one rank, of which the first is to happen before the second.
struct Pair {
  std::uint32_t before, behind;
};

/// The chains into which the tasks of a rank are divided. In a chain each task requires the one before it.
struct Chains {
  std::vector<std::uint32_t> of;     ///< by task
  std::vector<std::uint32_t> place;  ///< by task, in its chain
  std::vector<std::uint32_t> first;  ///< by rank: its first chain, with a closing one
  bool in_order(std::uint32_t before, std::uint32_t behind) const {
    return of[before] == of[behind] && place[before] < place[behind];
  }
};
/// Divides the tasks into chains along requirements: each task continues the chain of at most one other task.
Chains chains_of(TaskGraph const& graph);

/// Those of these pairs that happen in no settled order, or in the opposite one.
std::vector<Pair> not_in_order(TaskGraph const& graph, Order const& order, Chains const& chains,
                               std::vector<Pair> pairs);

/// Reports pairs of tasks that touch a cell, and pairs of messages in one channel, whose order is not settled.
void check_races(BlockGraph const& graph, Order const& order, Faults& faults);

/// Reports a task that reads an empty cell, and owed blocks that do not lie in their place.
void check_contents(BlockGraph const& graph, Collective const& promise, Order const& order, Faults& faults);

}  // namespace rondo::proof
