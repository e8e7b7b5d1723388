#pragma once

// Proves a BlockGraph, a task graph from another program, against the promise of its collective.
//
// It proves, in this order:
// 1. Sends and receives match: in each channel (source, target, tag) the k-th send meets the k-th receive, both have
// the same size, and their order is settled at both ends.
// 2. Every task ends if sends are eager. With `slots` it ends also if a channel takes a further send only after the
// receive that came so many before it has ended.
// 3. If two tasks touch a cell and one of them writes it, requirements and messages put them in an order, if
// necessary by way of other ranks.
// 4. Every owed block lies in its place at the end. With 3, the contents are the same in every order in which tasks
// may run, so one order stands for all. Reductions are compared by fingerprints (verify_reductions.hpp). If
// something is wrong, they are compared once more with a log that names contributions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// How many messages a channel can hold that no receive has taken.
struct Slots {
  int of_a_channel = 0;  ///< 0: any number
};

/// A fault of the graph at one task.
struct TaskViolation {
  /// Unset for a race, a fault that schedules in rounds cannot have: two tasks touch one place, or meet in one channel,
  /// in no settled order.
  std::optional<Fault> fault;
  Rank rank;
  int line = 0;      ///< the line of the task in the text that the graph was read from; 0 if no single task is at fault
  std::string text;  ///< one line that names rank, task and block
};

/// The name of a violation's fault as it is printed: "lost block", "race".
std::string rule_of(TaskViolation const& violation);

/// The result. At most most_violations are listed; `count` has all.
struct TaskProof {
  std::int64_t violation_count = 0;
  std::vector<TaskViolation> violations;  ///< the first `most_violations`, as they are found
  static constexpr std::int64_t most_violations = 1000;
  bool valid() const { return violation_count == 0; }
};

/// All faults of the graph, except for the consequences of an order that does not exist: contents are examined only if
/// all tasks end. Without a promise, only the points that need none are examined. Takes time and memory in proportion
/// to tasks, requirements and cells. Pairs that are ordered only by way of other ranks cost one more walk through the
/// graph for each 16 chains of tasks on which they begin. Throws ContractViolation if graph and promise have different
/// numbers of ranks, or the graph does not have one effect per task.
TaskProof prove(BlockGraph const& graph, Collective const* promise, Slots slots = {});

}  // namespace rondo
