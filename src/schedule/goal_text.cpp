// Reads and writes GOAL text rank by rank (schedule/task_graph.hpp, schedule/goal_notes.hpp). Labels belong to one
// rank; a requirement may name a label that comes later. A large graph is never in memory as text.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedule/goal_notes.hpp"
#include "schedule/goal_tokens.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

namespace {

using goal::Token;
using goal::TokenKind;
using goal::Tokens;

constexpr std::int64_t most_amount = std::numeric_limits<std::int64_t>::max();
/// In LogGOPSim the greatest number of 32 bits means "any tag".
constexpr std::int64_t most_tag = std::int64_t{0xffff'fffe};

/// The tasks and requirements of one rank; tasks are numbered from 0.
struct RankTasks {
  std::vector<Task> tasks;
  std::vector<std::uint32_t> lines;
  std::vector<Requirement> requirements;
  std::vector<GoalNote> notes;
};

GoalNote note_of(Token const& token, std::uint32_t task) { return {task, token.text, token.line, token.column}; }

/// Reads the statements between the braces of a rank.
class RankReader {
 public:
  RankReader(Tokens& tokens, int ranks) : tokens_(tokens), ranks_(ranks) {}

  /// Reads "{ statements }" of a rank.
  RankTasks read() {
    tokens_.expect("{");
    tokens_.skip_line_ends();
    take_notes();
    while (!tokens_.accept("}")) {
      read_statement();
      if (tokens_.next().kind != TokenKind::line_end && !tokens_.is("}")) {
        tokens_.fail("the end of the statement");
      }
      take_notes();
      tokens_.skip_line_ends();
      take_notes();
    }
    for (Pending const& each : pending_) {
      rank_.requirements.push_back({labelled(each.task), labelled(each.on), each.until});
    }
    return std::move(rank_);
  }

 private:
  /// A requirement that waits for the end of its rank, because it may stand before the tasks that it names.
  struct Pending {
    Token task, on;
    Until until;
  };

  /// Takes the notes so far; a note on the line of a task belongs to that task.
  void take_notes() {
    for (Token const& note : tokens_.take_notes()) {
      bool const of_a_task = !rank_.tasks.empty() && rank_.lines.back() == static_cast<std::uint32_t>(note.line);
      if (!of_a_task) tokens_.fail_at(note, "expected a note (//@) behind a task, on its line");
      rank_.notes.push_back(note_of(note, static_cast<std::uint32_t>(rank_.tasks.size() - 1)));
    }
  }

  /// A task with or without a label, or a requirement.
  void read_statement() {
    if (read_task()) return;
    Token const label = tokens_.next();
    tokens_.word("\"send\", \"recv\", \"calc\", a label or \"}\"");
    if (tokens_.accept(":")) {
      auto const [found, is_new] = labels_.try_emplace(label.text, rank_.tasks.size());
      if (!is_new) tokens_.fail_at(label, fmt::format("the label \"{}\" stands twice in its rank", label.text));
      if (!read_task()) tokens_.fail("\"send\", \"recv\" or \"calc\"");
    } else {
      read_requirement(label);
    }
  }

  /// LABEL requires LABEL, or irequires for a start.
  void read_requirement(Token const& label) {
    Until until = Until::finish;
    if (tokens_.accept("irequires")) {
      until = Until::start;
    } else if (!tokens_.accept("requires")) {
      tokens_.fail("\":\", \"requires\" or \"irequires\"");
    }
    Token const on = tokens_.next();
    tokens_.word("a label");
    pending_.push_back({label, on, until});
  }

  /// Returns false if no task begins here.
  bool read_task() {
    Task task;
    auto const line = static_cast<std::uint32_t>(tokens_.next().line);
    if (tokens_.accept("calc")) {
      task.amount = tokens_.number("nanoseconds", most_amount);
    } else if (tokens_.accept("send")) {
      task.kind = TaskKind::send;
      read_transfer(task, "to");
    } else if (tokens_.accept("recv")) {
      task.kind = TaskKind::receive;
      read_transfer(task, "from");
    } else {
      return false;
    }
    if (tokens_.accept("cpu")) task.cpu = static_cast<std::uint8_t>(tokens_.number("a CPU", 255));
    if (task.kind != TaskKind::calc && tokens_.accept("nic")) {
      task.nic = static_cast<std::uint8_t>(tokens_.number("a NIC", 255));
    }
    rank_.tasks.push_back(task);
    rank_.lines.push_back(line);
    return true;
  }

  /// Reads the rest of a send or receive.
  void read_transfer(Task& task, char const* direction) {
    task.amount = tokens_.number("bytes", most_amount);
    tokens_.expect("b");
    tokens_.expect(direction);
    refuse_any("a receive from any rank (-1) is not supported: expected a rank");
    task.peer = static_cast<std::int32_t>(tokens_.number("a rank", ranks_ - 1));
    if (!tokens_.accept("tag")) return;
    refuse_any("a receive of any tag (-1) is not supported: expected a tag");
    task.tag = static_cast<std::uint32_t>(tokens_.number("a tag", most_tag));
  }

  void refuse_any(char const* what) const {
    if (tokens_.is("-")) tokens_.fail_at(tokens_.next(), what);
  }

  /// The task of a label.
  std::uint32_t labelled(Token const& label) const {
    auto const found = labels_.find(label.text);
    if (found == labels_.end()) {
      tokens_.fail_at(label, fmt::format("no task of this rank has the label \"{}\"", label.text));
    }
    return static_cast<std::uint32_t>(found->second);
  }

  Tokens& tokens_;
  int ranks_;
  RankTasks rank_;
  std::unordered_map<std::string_view, std::size_t> labels_;
  std::vector<Pending> pending_;
};

/// Appends the tasks of all ranks, in the order of the ranks.
void join_ranks(std::vector<std::unique_ptr<RankTasks>>& ranks, GoalText& text) {
  TaskGraph& graph = text.graph;
  for (auto& rank : ranks) {
    auto const base = static_cast<std::uint32_t>(graph.tasks.size());
    if (rank) {
      graph.tasks.insert(graph.tasks.end(), rank->tasks.begin(), rank->tasks.end());
      graph.lines.of.insert(graph.lines.of.end(), rank->lines.begin(), rank->lines.end());
      for (Requirement const& each : rank->requirements) {
        graph.requirements.push_back({base + each.task, base + each.on, each.until});
      }
      for (GoalNote note : rank->notes) {
        note.task += base;
        text.notes.push_back(note);
      }
      rank.reset();
    }
    graph.first.push_back(next_task(graph));
  }
}

}  // namespace

TaskGraph read_goal(std::string_view text, std::string const& name, std::int64_t most_ranks) {
  return read_goal_notes(text, name, most_ranks).graph;
}

/// Ranks may come in any order; one that does not occur has no tasks.
GoalText read_goal_notes(std::string_view text, std::string const& name, std::int64_t most_ranks) {
  GoalText result;
  Tokens tokens(text, name);
  tokens.skip_line_ends();
  tokens.expect("num_ranks");
  Token const count = tokens.next();
  auto const ranks = static_cast<int>(tokens.number("the number of ranks", most_goal_ranks));
  if (ranks > most_ranks) {
    tokens.fail_at(count,
                   fmt::format("num_ranks: expected at most {}, the ranks of the machine, got {}", most_ranks, ranks));
  }
  std::int64_t const most_of_text = std::max(most_undescribed_ranks, std::ssize(text));
  if (ranks > most_of_text) {
    tokens.fail_at(count, fmt::format("num_ranks: expected at most {} in a text of {} bytes, got {}", most_of_text,
                                      text.size(), ranks));
  }
  if (ranks == 0) tokens.fail_at(count, "expected at least one rank, got 0");
  std::vector<std::unique_ptr<RankTasks>> read(static_cast<std::size_t>(ranks));
  for (tokens.skip_line_ends(); tokens.next().kind != TokenKind::end; tokens.skip_line_ends()) {
    for (Token const& note : tokens.take_notes()) result.notes.push_back(note_of(note, GoalNote::of_all));
    tokens.expect("rank");
    Token const place = tokens.next();
    auto const rank = static_cast<std::size_t>(tokens.number("a rank", ranks - 1));
    if (read[rank]) tokens.fail_at(place, fmt::format("rank {} stands twice", rank));
    read[rank] = std::make_unique<RankTasks>(RankReader(tokens, ranks).read());
  }
  join_ranks(read, result);
  return result;
}

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
