// Lowers schedules to tasks, and checks that all tasks can end. Messages of a round do not require each other. Each
// of them requires all of the round before, directly or through a join. The check runs a graph without time. Every
// task starts as soon as it can, so a task that has not finished at the end can never finish.

#include "schedule/task_graph.hpp"

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
    std::uint32_t before = next_task(graph_), before_end = before;  // the tasks that the next round requires
    for (int round = 1; round <= program.rounds(); ++round) {
      auto const sends = program.sends(round);
      auto const receives = program.receives(round);
      std::size_t const count = sends.size() + receives.size();
      if (count == 0) continue;
      // With a join, k + c requirements take the place of k * c.
      if (count * (before_end - before) > count + (before_end - before)) {
        join(before, before_end);
        before = before_end = next_task(graph_);
        --before;
      }
      std::uint32_t const begin = next_task(graph_);
      auto const add = [&](TaskKind kind, Transfer const& transfer) {
        std::int64_t const bytes =
            alike ? checked_product(transfer.count, program.layout().block.value) : bytes_of(program, transfer);
        require_all(before, before_end);
        graph_.tasks.push_back({kind, 0, 0, schedule_.peer(rank, transfer).value, 0, bytes});
      };
      for (Transfer const& receive : receives) add(TaskKind::receive, receive);
      for (Transfer const& send : sends) add(TaskKind::send, send);
      before = begin;
      before_end = next_task(graph_);
    }
    graph_.first.push_back(next_task(graph_));
  }

  /// Adds an empty calculation that requires all tasks in [begin, end).
  void join(std::uint32_t begin, std::uint32_t end) {
    require_all(begin, end);
    graph_.tasks.push_back({});
  }

  /// Makes the task that will be added next require all tasks in [begin, end).
  void require_all(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const task = next_task(graph_);
    for (std::uint32_t on = begin; on < end; ++on) graph_.requirements.push_back({task, on, Until::finish});
  }

  Schedule const& schedule_;
  TaskGraph graph_;
};

}  // namespace

std::uint32_t next_task(TaskGraph const& graph) {
  if (graph.tasks.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a task graph has at most 4294967294 tasks");
  }
  return static_cast<std::uint32_t>(graph.tasks.size());
}

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
      : graph_(graph), sends_(sends), progress_(graph), meeting_(progress_.channels().count, graph.tasks.size()) {}

  /// All faults of the graph: first the tasks that meet no partner, then wrong sizes, then a deadlock.
  TaskFaults faults() {
    find_unmatched();
    if (!ends()) add_deadlock();
    return std::move(faults_);
  }

  /// Runs the graph. Returns whether all tasks have finished.
  bool ends() {
    for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
      if (progress_.is_ready(task)) ready_.push_back(task);
    }
    for (std::size_t i = 0; i < ready_.size(); ++i) start(ready_[i]);
    for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
      if (!progress_.has_finished(task)) return false;
    }
    return true;
  }

  /// The reason why tasks have not finished, after ends().
  std::string deadlock() const { return "deadlock: " + progress_.deadlock(); }

 private:
  /// Notes the tasks that become ready.
  auto collect_ready() {
    return [this](std::uint32_t task, bool is_ready) {
      if (is_ready) ready_.push_back(task);
    };
  }

  /// Counts the fault, and keeps its text if it is among the first ones.
  void add(std::string fault) {
    ++faults_.count;
    if (faults_.first.size() < TaskFaults::most) faults_.first.push_back(std::move(fault));
  }

  /// In each channel that has more sends than receives, or the reverse, the last ones of the more frequent kind meet no
  /// partner. A task whose partner rank does not exist has no channel and meets none either.
  void find_unmatched() {
    Channels const& channels = progress_.channels();
    std::vector<std::int64_t> balance(channels.count, 0);
    auto const sign = [&](std::uint32_t task) { return graph_.tasks[task].kind == TaskKind::send ? 1 : -1; };
    for (std::uint32_t task = 0; task < channels.of.size(); ++task) {
      if (channels.of[task] != no_channel) balance[channels.of[task]] += sign(task);
    }
    std::vector<std::uint32_t> unmatched;
    for (std::uint32_t task = static_cast<std::uint32_t>(channels.of.size()); task-- > 0;) {
      if (graph_.tasks[task].kind == TaskKind::calc) continue;
      if (channels.of[task] == no_channel) {
        unmatched.push_back(task);
      } else if (sign(task) * balance[channels.of[task]] > 0) {
        balance[channels.of[task]] -= sign(task);
        unmatched.push_back(task);
      }
    }
    std::reverse(unmatched.begin(), unmatched.end());
    for (std::uint32_t const task : unmatched) add(unmatched_text(task));
  }

  std::string unmatched_text(std::uint32_t task) const {
    if (!progress_.has_channel(task)) return name_of(graph_, task) + " has a partner rank that does not exist";
    return name_of(graph_, task) +
           (graph_.tasks[task].kind == TaskKind::send ? " is met by no receive" : " is met by no send");
  }

  /// Starts a task. A calculation, a task whose partner rank does not exist and a buffered send finish at once. A
  /// receive finishes when it meets its send, and then so does a synchronous send.
  void start(std::uint32_t task) {
    progress_.start(task, collect_ready());
    Task const& what = graph_.tasks[task];
    if (what.kind == TaskKind::calc || !progress_.has_channel(task)) return finish(task);
    if (auto const meeting = meeting_.meet(progress_.channel(task), task, what.kind)) {
      std::string fault = size_fault(graph_, *meeting);
      if (!fault.empty() && !may_fit(progress_.channel(task))) add(std::move(fault));
      finish(meeting->receive);
      if (sends_ == Sends::synchronous) finish(meeting->send);
    }
    if (what.kind == TaskKind::send && sends_ == Sends::buffered) finish(task);
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
    sizes_.resize(progress_.channels().count);
    for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
      if (!progress_.has_channel(task)) continue;
      auto& [sends, receives] = sizes_[progress_.channel(task)];
      (graph_.tasks[task].kind == TaskKind::send ? sends : receives).push_back(graph_.tasks[task].amount);
    }
  }

  void finish(std::uint32_t task) { progress_.finish(task, collect_ready()); }

  /// Adds the deadlock if ranks wait for each other.
  void add_deadlock() {
    std::string const text = deadlock();
    // A receive without a send has been reported already, among the tasks that meet no partner.
    if (text.find("circular wait") != std::string::npos) add(text);
  }

  TaskGraph const& graph_;
  Sends sends_;
  TaskProgress progress_;
  ChannelMatcher meeting_;
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
