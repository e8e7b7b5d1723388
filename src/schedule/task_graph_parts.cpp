// Numbers channels, inverts requirements, matches messages and explains deadlocks.

#include "schedule/task_graph_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/ids.hpp"
#include "schedule/shortest_cycle.hpp"

namespace rondo {

namespace {

/// The channels of one target. For each source there is a short chain of tags; tags that make a chain too long go into
/// a table.
class ChannelsOfTarget {
 public:
  explicit ChannelsOfTarget(int ranks) : chain_(at(ranks), nothing) {}

  /// Visits only what was used, since it is called for each target.
  void clear() {
    for (std::int32_t const source : sources_) chain_[at(source)] = nothing;
    sources_.clear();
    links_.clear();
    table_.clear();
  }

  /// The channel from a source with a tag. Short chains are searched; longer ones use a hash table.
  std::uint32_t find_or_add(std::int32_t source, std::uint32_t tag, std::uint32_t& count) {
    std::uint32_t i = chain_[at(source)];
    if (i == nothing) sources_.push_back(source);
    int length = 0;
    for (; i != nothing && links_[i].tag != tag; i = links_[i].next) ++length;
    if (i != nothing) return links_[i].channel;
    if (length == longest) {
      auto const [found, is_new] = table_.try_emplace(static_cast<std::uint64_t>(source) << 32 | tag, count);
      if (is_new) ++count;
      return found->second;
    }
    links_.push_back({tag, chain_[at(source)], count});
    chain_[at(source)] = static_cast<std::uint32_t>(links_.size() - 1);
    return count++;
  }

 private:
  static constexpr std::uint32_t nothing = 0xffff'ffff;
  static constexpr int longest = 8;
  /// A channel in the chain of its source.
  struct Link {
    std::uint32_t tag, next, channel;
  };
  std::vector<std::uint32_t> chain_;
  std::vector<Link> links_;
  std::vector<std::int32_t> sources_;
  std::unordered_map<std::uint64_t, std::uint32_t> table_;
};

/// A send, with what identifies its channel.
struct PostedSend {
  std::uint32_t task;
  std::int32_t source;
};

/// The sends ordered by target (counting sort); `first` has a closing entry.
struct SendsByTarget {
  std::vector<std::uint32_t> first;
  std::vector<PostedSend> sends;

  /// Sorts sends by target, by counting.
  explicit SendsByTarget(TaskGraph const& graph) : first(at(graph.ranks()) + 1, 0) {
    auto const counts = [&](Task const& task) {
      return task.kind == TaskKind::send && task.peer >= 0 && task.peer < graph.ranks();
    };
    for (Task const& task : graph.tasks) {
      if (counts(task)) ++first[at(task.peer) + 1];
    }
    for (std::size_t r = 1; r < first.size(); ++r) first[r] += first[r - 1];
    sends.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
      for (std::uint32_t i = graph.first[at(rank)]; i < graph.first[at(rank) + 1]; ++i) {
        if (counts(graph.tasks[i])) sends[next[at(graph.tasks[i].peer)]++] = {i, rank};
      }
    }
  }
};

}  // namespace

/// A receive without any send gets no channel.
Channels channels(TaskGraph const& graph) {
  Channels result{std::vector<std::uint32_t>(graph.tasks.size(), no_channel), 0};
  SendsByTarget const by_target(graph);
  ChannelsOfTarget channels(graph.ranks());
  for (std::size_t target = 0; target < at(graph.ranks()); ++target) {
    channels.clear();
    for (std::uint32_t i = by_target.first[target]; i < by_target.first[target + 1]; ++i) {
      PostedSend const& sent = by_target.sends[i];
      result.of[sent.task] = channels.find_or_add(sent.source, graph.tasks[sent.task].tag, result.count);
    }
    for (std::uint32_t i = graph.first[target]; i < graph.first[target + 1]; ++i) {
      Task const& task = graph.tasks[i];
      if (task.kind != TaskKind::receive || task.peer < 0 || task.peer >= graph.ranks()) continue;
      result.of[i] = channels.find_or_add(task.peer, task.tag, result.count);
    }
  }
  return result;
}

/// Sorts requirements by the task that they wait for.
Dependents::Dependents(TaskGraph const& graph, Until until) : first_(graph.tasks.size() + 1, 0) {
  for (Requirement const& each : graph.requirements) {
    if (each.until == until) ++first_[each.on + 1];
  }
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  tasks_.resize(first_.back());
  if (tasks_.empty()) return;
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (Requirement const& each : graph.requirements) {
    if (each.until == until) tasks_[next[each.on]++] = each.task;
  }
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) {
    auto const begin = tasks_.begin() + first_[i], end = tasks_.begin() + first_[i + 1];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
  }
}

std::vector<std::int32_t> ranks_of_tasks(TaskGraph const& graph) {
  std::vector<std::int32_t> ranks;
  ranks.reserve(graph.tasks.size());
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    ranks.insert(ranks.end(), graph.of(Rank(rank)).size(), rank);
  }
  return ranks;
}

/// Enqueues the task, or takes its partner if one waits.
std::optional<Meeting> ChannelMatcher::meet(std::uint32_t channel, std::uint32_t task, TaskKind kind) {
  Queue& queue = queues_[channel];
  if (queue.head == no_task) {
    queue = {task, task, kind};
    return std::nullopt;
  }
  if (queue.kind == kind) {
    next_[queue.tail] = task;
    queue.tail = task;
    return std::nullopt;
  }
  std::uint32_t const partner = queue.head;
  queue.head = next_[partner];
  return kind == TaskKind::send ? Meeting{task, partner} : Meeting{partner, task};
}

namespace {

/// The task as GOAL writes it.
std::string task_text(Task const& task) {
  if (task.kind == TaskKind::calc) return fmt::format("calc {}", task.amount);
  bool const sends = task.kind == TaskKind::send;
  return fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", task.amount, sends ? "to" : "from", task.peer,
                     task.tag);
}

}  // namespace

/// How an error names a task: by line, by node, or by the label that GOAL text would give it.
std::string name_of(TaskGraph const& graph, std::uint32_t task) {
  Rank const rank = graph.rank_of(task);
  std::string const text = task_text(graph.tasks[task]);
  if (task < graph.lines.of.size())
    return fmt::format("rank {}'s line {} ({})", rank.value, graph.lines.of[task], text);
  if (task < graph.lines.nodes.size())
    return fmt::format("rank {}'s node {} ({})", rank.value, graph.lines.nodes[task], text);
  return fmt::format("rank {}'s l{} ({})", rank.value, task - graph.first[at(rank.value)] + 1, text);
}

std::string size_fault(TaskGraph const& graph, Meeting const& meeting) {
  auto const [send, receive] = meeting;
  if (graph.tasks[send].amount == graph.tasks[receive].amount) return "";
  return fmt::format("{} meets {} of another size", name_of(graph, send), name_of(graph, receive));
}

namespace {

/// If a task waits for any one of several tasks of a channel, at most so many of them are listed, because any one of
/// them keeps it waiting. If there are more, the smallest circular wait is the smallest among those that are listed.
constexpr std::ptrdiff_t most_waited_for = 64;

using Waits = std::vector<std::vector<std::uint32_t>>;

/// By unfinished task, the tasks that it waits for: before its start the tasks that it requires, after its start the
/// first tasks of its channel that can still meet it.
Waits waits_for(TaskGraph const& graph, Channels const& channels, std::vector<TaskState> const& state) {
  Waits result(state.size());
  for (Requirement const& each : graph.requirements) {
    bool const done =
        each.until == Until::start ? state[each.on] != TaskState::waits : state[each.on] == TaskState::finished;
    if (state[each.task] == TaskState::waits && !done) result[each.task].push_back(each.on);
  }
  Waits to_come(channels.count);
  for (std::uint32_t task = 0; task < state.size(); ++task) {
    if (state[task] == TaskState::waits && channels.of[task] != no_channel) to_come[channels.of[task]].push_back(task);
  }
  for (std::uint32_t task = 0; task < state.size(); ++task) {
    if (state[task] != TaskState::started || channels.of[task] == no_channel) continue;
    for (std::uint32_t const other : to_come[channels.of[task]]) {
      if (std::ssize(result[task]) == most_waited_for) break;
      if (graph.tasks[other].kind != graph.tasks[task].kind) result[task].push_back(other);
    }
  }
  return result;
}

/// At most eight tasks are named.
std::string describe(TaskGraph const& graph, std::vector<std::uint32_t> const& circle) {
  constexpr std::size_t most_named = 8;
  std::string text = "circular wait: " + name_of(graph, circle.front());
  for (std::size_t i = 1; i <= std::min(circle.size(), most_named); ++i) {
    text += " waits for " + name_of(graph, circle[i % circle.size()]);
    if (i < circle.size() && i < most_named) text += ", which";
  }
  if (circle.size() > most_named) text += fmt::format(", ... ({} tasks in total)", circle.size());
  return text;
}

}  // namespace

TaskProgress::TaskProgress(TaskGraph const& graph)
    : graph_(graph),
      channels_(rondo::channels(graph)),
      on_start_(graph, Until::start),
      on_finish_(graph, Until::finish),
      open_(graph.tasks.size(), 0),
      state_(graph.tasks.size(), TaskState::waits) {
  for (Requirement const& each : graph.requirements) ++open_[each.task];
}

/// Why tasks cannot run: a shortest cycle of waits, or a message that never meets its partner. Empty if all have ended.
std::string TaskProgress::deadlock() const {
  bool const ended =
      std::all_of(state_.begin(), state_.end(), [](TaskState each) { return each == TaskState::finished; });
  if (ended) return "";
  Waits const waits = waits_for(graph_, channels_, state_);
  auto const circle = shortest_cycle(waits);
  if (!circle.empty()) return describe(graph_, circle);
  for (std::uint32_t task = 0; task < state_.size(); ++task) {
    if (has_finished(task) || !waits[task].empty()) continue;
    return fmt::format("{} waits for a partner that never comes", name_of(graph_, task));
  }
  return "";
}

}  // namespace rondo
