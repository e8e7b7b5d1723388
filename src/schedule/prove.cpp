// Runs the parts of a proof in their order. Races and contents are only checked if all tasks can run.

#include "schedule/prove.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/index.hpp"
#include "schedule/prove_parts.hpp"

namespace rondo {

/// The names of a cell in all buffers that contain it, such as "send[0] = receive[2]".
std::string BlockGraph::name_of(Rank rank, std::uint32_t cell) const {
  std::string text;
  for (std::size_t b = 0; b < buffer_names.size(); ++b) {
    CellRange const& range = buffers[at(rank)][b];
    if (!range.holds(cell)) continue;
    text += fmt::format("{}{}[{}]", text.empty() ? "" : " = ", buffer_names[b], cell - range.first);
  }
  return text;
}

std::string rule_of(TaskViolation const& violation) { return violation.fault ? to_string(*violation.fault) : "race"; }

/// How an error names a task: by the step of an MSCCL algorithm, or by its place in the text.
std::string name_of(BlockGraph const& graph, std::uint32_t task) {
  if (task >= graph.steps.size()) return name_of(graph.tasks, task);
  StepName const& step = graph.steps[task];
  return fmt::format("gpu {}'s tb {} step {} ({}, line {})", graph.tasks.rank_of(task).value, step.thread_block,
                     step.step, step.type, graph.tasks.lines.of[task]);
}

/// Without a promise, contents are not checked.
TaskProof prove(BlockGraph const& graph, Collective const* promise, Slots slots) {
  expects(graph.effects.size() == graph.tasks.tasks.size(), "one effect a task");
  expects(promise == nullptr || ranks(*promise) == graph.tasks.ranks(), "a graph and a promise of the same ranks");
  proof::Faults faults(graph.tasks);
  proof::Order const order = proof::order_of(graph, slots, faults);
  if (order.sequence.size() == order.nodes) {
    proof::check_races(graph, order, faults);
    if (promise != nullptr) proof::check_contents(graph, *promise, order, faults);
  }
  TaskProof proof;
  proof.violation_count = faults.count();
  proof.violations = std::move(faults).take();
  return proof;
}

}  // namespace rondo
