// Writes GOAL text rank by rank, so that a large graph is never in memory as text.

#include <fmt/format.h>

#include <string>

#include "base/append.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

namespace {

/// A task with its label.
void write(std::string& text, Task const& task, std::size_t number) {
  if (task.kind == TaskKind::calc) {
    append(text, "l{}: calc {}", number, task.amount);
  } else {
    bool const sends = task.kind == TaskKind::send;
    append(text, "l{}: {} {}b {} {} tag {}", number, sends ? "send" : "recv", task.amount, sends ? "to" : "from",
           task.peer, task.tag);
  }
  if (task.cpu != 0) append(text, " cpu {}", task.cpu);
  if (task.nic != 0 && task.kind != TaskKind::calc) append(text, " nic {}", task.nic);
  text += '\n';
}

/// The requirements of each rank in their order. In most graphs they are ordered by rank already.
std::vector<std::vector<Requirement>> requirements_by_rank(TaskGraph const& graph) {
  std::vector<std::vector<Requirement>> result(static_cast<std::size_t>(graph.ranks()));
  for (Requirement const& each : graph.requirements) {
    result[static_cast<std::size_t>(graph.rank_of(each.task).value)].push_back(each);
  }
  return result;
}

/// Writes the tasks of one rank. `first` is the number of its first task in the whole graph, by which requirements
/// count.
void write_rank(std::string& text, int rank, std::span<Task const> tasks, std::uint32_t first,
                std::span<Requirement const> requirements) {
  text.clear();
  append(text, "\nrank {} {{\n", rank);
  for (std::size_t i = 0; i < tasks.size(); ++i) write(text, tasks[i], i + 1);
  for (auto const& [task, on, until] : requirements) {
    append(text, "l{} {} l{}\n", task - first + 1, until == Until::finish ? "requires" : "irequires", on - first + 1);
  }
  text += "}\n";
}

}  // namespace

/// The tasks of a rank are labelled from l1 on.
void write_goal(TaskGraph const& graph, std::function<void(std::string_view)> const& sink) {
  sink(fmt::format("num_ranks {}\n", graph.ranks()));
  auto const requirements = requirements_by_rank(graph);
  std::string text;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    auto const r = static_cast<std::size_t>(rank);
    write_rank(text, rank, graph.of(Rank(rank)), graph.first[r], requirements[r]);
    sink(text);
  }
}

/// Each rank is lowered by itself, so that the tasks of all ranks need not be in memory.
void write_goal(Schedule const& schedule, std::function<void(std::string_view)> const& sink) {
  sink(fmt::format("num_ranks {}\n", schedule.ranks));
  std::string text;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    TaskGraph const one = lower(schedule, Rank(rank));
    write_rank(text, rank, one.tasks, 0, one.requirements);
    sink(text);
  }
}

}  // namespace rondo
