#include <fmt/format.h>

#include <iterator>

#include "schedule/task_graph.hpp"

namespace rondo {

namespace {

using Text = fmt::memory_buffer;

void write(Text& text, Task const& task, std::size_t number) {
  auto const out = std::back_inserter(text);
  if (task.kind == TaskKind::calc) {
    fmt::format_to(out, "l{}: calc {}", number, task.amount);
  } else {
    bool const sends = task.kind == TaskKind::send;
    fmt::format_to(out, "l{}: {} {}b {} {} tag {}", number, sends ? "send" : "recv", task.amount, sends ? "to" : "from",
                   task.peer, task.tag);
  }
  if (task.cpu != 0) fmt::format_to(out, " cpu {}", task.cpu);
  if (task.nic != 0 && task.kind != TaskKind::calc) fmt::format_to(out, " nic {}", task.nic);
  text.push_back('\n');
}

/// Requirements by rank, in their order; most graphs have them so already.
std::vector<std::vector<std::uint32_t>> requirements_by_rank(TaskGraph const& graph) {
  std::vector<std::vector<std::uint32_t>> result(static_cast<std::size_t>(graph.ranks()));
  for (std::uint32_t i = 0; i < graph.requirements.size(); ++i) {
    result[static_cast<std::size_t>(graph.rank_of(graph.requirements[i].task).value)].push_back(i);
  }
  return result;
}

}  // namespace

void write_goal(TaskGraph const& graph, std::function<void(std::string_view)> const& sink) {
  sink(fmt::format("num_ranks {}\n", graph.ranks()));
  auto const requirements = requirements_by_rank(graph);
  Text text;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    text.clear();
    fmt::format_to(std::back_inserter(text), "\nrank {} {{\n", rank);
    auto const tasks = graph.of(Rank(rank));
    auto const r = static_cast<std::size_t>(rank);
    for (std::size_t i = 0; i < tasks.size(); ++i) write(text, tasks[i], i + 1);
    for (std::uint32_t const i : requirements[r]) {
      auto const& [task, on, until] = graph.requirements[i];
      fmt::format_to(std::back_inserter(text), "l{} {} l{}\n", task - graph.first[r] + 1,
                     until == Until::finish ? "requires" : "irequires", on - graph.first[r] + 1);
    }
    fmt::format_to(std::back_inserter(text), "}}\n");
    sink({text.data(), text.size()});
  }
}

}  // namespace rondo
