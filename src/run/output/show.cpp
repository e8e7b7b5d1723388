// Ranks with the same program share a section.

#include "run/output/show.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "run/families/plan.hpp"
#include "run/families/promises.hpp"
#include "run/points/preview.hpp"
#include "run/points/run.hpp"
#include "run/points/task_run.hpp"
#include "schedule/measure.hpp"

namespace rondo {
namespace {

/// Prints a place: "send[3]".
std::string text_of(Place place) {
  static constexpr char const* names[] = {"send", "receive", "intermediate"};
  return fmt::format("{}[{}]", names[static_cast<int>(place.buffer())], place.slot());
}

/// Prints the partner of a transfer: an offset if the schedule has offsets, otherwise a rank.
std::string partner(Schedule const& schedule, Transfer const& transfer) {
  if (schedule.offsets.empty()) return fmt::format("rank {}", transfer.peer);
  auto const d = static_cast<std::size_t>(schedule.torus->dimensions());
  auto const offset = std::span(schedule.offsets).subspan(static_cast<std::size_t>(transfer.peer) * d, d);
  return fmt::format("R + ({})", listed(offset, ", "));
}

/// Prints the name that the algorithm's description gives to the message: "#1 "; empty if it has none.
std::string label_of(Schedule const& schedule, Program const& program, Transfer const& transfer) {
  std::uint8_t const label = program.label(transfer);
  return label == 0 ? "" : schedule.labels.at(label - 1U) + " ";
}

/// Tells how a receive or copy joins the arriving content; empty if it stores it.
char const* joining(Join join) {
  switch (join) {
    case Join::none:
      return "";
    case Join::before:
      return ", joined before what lies there";
    case Join::after:
      return ", joined after what lies there";
  }
  return "";
}

/// Prints a send or a receive: partner, blocks, bytes, and the first `most_places` places.
std::string line_of(Schedule const& schedule, Program const& program, Transfer const& transfer, char const* direction,
                    std::size_t most_places) {
  auto const places = program.places(transfer);
  std::string text = fmt::format("    {}{} {}: {}, {}{}:", label_of(schedule, program, transfer), direction,
                                 partner(schedule, transfer), counted(places.size(), "block"),
                                 print(program.bytes(transfer)), joining(transfer.join));
  for (std::size_t k = 0; k < std::min(places.size(), most_places); ++k) text += " " + text_of(places[k]);
  if (places.size() > most_places) text += fmt::format(" and {} more", places.size() - most_places);
  return text + "\n";
}

/// Prints the rounds of a program, or only the round of `part`. Round 0 has the copies before the first round; it is
/// left out if it has none, unless it was asked for.
std::string rounds_of(Schedule const& schedule, Program const& program, ShownPart const& part) {
  std::string text;
  for (int round = part.round.value_or(0); round <= part.round.value_or(program.rounds()); ++round) {
    auto const copies = program.copies(round);
    bool const idle = program.sends(round).empty() && program.receives(round).empty() && copies.empty();
    if (idle && round == 0 && !part.round) continue;
    text += round == 0 ? "  before the first round\n" : fmt::format("  round {}{}\n", round, idle ? ": idle" : "");
    for (Transfer const& t : program.sends(round)) text += line_of(schedule, program, t, "send to", part.most_places);
    for (Transfer const& t : program.receives(round)) {
      text += line_of(schedule, program, t, "receive from", part.most_places);
    }
    for (Copy const& c : copies) {
      text += fmt::format("    copy {} to {}{}\n", text_of(c.from), text_of(c.into), joining(c.join));
    }
  }
  return text;
}

/// Prints the ranks that follow a program, as a heading.
std::string ranks_of(Schedule const& schedule, std::size_t program) {
  if (schedule.program_of.empty()) return fmt::format("every rank R of {}", schedule.ranks);
  std::vector<std::size_t> followers;
  for (std::size_t r = 0; r < schedule.program_of.size(); ++r) {
    if (schedule.program_of[r] == program) followers.push_back(r);
  }
  return fmt::format("rank{} {}", followers.size() == 1 ? "" : "s", listed(followers, ", "));
}

std::string text_of(std::int64_t number) { return fmt::format("{}", number); }
std::string text_of(double number) { return fmt::format("{:.12g}", number); }

/// Prints a count beside its values in theory and as a bound, where they are known: "rounds 6 (theory 6, bound 3)".
template <typename Number>
std::string figure(char const* name, Number counted, std::optional<Number> theory, std::optional<Number> bound) {
  std::string comparison = theory ? "theory " + text_of(*theory) : "";
  if (bound) comparison += (comparison.empty() ? "bound " : ", bound ") + text_of(*bound);
  return fmt::format("{} {}{}", name, text_of(counted), comparison.empty() ? "" : " (" + comparison + ")");
}

/// Prints the counts of the schedule beside theory and bounds, a line for each.
std::string counts_of(Measures const& m, Prediction const& prediction) {
  Figures const& theory = prediction.theory;
  Figures const& bound = prediction.bound;
  std::vector<std::string> const lines = {
      fmt::format("bounds are those of {} links{}", prediction.links.value_or("no"),
                  prediction.message_blocks
                      ? fmt::format(" and at most {} a message", counted(*prediction.message_blocks, "block"))
                      : ""),
      figure("rounds", std::int64_t{m.rounds}, theory.rounds, bound.rounds),
      figure("blocks sent by a rank", m.volume_blocks, theory.volume_blocks, bound.volume_blocks),
      figure("bytes sent by a rank", m.volume_bytes.value, theory.volume_bytes, bound.volume_bytes),
      figure("largest message of each round, summed: blocks", m.critical_blocks, theory.critical_blocks,
             bound.critical_blocks),
      figure("blocks received by a rank", m.received_blocks, theory.received_blocks, bound.received_blocks),
      figure("blocks in all", m.total_blocks, theory.total_blocks, bound.total_blocks),
      figure("messages in all", m.messages, theory.messages, bound.messages),
  };
  std::string text = fmt::format("{}\n", listed(lines, "\n"));
  if (m.reduced_bytes > Bytes(0)) text += fmt::format("bytes reduced by a rank {}\n", m.reduced_bytes.value);
  if (theory.time_s) text += fmt::format("theory's time {:.12g} s\n", *theory.time_s);
  return text;
}

/// Prints the proof of a valid schedule, or the violations of another one.
std::string verdict_text(Schedule const& schedule, Verdict const& verdict) {
  if (verdict.valid()) return "verified: " + proof_text(schedule, verdict) + "\n";
  std::string text =
      fmt::format("{}{}\n", counted(verdict.violation_count, "violation"), verdict.delivered ? "" : "; not delivered");
  for (Violation const& violation : verdict.violations) text += "  " + violation.text + "\n";
  return text;
}

/// Throws InputError if the schedule is too large to be made or to be printed whole. It uses the estimate, before
/// anything is made. A schedule in a file, and one without an estimate, is not checked.
void expect_shown(scenario::Scenario const& scenario, std::string const& file, ShownPart const& part) {
  if (std::holds_alternative<problem::Custom>(scenario.problem)) return;
  auto const extent = extent_of(scenario);
  if (!extent) return;
  std::string const messages = messages_text(*extent);
  if (extent->seconds > most_seconds_to_show) {
    throw InputError(
        fmt::format("{}: expected a schedule that is made and proved in about {} s, got {} messages, which "
                    "take about {:.0f} s; --point and --set choose a smaller problem, then --rank and "
                    "--round show a part of it",
                    file, most_seconds_to_show, messages, extent->seconds));
  }
  if (extent->written > most_messages_printed && !part.rank && !part.round) {
    throw InputError(fmt::format("{}: expected at most {} messages to print, got {}; --rank and --round print a part",
                                 file, most_messages_printed, messages));
  }
}

/// Throws InputError unless the schedule has the rank and the round of `part`.
void expect_there(Schedule const& schedule, ShownPart const& part) {
  if (part.rank && *part.rank >= schedule.ranks) {
    throw InputError(fmt::format("--rank: expected a rank, from 0 to {}, got {}", schedule.ranks - 1, *part.rank));
  }
  if (part.round && *part.round > schedule.rounds()) {
    throw InputError(fmt::format("--round: expected a round, from 0 to {}, got {}", schedule.rounds(), *part.round));
  }
}

/// Prints how many blocks ranks received that they held already.
std::string redundancy_text(double redundant_blocks) {
  if (redundant_blocks == 0) return "no rank received a block that it held";
  return fmt::format("{:.12g} block{} received by ranks that held {} already", redundant_blocks,
                     redundant_blocks == 1 ? " was" : "s were", redundant_blocks == 1 ? "it" : "them");
}

}  // namespace

std::string proof_text(Schedule const& schedule, Verdict const& verdict) {
  bool const reduces = std::ranges::any_of(schedule.programs, [](Program const& each) { return each.joins() > 0; });
  return fmt::format("every {} is in its place at the end, once; {}", reduces ? "reduction" : "block",
                     redundancy_text(verdict.redundant_blocks));
}

Shown show(scenario::Scenario const& scenario, std::string const& file, ShownPart const& part) {
  expect_shown(scenario, file, part);
  Plan const plan = plan_of(scenario, file);
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) return show_tasks(*tasks, scenario, file, part);
  SchedulePlan const& chosen = schedule_plan(plan, file);
  Schedule const& schedule = chosen.schedule;
  std::string text =
      fmt::format("{} by {}, p {}, block {}; promises: ports {}, links {}\n", enum_name(kind(scenario.problem)),
                  algorithm(scenario.problem), schedule.ranks, print(scenario.block),
                  schedule.promises.ports == 0 ? "unlimited" : std::to_string(schedule.promises.ports),
                  enum_name(schedule.promises.links));
  expect_there(schedule, part);
  for (std::size_t k = 0; k < schedule.programs.size(); ++k) {
    if (part.rank && &schedule.program(Rank(*part.rank)) != &schedule.programs[k]) continue;
    text += ranks_of(schedule, k) + "\n" + rounds_of(schedule, schedule.programs[k], part);
  }
  text += counts_of(measure(schedule), chosen.prediction);
  Verdict const verdict = verify(schedule, chosen.collective, machine_limits(scenario.machine, schedule));
  return {text + verdict_text(schedule, verdict), verdict.valid()};
}

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
  std::string text = counted(verdict.violations, "violation") + "\n";
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
