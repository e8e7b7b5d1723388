#pragma once

// The parts of prove, for this folder alone.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/prove.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::proof {

/// A race, which is no fault of schedules in rounds.
inline constexpr std::optional<Fault> race = std::nullopt;

/// Collects violations in the order in which they are found: counts all, keeps the first.
class Faults {
 public:
  explicit Faults(TaskGraph const& graph) : graph_(graph) {}

  /// Notes what is wrong with a task. `text` makes what stands behind "rank 3: "; it is called only if the violation is
  /// kept.
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

/// Numbers of nodes that follow each node, in flat arrays.
struct Arrows {
  std::vector<std::uint32_t> first, to;
  std::span<std::uint32_t const> of(std::uint32_t node) const {
    return std::span(to).subspan(first[node], first[node + 1] - first[node]);
  }
};

struct Arrow {
  std::uint32_t from, to;
};
Arrows arrows(std::vector<Arrow> const& all, std::size_t nodes);

/// What happens before what. A node is the effect of a task, by the task's number; behind them stand nodes for the
/// starts of those tasks that others wait for the start of.
struct Order {
  Channels channels;
  std::vector<std::uint32_t> partner;  ///< by task: the send or receive that it meets; no_task if there is none
  std::size_t nodes = 0;
  std::vector<Arrow> all;
  Arrows after;
  std::vector<std::uint32_t> sequence;  ///< nodes, each behind all that happen before it; those in a circle are missing
  std::vector<std::uint32_t> place;     ///< by node, where it stands in the sequence
};

/// Reports sends and receives that do not match, and a deadlock.
Order order_of(BlockGraph const& graph, Slots slots, Faults& faults);

/// Two tasks of one rank, of which the first is to happen before the second.
struct Pair {
  std::uint32_t before, behind;
};

/// The chains that tasks are strung on: each requires the one before it.
struct Chains {
  std::vector<std::uint32_t> of;     ///< by task
  std::vector<std::uint32_t> place;  ///< by task, in its chain
  std::vector<std::uint32_t> first;  ///< by rank: its first chain, with a closing one
  bool in_order(std::uint32_t before, std::uint32_t behind) const {
    return of[before] == of[behind] && place[before] < place[behind];
  }
};
Chains chains_of(TaskGraph const& graph);

/// The pairs that happen in no order, or in the other one.
std::vector<Pair> not_in_order(TaskGraph const& graph, Order const& order, Chains const& chains,
                               std::vector<Pair> pairs);

/// Reports tasks that touch a cell, and messages of one channel, without order between them.
void check_races(BlockGraph const& graph, Order const& order, Faults& faults);

/// Reports what is read where nothing lies, and what is owed and does not lie in its place.
void check_contents(BlockGraph const& graph, Collective const& promise, Order const& order, Faults& faults);

}  // namespace rondo::proof
