// Prints graphs of tasks rank by rank.

#include "run/output/show_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/listed.hpp"
#include "run/families/promised_tasks.hpp"
#include "run/points/task_run.hpp"

namespace rondo {
namespace {

/// The requirements of each task.
std::vector<std::vector<Requirement>> requirements_of(TaskGraph const& graph) {
  std::vector<std::vector<Requirement>> result(graph.tasks.size());
  for (Requirement const& each : graph.requirements) result[each.task].push_back(each);
  return result;
}

/// The names of the first `most` places, and the number of the others.
std::string places(BlockGraph const& graph, std::uint32_t task, std::span<std::uint32_t const> cells,
                   std::size_t most) {
  Rank const rank = graph.tasks.rank_of(task);
  std::vector<std::string> names;
  for (std::uint32_t const cell : cells.first(std::min(most, cells.size()))) names.push_back(graph.name_of(rank, cell));
  std::string const more = cells.size() > most ? fmt::format(" and {} more", cells.size() - most) : "";
  return fmt::format("{}{}", listed(names, ", "), more);
}

/// ": reads i[0]; writes o[1]", as far as the blocks are known.
std::string effect_text(BlockGraph const& graph, std::uint32_t task, std::size_t most) {
  if (graph.effects.empty()) return "";
  auto const reads = graph.reads(task), writes = graph.writes(task);
  std::string text;
  if (!reads.empty()) text += "; reads " + places(graph, task, reads, most);
  if (!writes.empty()) text += "; writes " + places(graph, task, writes, most);
  if (graph.effects[task].passed != Effect::none) text += "; passes on what came";
  return text;
}

/// A task: what it sends or receives, what it does to blocks, and which tasks it waits for.
std::string line_of(TaskFile const& file, std::uint32_t task, std::vector<Requirement> const& required,
                    std::size_t most) {
  TaskGraph const& tasks = file.graph.tasks;
  Task const& it = tasks.tasks[task];
  std::string text = "  " + name_of(file.graph, task);
  if (!file.graph.steps.empty() && it.kind == TaskKind::send) {
    text += fmt::format(" sends {} to rank {}", print(Bytes(it.amount)), it.peer);
  }
  if (!file.graph.steps.empty() && it.kind == TaskKind::receive) {
    text += fmt::format(" receives {} from rank {}", print(Bytes(it.amount)), it.peer);
  }
  text += effect_text(file.graph, task, most);
  std::vector<std::string> before;
  for (Requirement const& each : required) {
    before.push_back((each.until == Until::start ? "the start of " : "") + name_of(file.graph, each.on));
  }
  if (!before.empty()) text += fmt::format("; behind {}", listed(before, ", "));
  return text + "\n";
}

std::string blocks_text(char const* what, Bytes bytes, Bytes block, std::optional<double> bound) {
  std::string const limit = bound ? fmt::format(" (bound {:.12g})", *bound) : "";
  return fmt::format("{} {:.12g}{}\n", what, static_cast<double>(bytes.value) / static_cast<double>(block.value),
                     limit);
}

std::string counts_text(TaskPlan const& plan, Bytes block) {
  TaskCounts const counted = count(plan.tasks.graph.tasks);
  std::string text = fmt::format("messages in all {}\nbytes sent by a rank {}\n", counted.messages, counted.sent.value);
  if (plan.says_sizes || block == Bytes(0)) return text;
  Figures const& bound = plan.prediction.bound;
  return text + blocks_text("blocks sent by a rank", counted.sent, block, bound.volume_blocks) +
         blocks_text("blocks received by a rank", counted.received, block, bound.received_blocks) +
         blocks_text("blocks in all", counted.bytes, block, bound.total_blocks);
}

std::string verdict_text(TaskFile const& tasks, TaskVerdict const& verdict) {
  if (verdict.violations == 0) return "verified: " + proof_text(tasks, verdict) + "\n";
  std::string text = fmt::format("{} violation{}\n", verdict.violations, verdict.violations == 1 ? "" : "s");
  for (TaskFinding const& each : verdict.first) text += "  " + each.text + "\n";
  return text;
}

void expect_readable(TaskGraph const& graph, std::string const& file, ShownPart const& part) {
  if (part.round) throw InputError("expected no --round for tasks, which have no rounds");
  if (part.rank && *part.rank >= graph.ranks()) {
    throw InputError(fmt::format("--rank: expected a rank, from 0 to {}, got {}", graph.ranks() - 1, *part.rank));
  }
  auto const tasks = static_cast<std::int64_t>(graph.tasks.size());
  if (tasks > most_messages_printed && !part.rank) {
    throw InputError(fmt::format("{}: expected at most {} tasks to print, got {}; --rank prints those of one", file,
                                 most_messages_printed, tasks));
  }
}

}  // namespace

std::string proof_text(TaskFile const& tasks, TaskVerdict const& verdict) {
  bool const needs_buffers = verdict.needs_buffered_sends.value_or(false);
  if (tasks.promise) {
    return std::string("every block that is owed is in its place at the end, whatever runs first") +
           (needs_buffers ? "; needs buffered sends" : "");
  }
  return fmt::format("sends and receives meet, and no rank waits for ever{}; nothing is promised",
                     needs_buffers ? " if sends are buffered" : "");
}

Shown show_tasks(TaskPlan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 ShownPart const& part) {
  TaskGraph const& graph = plan.tasks.graph.tasks;
  expect_readable(graph, file, part);
  std::string text =
      fmt::format("{} by {}, p {}{}; {} tasks of {}\n", enum_name(kind(scenario.problem)), algorithm(scenario.problem),
                  graph.ranks(), plan.says_sizes ? "" : ", block " + print(scenario.block), graph.tasks.size(),
                  title(plan.tasks.format));
  auto const required = requirements_of(graph);
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    if (part.rank && *part.rank != rank) continue;
    text += fmt::format("rank {}\n", rank);
    for (std::uint32_t task = graph.first[static_cast<std::size_t>(rank)];
         task < graph.first[static_cast<std::size_t>(rank) + 1]; ++task) {
      text += line_of(plan.tasks, task, required[task], part.most_places);
    }
  }
  TaskVerdict const verdict = judge(plan.tasks);
  return {text + counts_text(plan, scenario.block) + verdict_text(plan.tasks, verdict), verdict.violations == 0};
}

}  // namespace rondo
