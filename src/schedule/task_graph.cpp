// Lowers schedules to tasks, and checks that all tasks can end. Messages of a round do not require each other. Each
// of them requires all of the round before, directly or through a join. The check runs a graph without time. Every
// task starts as soon as it can, so a task that has not finished at the end can never finish.

#include "schedule/task_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo {

namespace {

/// The bytes of a transfer. A place in no buffer, or past the listed sizes of its buffer, counts as 0 bytes.
std::int64_t bytes_of(Program const& program, Transfer const& transfer) {
  std::int64_t bytes = 0;
  for (Place const place : program.places(transfer)) {
    if (static_cast<int>(place.buffer()) >= buffer_count) continue;
    BufferLayout const& buffer = program.layout()[place.buffer()];
    if (buffer.sizes.empty()) {
      bytes += program.layout().block.value;
    } else if (place.slot() < buffer.sizes.size()) {
      bytes += buffer.sizes[place.slot()].value;
    }
  }
  return bytes;
}

/// Whether all slots of all buffers have the size of a block.
bool all_alike(Layout const& layout) {
  return std::all_of(layout.buffers.begin(), layout.buffers.end(),
                     [](BufferLayout const& buffer) { return buffer.sizes.empty(); });
}

/// Turns the rounds of a schedule into tasks.
class TaskWriter {
 public:
  explicit TaskWriter(Schedule const& schedule) : schedule_(schedule) {}

  TaskGraph run() {
    reserve();
    for (int rank = 0; rank < schedule_.ranks; ++rank) add_rank(Rank(rank));
    return std::move(graph_);
  }

  TaskGraph run(Rank rank) {
    add_rank(rank);
    return std::move(graph_);
  }

 private:
  /// Counts the tasks first, because graphs may fill much of the memory.
  void reserve() {
    std::size_t tasks = 0;
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      Program const& program = schedule_.program(Rank(rank));
      for (int round = 1; round <= program.rounds(); ++round) {
        tasks += program.sends(round).size() + program.receives(round).size();
      }
    }
    // A round of c tasks after one of k tasks takes at most c + k requirements (add_rank), so all rounds together take
    // at most two for each task. Joins are few, and are not counted.
    graph_.tasks.reserve(tasks);
    graph_.requirements.reserve(2 * tasks);
  }

  /// Adds the tasks of a rank, round by round.
  void add_rank(Rank rank) {
    Program const& program = schedule_.program(rank);
    bool const alike = all_alike(program.layout());
    std::uint32_t before = next(), before_end = before;  // the tasks that the next round requires
    for (int round = 1; round <= program.rounds(); ++round) {
      auto const sends = program.sends(round);
      auto const receives = program.receives(round);
      std::size_t const count = sends.size() + receives.size();
      if (count == 0) continue;
      // With a join, k + c requirements take the place of k * c.
      if (count * (before_end - before) > count + (before_end - before)) {
        join(before, before_end);
        before = before_end = next();
        --before;
      }
      std::uint32_t const begin = next();
      auto const add = [&](TaskKind kind, Transfer const& transfer) {
        std::int64_t const bytes =
            alike ? checked_product(transfer.count, program.layout().block.value) : bytes_of(program, transfer);
        require_all(before, before_end);
        graph_.tasks.push_back({kind, 0, 0, schedule_.peer(rank, transfer).value, 0, bytes});
      };
      for (Transfer const& receive : receives) add(TaskKind::receive, receive);
      for (Transfer const& send : sends) add(TaskKind::send, send);
      before = begin;
      before_end = next();
    }
    graph_.first.push_back(next());
  }

  /// Adds an empty calculation that requires all tasks in [begin, end).
  void join(std::uint32_t begin, std::uint32_t end) {
    require_all(begin, end);
    graph_.tasks.push_back({});
  }

  /// Makes the task that will be added next require all tasks in [begin, end).
  void require_all(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const task = next();
    for (std::uint32_t on = begin; on < end; ++on) graph_.requirements.push_back({task, on, Until::finish});
  }

  /// The number of the next task. Throws InputError if it would be 2^32 - 1, which means no task.
  std::uint32_t next() const {
    if (graph_.tasks.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw InputError("a task graph has at most 4294967294 tasks");
    }
    return static_cast<std::uint32_t>(graph_.tasks.size());
  }

  Schedule const& schedule_;
  TaskGraph graph_;
};

}  // namespace

Rank TaskGraph::rank_of(std::uint32_t task) const {
  auto const after = std::upper_bound(first.begin(), first.end(), task);
  return Rank(static_cast<std::int32_t>(after - first.begin()) - 1);
}

TaskGraph lower(Schedule const& schedule) { return TaskWriter(schedule).run(); }

TaskGraph lower(Schedule const& schedule, Rank rank) { return TaskWriter(schedule).run(rank); }

namespace {

/// Starts every task whose requirements are met, until none is left. An object runs its graph once: either faults() or
/// ends() may be called, once.
class Check {
 public:
  Check(TaskGraph const& graph, Sends sends)
      : graph_(graph),
        sends_(sends),
        channels_(channels(graph)),
        on_start_(graph, Until::start),
        on_finish_(graph, Until::finish),
        open_(requirement_counts(graph)),
        meeting_(channels_.count, graph.tasks.size()),
        state_(graph.tasks.size(), TaskState::waits) {}

  /// All faults of the graph: first the tasks that meet no partner, then wrong sizes, then a deadlock.
  TaskFaults faults() {
    find_unmatched();
    if (!ends()) add_deadlock();
    return std::move(faults_);
  }

  /// Runs the graph. Returns whether all tasks have finished.
  bool ends() {
    for (std::uint32_t task = 0; task < open_.size(); ++task) {
      if (open_[task] == 0) ready_.push_back(task);
    }
    for (std::size_t i = 0; i < ready_.size(); ++i) start(ready_[i]);
    return std::all_of(state_.begin(), state_.end(), [](TaskState state) { return state == TaskState::finished; });
  }

  /// The reason why tasks have not finished, after ends().
  std::string deadlock() const { return deadlock_text(graph_, channels_, state_); }

 private:
  /// Counts the fault, and keeps its text if it is among the first ones.
  void add(std::string fault) {
    ++faults_.count;
    if (faults_.first.size() < TaskFaults::most) faults_.first.push_back(std::move(fault));
  }

  /// In each channel that has more sends than receives, or the reverse, the last ones of the more frequent kind meet no
  /// partner. A task whose partner rank does not exist has no channel and meets none either.
  void find_unmatched() {
    std::vector<std::int64_t> balance(channels_.count, 0);
    auto const sign = [&](std::uint32_t task) { return graph_.tasks[task].kind == TaskKind::send ? 1 : -1; };
    for (std::uint32_t task = 0; task < channels_.of.size(); ++task) {
      if (channels_.of[task] != no_channel) balance[channels_.of[task]] += sign(task);
    }
    std::vector<std::uint32_t> unmatched;
    for (std::uint32_t task = static_cast<std::uint32_t>(channels_.of.size()); task-- > 0;) {
      if (graph_.tasks[task].kind == TaskKind::calc) continue;
      if (channels_.of[task] == no_channel) {
        unmatched.push_back(task);
      } else if (sign(task) * balance[channels_.of[task]] > 0) {
        balance[channels_.of[task]] -= sign(task);
        unmatched.push_back(task);
      }
    }
    std::reverse(unmatched.begin(), unmatched.end());
    for (std::uint32_t const task : unmatched) add(unmatched_text(task));
  }

  std::string unmatched_text(std::uint32_t task) const {
    if (channels_.of[task] == no_channel) return name_of(graph_, task) + " has a partner rank that does not exist";
    return name_of(graph_, task) +
           (graph_.tasks[task].kind == TaskKind::send ? " is met by no receive" : " is met by no send");
  }

  /// Starts a task. A calculation, a task whose partner rank does not exist and a buffered send finish at once. A
  /// receive finishes when it meets its send, and then so does a synchronous send.
  void start(std::uint32_t task) {
    state_[task] = TaskState::started;
    release(on_start_.of(task));
    Task const& what = graph_.tasks[task];
    if (what.kind == TaskKind::calc || channels_.of[task] == no_channel) return finish(task);
    std::uint32_t const partner = meeting_.meet(channels_.of[task], task, what.kind);
    bool const sends = what.kind == TaskKind::send;
    if (partner != no_task) {
      std::uint32_t const send = sends ? task : partner;
      std::uint32_t const receive = sends ? partner : task;
      std::string fault = size_fault(graph_, send, receive);
      if (!fault.empty() && !may_fit(channels_.of[task])) add(std::move(fault));
      finish(receive);
      if (sends_ == Sends::synchronous) finish(send);
    }
    if (sends && sends_ == Sends::buffered) finish(task);
  }

  /// Whether the sends of a channel have the sizes of its receives in some order. If so, time may bring them together
  /// so that they fit, and the engines find out.
  bool may_fit(std::uint32_t channel) {
    if (sizes_.empty()) collect_sizes();
    auto& [sends, receives] = sizes_[channel];
    std::sort(sends.begin(), sends.end());
    std::sort(receives.begin(), receives.end());
    return sends == receives;
  }

  /// Fills sizes_ with the sizes of all sends and receives.
  void collect_sizes() {
    sizes_.resize(channels_.count);
    for (std::uint32_t task = 0; task < channels_.of.size(); ++task) {
      if (channels_.of[task] == no_channel) continue;
      auto& [sends, receives] = sizes_[channels_.of[task]];
      (graph_.tasks[task].kind == TaskKind::send ? sends : receives).push_back(graph_.tasks[task].amount);
    }
  }

  void finish(std::uint32_t task) {
    state_[task] = TaskState::finished;
    release(on_finish_.of(task));
  }

  /// Notes for each of these tasks that one more of its requirements is met.
  void release(std::span<std::uint32_t const> dependents) {
    for (std::uint32_t const task : dependents) {
      if (--open_[task] == 0) ready_.push_back(task);
    }
  }

  /// Adds the deadlock if ranks wait for each other.
  void add_deadlock() {
    std::string const text = deadlock();
    // A receive without a send has been reported already, among the tasks that meet no partner.
    if (text.find("circular wait") != std::string::npos) add(text);
  }

  TaskGraph const& graph_;
  Sends sends_;
  Channels channels_;
  Dependents on_start_, on_finish_;
  std::vector<std::uint32_t> open_;  ///< by task: how many of its requirements are not met yet
  ChannelMatcher meeting_;
  std::vector<TaskState> state_;      ///< by task
  std::vector<std::uint32_t> ready_;  ///< the tasks whose requirements are met, in the order in which they start
  /// By channel, the sizes of its sends and of its receives; collected only once a pair does not fit.
  std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>> sizes_;
  TaskFaults faults_;
};

}  // namespace

TaskFaults check(TaskGraph const& graph) { return Check(graph, Sends::buffered).faults(); }

bool ends(TaskGraph const& graph, Sends sends) { return Check(graph, sends).ends(); }

std::string deadlock_text(TaskGraph const& graph, Sends sends) {
  Check check(graph, sends);
  return check.ends() ? "" : check.deadlock();
}

}  // namespace rondo
