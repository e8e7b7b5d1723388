#pragma once

// The proof of a BlockGraph: a task graph that was read from somewhere else, against the promise of its collective.
//
// What is proved, in this order:
// 1. Sends and receives match: in each channel (source, target, tag) the k-th send meets the k-th receive, both are of
//    one size, and at both ends their order is settled.
// 2. Every task comes to its end if sends are eager; with `slots`, also if a channel takes no further send before the
//    receive that came so many before it has ended.
// 3. No two tasks touch one cell, one of them writing, without order between them: the order of requirements and
//    messages, over whatever ranks it goes.
// 4. What is owed lies in its place at the end. With 3, the contents are the same in every order in which tasks may
//    run, so that one order speaks for all. Reductions are compared by fingerprints (verify_reductions.hpp) and, where
//    something is wrong, once more with a log that names contributions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// How many messages a channel holds on their way.
struct Slots {
  int of_a_channel = 0;  ///< 0: any number
};

struct TaskViolation {
  /// Unset: a race, which a schedule in rounds does not know: tasks touch one place, or meet in one channel, without
  /// order between them.
  std::optional<Fault> fault;
  Rank rank;
  int line = 0;      ///< that of the task in the text that the graph was read from; 0: it is about no one task
  std::string text;  ///< one line that names rank, task and block
};

/// The name of a violation's fault as it is printed: "lost block", "race".
std::string rule_of(TaskViolation const& violation);

struct TaskProof {
  std::int64_t violation_count = 0;
  std::vector<TaskViolation> violations;  ///< the first `most_violations`, as they are found
  static constexpr std::int64_t most_violations = 1000;
  bool valid() const { return violation_count == 0; }
};

/// What is wrong with the graph, nothing left out but for what follows from an order that does not exist: contents are
/// looked at only where all tasks come to their end. Without a promise only what needs none is looked at. Takes time
/// and memory in proportion to tasks, requirements and cells; orders that only other ranks settle cost one more walk
/// through the graph for each 16 chains of tasks that they begin on. Throws ContractViolation if graph and promise have
/// different numbers of ranks, or a graph has not one effect a task.
TaskProof prove(BlockGraph const& graph, Collective const* promise, Slots slots = {});

}  // namespace rondo
