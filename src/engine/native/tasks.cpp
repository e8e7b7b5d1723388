// Task graphs on the ports of the machine, under linear timing.

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/ports.hpp"
#include "engine/native/run.hpp"
#include "engine/native/transfer_times.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::native {

namespace {

bool has_partner(TaskGraph const& graph, Task const& task) {
  return task.kind != TaskKind::calc && task.peer >= 0 && task.peer < graph.ranks();
}

}  // namespace

/// The messages of all sends, with their durations.
Messages messages_of(TaskGraph const& graph, Platform const& platform) {
  // Messages and calculations share one range of numbers.
  if (graph.tasks.size() > nothing / 2) throw InputError("the native engine runs at most 2147483647 tasks");
  Messages messages;
  Costs const cost(platform);
  Kinds kinds(messages);
  std::uint32_t receives = 0;
  for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) {
    messages.first_send.push_back(static_cast<std::uint32_t>(messages.source.size()));
    messages.first_receive.push_back(receives);
    for (Task const& task : graph.of(Rank(rank))) {
      receives += task.kind == TaskKind::receive ? 1 : 0;
      if (task.kind != TaskKind::send) continue;
      Seconds const duration = cost(rank, has_partner(graph, task) ? task.peer : rank, task.amount);
      messages.source.push_back(rank);
      messages.target.push_back(task.peer);
      messages.kind.push_back(kinds(duration, cost.size(task.amount)));
      messages.bytes += task.amount;
    }
  }
  messages.first_send.push_back(static_cast<std::uint32_t>(messages.source.size()));
  messages.first_receive.push_back(receives);
  return messages;
}

std::size_t devices_of_a_rank(TaskGraph const& graph, std::uint8_t Task::*which) {
  std::size_t most = 0;
  for (Task const& task : graph.tasks) most = std::max(most, std::size_t{task.*which});
  return most + 1;
}

TaskMessages::TaskMessages(TaskGraph const& graph) : of(graph.tasks.size(), nothing) {
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    if (graph.tasks[task].kind != TaskKind::send) continue;
    of[task] = static_cast<std::uint32_t>(send.size());
    send.push_back(task);
  }
}

namespace {

/// A CPU, which carries out its calculations one after the other.
struct Cpu {
  bool busy = false;
  std::vector<std::uint32_t> waiting;  ///< the first `next` have started
  std::size_t next = 0;
};

/// The event loop for task graphs. `Times` is FixedTimes or FluidTimes, as for schedules in rounds (events.cpp).
template <typename Times>
class TaskRun {
 public:
  template <typename... Ways>
  TaskRun(TaskGraph const& graph, Platform const& platform, Terms const& terms, Ways const&... ways)
      : graph_(graph),
        messages_(messages_of(graph, platform)),
        ready_lists_{Column<std::uint32_t>(messages_.first_send.back()),
                     Column<std::uint32_t>(messages_.first_receive.back())},
        ports_(messages_, platform.ports, ready_lists_),
        times_(messages_, terms.noise, ways...),
        progress_(graph),
        meeting_(progress_.channels().count, graph.tasks.size()),
        message_(graph),
        rank_(ranks_of_tasks(graph)),
        meets_(messages_.source.size()),
        finish_(at(graph.ranks())),
        start_(terms.log == Log::messages ? messages_.source.size() : 0),
        end_(start_),
        cpus_(devices_of_a_rank(graph, &Task::cpu)),
        cpu_(at(graph.ranks()) * cpus_),
        places_(at(graph.ranks()), 0) {
    for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) await_arrival(rank, terms.arrival_of(at(rank)));
  }

  void run(Deadline const& deadline) {
    std::vector<std::uint32_t> ended;
    go_on();
    for (std::uint32_t events = 0; times_.running(); ++events) {
      if (events % 4096 == 0) deadline.check();
      now_ = times_.finish(ended);
      finish_all(ended);
      go_on();
    }
  }

  std::optional<Deadlock> deadlock() const { return deadlock_of(progress_); }

  Run result() const {
    Run run;
    run.messages = static_cast<std::int64_t>(messages_.source.size());
    run.bytes = messages_.bytes;
    for (Seconds const finish : finish_) {
      run.finish.push_back(finish);
      run.makespan = std::max(run.makespan, run.finish.back());
    }
    for (std::uint32_t message = 0; message < end_.size(); ++message) run.message_times.push_back(times(message));
    return run;
  }

 private:
  /// Notes the tasks that become ready.
  auto collect_ready() {
    return [this](std::uint32_t task, bool is_ready) {
      if (is_ready) ready_.push_back(task);
    };
  }

  MessageTimes times(std::uint32_t message) const {
    Seconds const start = start_[message];
    Seconds const end = end_[message];
    return {Rank(messages_.source[message]),
            Rank(messages_.target[message]),
            Bytes(graph_.tasks[message_.send[message]].amount),
            start,
            end,
            start,
            end};
  }

  /// The state of a message from the time at which its send is posted.
  struct MessageState {
    std::uint32_t receive = nothing;
    std::uint32_t place = 0;  ///< its number among the sends that its rank posted at the same time
    std::uint32_t posted =
        0;  ///< the number of the step in which it was posted, which also orders posts of the same time
  };

  void await_arrival(std::int32_t rank, Seconds time) {
    if (time == Seconds(0)) return begin(rank);
    times_.wake({}, time, arrival_of(rank));
  }

  /// The number of the wake of a rank's arrival; these follow the numbers of calculations.
  std::uint32_t arrival_of(std::int32_t rank) const {
    return calculation_wake(static_cast<std::uint32_t>(graph_.tasks.size())) + static_cast<std::uint32_t>(rank);
  }

  /// The rank has arrived: its tasks without requirements are ready.
  void begin(std::int32_t rank) {
    finish_[at(rank)] = Seconds(now_.value);
    for (std::uint32_t task = graph_.first[at(rank)]; task < graph_.first[at(rank) + 1]; ++task) {
      if (progress_.is_ready(task)) ready_.push_back(task);
    }
  }

  /// Starts the ready tasks and the tasks that become ready by this, then the messages whose ports are free. Messages
  /// become ready in the order of their posts: by step, then by source, then by their place at the source.
  void go_on() {
    ++step_;
    for (std::size_t i = 0; i < ready_.size(); ++i) start(ready_[i]);
    ready_.clear();
    for (std::int32_t const rank : senders_) places_[at(rank)] = 0;
    senders_.clear();
    std::sort(met_.begin(), met_.end(), [&](std::uint32_t a, std::uint32_t b) {
      auto const key = [&](std::uint32_t m) {
        return std::tuple(meets_[m].posted, messages_.source[m], meets_[m].place);
      };
      return key(a) < key(b);
    });
    ports_.add(met_);
    met_.clear();
    std::span<std::uint32_t const> const started = ports_.start();
    times_.start(started, now_);
    if (start_.empty()) return;
    for (std::uint32_t const message : started) start_[message] = Seconds(now_.value);
  }

  /// Starts a task. If both a send and its receive have started, their message is ready.
  void start(std::uint32_t task) {
    Task const& what = graph_.tasks[task];
    if (what.kind == TaskKind::calc) return queue_calculation(task);
    progress_.start(task, collect_ready());
    if (what.kind == TaskKind::send) post(task);
    if (!progress_.has_channel(task)) return;
    auto const ends = meeting_.meet(progress_.channel(task), task, what.kind);
    if (!ends) return;
    expect_one_size(graph_, *ends);
    std::uint32_t const message = message_.of[ends->send];
    meets_[message].receive = ends->receive;
    met_.push_back(message);
  }

  void post(std::uint32_t task) {
    std::int32_t const rank = rank_[task];
    std::uint32_t const place = places_[at(rank)]++;
    if (place == 0) senders_.push_back(rank);
    meets_[message_.of[task]] = {nothing, place, step_};
  }

  Cpu& cpu_of(std::uint32_t task) { return cpu_[at(rank_[task]) * cpus_ + graph_.tasks[task].cpu]; }

  void queue_calculation(std::uint32_t task) {
    Cpu& cpu = cpu_of(task);
    cpu.waiting.push_back(task);
    if (!cpu.busy) calculate(cpu);
  }

  /// The CPU is free: its next calculations start. Calculations without duration end at once.
  void calculate(Cpu& cpu) {
    while (cpu.next < cpu.waiting.size()) {
      std::uint32_t const task = cpu.waiting[cpu.next++];
      progress_.start(task, collect_ready());
      std::int64_t const amount = graph_.tasks[task].amount;
      if (amount > 0) {
        cpu.busy = true;
        times_.wake(now_, Seconds(1e-9 * static_cast<double>(amount)), calculation_wake(task));
        return;
      }
      finish(task);
    }
  }

  /// The number of the wake of a calculation; these follow the numbers of messages.
  std::uint32_t calculation_wake(std::uint32_t task) const {
    return static_cast<std::uint32_t>(messages_.source.size()) + task;
  }

  /// Messages and calculations end at one time. Their tasks finish in the order of their numbers.
  void finish_all(std::vector<std::uint32_t> const& ended) {
    finishing_.clear();
    carried_.clear();
    for (std::uint32_t const each : ended) {
      if (each >= arrival_of(0)) {
        begin(static_cast<std::int32_t>(each - arrival_of(0)));
        continue;
      }
      if (each >= messages_.source.size()) {
        finishing_.push_back(each - static_cast<std::uint32_t>(messages_.source.size()));
        continue;
      }
      carried_.push_back(each);
      finishing_.push_back(message_.send[each]);
      finishing_.push_back(meets_[each].receive);
      if (!end_.empty()) end_[each] = Seconds(now_.value);
    }
    ports_.release(carried_);
    std::sort(finishing_.begin(), finishing_.end());
    for (std::uint32_t const task : finishing_) {
      graph_.tasks[task].kind == TaskKind::calc ? finish_calculation(task) : finish(task);
    }
  }

  void finish_calculation(std::uint32_t task) {
    finish(task);
    Cpu& cpu = cpu_of(task);
    cpu.busy = false;
    calculate(cpu);
  }

  void finish(std::uint32_t task) {
    finish_[at(rank_[task])] = Seconds(now_.value);
    progress_.finish(task, collect_ready());
  }

  TaskGraph const& graph_;
  Messages messages_;
  ReadyLists ready_lists_;
  Ports ports_;
  Times times_;
  TaskProgress progress_;
  ChannelMatcher meeting_;
  TaskMessages message_;
  std::vector<std::int32_t> rank_;    ///< by task
  std::vector<MessageState> meets_;   ///< by message
  std::vector<Seconds> finish_;       ///< by rank
  std::vector<Seconds> start_, end_;  ///< by message; empty where they are not kept
  std::size_t cpus_;                  ///< of each rank
  std::vector<Cpu> cpu_;
  std::vector<std::uint32_t> places_;  ///< by rank: sends posted now
  std::vector<std::int32_t> senders_;
  std::vector<std::uint32_t> ready_, met_;
  std::vector<std::uint32_t> finishing_;  ///< the tasks that finish now
  std::vector<std::uint32_t> carried_;    ///< the messages that end now
  Instant now_;
  std::uint32_t step_ = 0;
};

/// Runs the tasks, and returns times or the deadlock.
template <typename Times>
std::variant<Run, Deadlock> outcome(TaskRun<Times>&& run, Deadline const& deadline) {
  run.run(deadline);
  if (auto deadlock = run.deadlock()) return std::move(*deadlock);
  return run.result();
}

}  // namespace

/// Unset if all tasks have ended.
std::optional<Deadlock> deadlock_of(TaskProgress const& progress) {
  std::string const text = progress.deadlock();
  if (text.empty()) return std::nullopt;
  return Deadlock{"deadlock: " + text};
}

std::variant<Run, Deadlock> time_tasks(TaskGraph const& graph, Platform const& platform, FlowLinks const* flow_links,
                                       Terms const& terms) {
  if (flow_links == nullptr) return outcome(TaskRun<FixedTimes>(graph, platform, terms), terms.deadline);
  return outcome(TaskRun<FluidTimes>(graph, platform, terms, *flow_links), terms.deadline);
}

}  // namespace rondo::native
