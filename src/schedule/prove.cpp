// Runs the parts of a proof in their order. The first part finds out which send meets which receive, and an order in
// which all tasks can happen. Races and contents are only checked if all tasks can run.

#include "schedule/prove.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/text.hpp"
#include "schedule/prove_parts.hpp"
#include "schedule/shortest_cycle.hpp"

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

namespace rondo::proof {

/// Sorts arrows by their origins, by counting.
Arrows arrows(std::vector<Arrow> const& all, std::size_t nodes) {
  Arrows result{std::vector<std::uint32_t>(nodes + 1, 0), std::vector<std::uint32_t>(all.size())};
  for (Arrow const& each : all) ++result.first[each.from + 1];
  for (std::size_t i = 1; i <= nodes; ++i) result.first[i] += result.first[i - 1];
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (Arrow const& each : all) result.to[next[each.from]++] = each.to;
  return result;
}

namespace {

/// By channel its sends, or its receives, in their order.
Arrows ends_of(TaskGraph const& graph, Channels const& channels, TaskKind kind) {
  std::vector<Arrow> ends;
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    if (graph.tasks[task].kind == kind && channels.of[task] != no_channel) ends.push_back({channels.of[task], task});
  }
  return arrows(ends, channels.count);
}

/// Matches messages and orders tasks. With limited slots a channel's later sends wait for earlier receives.
class Ordering {
 public:
  Ordering(BlockGraph const& graph, Slots slots, Faults& faults)
      : graph_(graph), tasks_(graph.tasks), slots_(slots), faults_(faults) {}

  /// If tasks wait for each other in a cycle, the sequence has fewer entries than there are nodes.
  Order run() {
    order_.channels = channels(tasks_);
    order_.partner.assign(tasks_.tasks.size(), no_task);
    match();
    add_requirements();
    for (std::uint32_t task = 0; task < tasks_.tasks.size(); ++task) {
      std::uint32_t const partner = order_.partner[task];
      if (partner != no_task && tasks_.tasks[task].kind == TaskKind::send) order_.all.push_back({task, partner});
    }
    order_.after = arrows(order_.all, order_.nodes);
    walk(order_.after, order_.sequence);
    order_.place.assign(order_.nodes, 0);
    for (std::uint32_t i = 0; i < order_.sequence.size(); ++i) order_.place[order_.sequence[i]] = i;
    if (order_.sequence.size() < order_.nodes) {
      report_circle(order_.all, order_.sequence, "deadlock: circular wait");
    } else if (slots_.of_a_channel > 0) {
      check_slots();
    }
    return std::move(order_);
  }

 private:
  /// In each channel the k-th send meets the k-th receive; the others are reported.
  void match() {
    sends_ = ends_of(tasks_, order_.channels, TaskKind::send);
    receives_ = ends_of(tasks_, order_.channels, TaskKind::receive);
    for (std::uint32_t channel = 0; channel < order_.channels.count; ++channel) {
      auto const sent = sends_.of(channel), received = receives_.of(channel);
      std::size_t const pairs = std::min(sent.size(), received.size());
      for (std::size_t k = 0; k < pairs; ++k) meet(sent[k], received[k]);
      for (std::uint32_t const send : sent.subspan(pairs)) {
        faults_.add(Fault::unmatched_send, send, [&] { return name_of(graph_, send) + " is met by no receive"; });
      }
      for (std::uint32_t const receive : received.subspan(pairs)) {
        faults_.add(Fault::unmatched_receive, receive, [&] { return name_of(graph_, receive) + " is met by no send"; });
      }
    }
    for (std::uint32_t task = 0; task < tasks_.tasks.size(); ++task) {
      if (tasks_.tasks[task].kind == TaskKind::calc || order_.channels.of[task] != no_channel) continue;
      faults_.add(Fault::malformed, task,
                  [&] { return name_of(graph_, task) + " has a partner rank that does not exist"; });
    }
  }

  /// Notes that two tasks meet, and compares their sizes.
  void meet(std::uint32_t send, std::uint32_t receive) {
    order_.partner[send] = receive;
    order_.partner[receive] = send;
    bool const alike = tasks_.tasks[send].amount == tasks_.tasks[receive].amount &&
                       graph_.effects[send].count == graph_.effects[receive].count;
    if (alike) return;
    faults_.add(Fault::size_mismatch, receive, [&] {
      return fmt::format("{} meets {} of another size", name_of(graph_, receive), name_of(graph_, send));
    });
  }

  /// If other tasks wait for the start of a task, that start gets a node of its own before the node of the task's
  /// effect.
  void add_requirements() {
    std::vector<std::uint32_t> start(tasks_.tasks.size());
    for (std::uint32_t task = 0; task < start.size(); ++task) start[task] = task;
    order_.nodes = start.size();
    for (Requirement const& each : tasks_.requirements) {
      if (each.until != Until::start || start[each.on] != each.on) continue;
      start[each.on] = static_cast<std::uint32_t>(order_.nodes++);
      task_of_start_.push_back(each.on);
    }
    order_.all.reserve(tasks_.requirements.size() + tasks_.tasks.size() / 2);
    for (Requirement const& each : tasks_.requirements) {
      order_.all.push_back({each.until == Until::finish ? each.on : start[each.on], start[each.task]});
    }
    for (std::uint32_t const task : task_of_start_) order_.all.push_back({start[task], task});
  }

  /// Appends to `sequence` each node whose predecessors are all in it.
  void walk(Arrows const& after, std::vector<std::uint32_t>& sequence) const {
    std::vector<std::uint32_t> open(order_.nodes, 0);
    for (std::uint32_t const node : after.to) ++open[node];
    sequence.reserve(order_.nodes);
    for (std::uint32_t node = 0; node < order_.nodes; ++node) {
      if (open[node] == 0) sequence.push_back(node);
    }
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      for (std::uint32_t const node : after.of(sequence[i])) {
        if (--open[node] == 0) sequence.push_back(node);
      }
    }
  }

  /// With bounded channels, a send also waits for the receive that comes so many before its own.
  void check_slots() {
    auto const held = static_cast<std::size_t>(slots_.of_a_channel);
    std::vector<Arrow> all = order_.all;
    for (std::uint32_t channel = 0; channel < order_.channels.count; ++channel) {
      auto const sent = sends_.of(channel), received = receives_.of(channel);
      for (std::size_t k = held; k < sent.size() && k - held < received.size(); ++k) {
        all.push_back({received[k - held], sent[k]});
      }
    }
    std::vector<std::uint32_t> sequence;
    walk(arrows(all, order_.nodes), sequence);
    if (sequence.size() == order_.nodes) return;
    report_circle(
        all, sequence,
        fmt::format("deadlock where a channel holds {} on their way: circular wait", counted(held, "message")));
  }

  /// Reports a shortest cycle among the tasks that could not run.
  void report_circle(std::vector<Arrow> const& all, std::vector<std::uint32_t> const& sequence,
                     std::string const& what) {
    std::vector<bool> done(order_.nodes, false);
    for (std::uint32_t const node : sequence) done[node] = true;
    std::vector<std::vector<std::uint32_t>> waits(order_.nodes);
    for (Arrow const& each : all) {
      if (!done[each.from] && !done[each.to]) waits[each.to].push_back(each.from);
    }
    std::vector<std::uint32_t> circle = shortest_cycle(waits);
    for (std::uint32_t& node : circle) node = task_of(node);
    circle.erase(std::unique(circle.begin(), circle.end()), circle.end());
    if (circle.empty()) return;
    faults_.add(Fault::circular_wait, circle.front(), [&] { return what + ": " + cycle_text(circle); });
  }

  /// At most eight tasks are named.
  std::string cycle_text(std::vector<std::uint32_t> const& circle) const {
    constexpr std::size_t most_named = 8;
    std::string text = name_of(graph_, circle.front());
    for (std::size_t i = 1; i <= std::min(circle.size(), most_named); ++i) {
      text += " waits for " + name_of(graph_, circle[i % circle.size()]);
      if (i < circle.size() && i < most_named) text += ", which";
    }
    return circle.size() > most_named ? text + fmt::format(", ... ({} tasks in total)", circle.size()) : text;
  }

  std::uint32_t task_of(std::uint32_t node) const {
    std::size_t const tasks = tasks_.tasks.size();
    return node < tasks ? node : task_of_start_[node - tasks];
  }

  BlockGraph const& graph_;
  TaskGraph const& tasks_;
  Slots slots_;
  Faults& faults_;
  Order order_;
  Arrows sends_, receives_;
  std::vector<std::uint32_t> task_of_start_;
};

}  // namespace

Order order_of(BlockGraph const& graph, Slots slots, Faults& faults) { return Ordering(graph, slots, faults).run(); }

}  // namespace rondo::proof
