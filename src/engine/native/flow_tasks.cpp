// Task graphs under flow timing. A thread is a task. CPU 0 of a rank posts and takes its messages and also carries out
// calculations; the other CPUs of a rank only calculate.

#include <deque>

#include "engine/native/cpu_run.hpp"
#include "engine/native/messages.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::native {

namespace {

/// Matches the sends and receives of each channel: the k-th send that a CPU has begun meets the k-th receive.
class Places {
 public:
  Places(TaskGraph const& graph, Channels const& channels)
      : channels_(channels),
        first_(channels.count + 1, 0),
        begun_{first_, first_},
        place_(graph.tasks.size(), nothing) {
    std::vector<std::uint32_t> receives(channels.count, 0), sends(channels.count, 0);
    for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
      if (channels.of[task] == no_channel) continue;
      ++(graph.tasks[task].kind == TaskKind::send ? sends : receives)[channels.of[task]];
    }
    for (std::uint32_t c = 0; c < channels.count; ++c) first_[c + 1] = first_[c] + std::max(sends[c], receives[c]);
    for (auto& tasks : at_) tasks.assign(first_.back(), no_task);
  }

  /// The k-th send of a channel meets its k-th receive.
  void begin(std::uint32_t task, TaskKind kind) {
    std::uint32_t const channel = channels_.of[task];
    if (channel == no_channel) return;
    auto const side = static_cast<std::size_t>(kind);
    place_[task] = first_[channel] + begun_[side][channel]++;
    at_[side][place_[task]] = task;
  }
  /// The send or receive (as `kind` says) that meets the task; no_task if it has not begun.
  std::uint32_t partner(std::uint32_t task, TaskKind kind) const {
    return place_[task] == nothing ? no_task : at_[static_cast<std::size_t>(kind)][place_[task]];
  }

 private:
  static_assert(static_cast<int>(TaskKind::send) == 0 && static_cast<int>(TaskKind::receive) == 1);
  Channels const& channels_;
  std::vector<std::uint32_t> first_;     ///< by channel: its first place
  std::vector<std::uint32_t> begun_[2];  ///< sends and receives, by channel
  std::vector<std::uint32_t> place_;     ///< by task, once it has begun
  std::vector<std::uint32_t> at_[2];     ///< sends and receives, by place
};

/// A task that is ready asks for its CPU.
class TasksOnCpus : public CpuRun<TasksOnCpus> {
 public:
  TasksOnCpus(TaskGraph const& graph, Platform const& platform, FlowLinks const& flow_links, Terms const& terms)
      : CpuRun(messages_of(graph, platform), graph.tasks.size(), at(graph.ranks()), platform, flow_links, terms,
               nullptr),
        graph_(graph),
        progress_(graph),
        places_(graph, progress_.channels()),
        message_(graph),
        rank_(ranks_of_tasks(graph)),
        other_cpus_(devices_of_a_rank(graph, &Task::cpu) - 1),
        others_(ranks_.size() * other_cpus_) {
    for (std::uint32_t message = 0; message < messages(); ++message) {
      std::uint32_t const send = message_.send[message];
      if (graph.tasks[send].amount <= costs_.eager.value) state_[message] = eager;
      if (!progress_.has_channel(send)) messages_.target[message] = nobody;
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) finish_.push_back(terms.arrival_of(r));
    for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
      if (progress_.is_ready(task)) make_ready(task);
    }
    await_arrivals(terms);
  }

  std::optional<Deadlock> deadlock() const { return deadlock_of(progress_); }

  Run result() const {
    Run run;
    run.messages = messages();
    run.bytes = messages_.bytes;
    run.finish = finish_;
    run.makespan = *std::max_element(finish_.begin(), finish_.end());
    for (std::uint32_t message = 0; message < end_.size(); ++message) {
      run.message_times.push_back({Rank(messages_.source[message]), Rank(messages_.target[message]),
                                   Bytes(graph_.tasks[message_.send[message]].amount), start_[message], end_[message],
                                   start_[message], end_[message]});
    }
    return run;
  }

 private:
  friend class CpuRun<TasksOnCpus>;

  /// A task that becomes ready asks for its CPU.
  auto release() {
    return [this](std::uint32_t task, bool is_ready) {
      if (!is_ready) return;
      make_ready(task);
      wake(rank_[task]);
    };
  }

  /// A CPU that only calculates.
  struct OtherCpu {
    std::uint32_t task = no_task;
    std::deque<std::uint32_t> waiting;
  };

  std::size_t rank_of_thread(std::uint32_t task) const { return at(rank_[task]); }
  std::size_t rank_of_end(std::int32_t rank) const { return at(rank); }
  std::uint32_t message_of(std::uint32_t receive) const {
    std::uint32_t const send = places_.partner(receive, TaskKind::send);
    return send == no_task ? nothing : message_.of[send];
  }
  std::uint32_t receive_of(std::uint32_t message) const {
    return places_.partner(message_.send[message], TaskKind::receive);
  }

  /// A calculation of another CPU than CPU 0 does not join the queue of CPU 0.
  bool goes_on(std::uint32_t task) {
    Task const& what = graph_.tasks[task];
    if (what.kind != TaskKind::calc || what.cpu == 0) return true;
    for_others_.push_back(task);
    return false;
  }

  /// The idle CPU begins a task. A send meets its receive now if the receive has been begun, so their sizes are
  /// compared here.
  void begin_next(std::int32_t rank, std::uint32_t task) {
    leave_queue(rank);
    Task const& what = graph_.tasks[task];
    start(task);
    if (what.kind == TaskKind::calc) return begin(rank, Work::calculate, task, time_of(task));
    places_.begin(task, what.kind);
    bool const sends = what.kind == TaskKind::send;
    std::uint32_t const partner = places_.partner(task, sends ? TaskKind::receive : TaskKind::send);
    if (partner != no_task) expect_one_size(graph_, sends ? Meeting{task, partner} : Meeting{partner, task});
    if (!sends) return begin_receive(rank, task);
    if (partner != no_task && !is_begun(partner)) state_[message_.of[task]] |= awaited;
    begin(rank, Work::send, message_.of[task], posting(message_.of[task]));
  }

  /// Whether the CPU of this receive is posting it right now, so that it is not yet awaited.
  bool is_begun(std::uint32_t receive) const {
    Processor const& cpu = ranks_[rank_of_thread(receive)];
    return cpu.work == Work::receive && cpu.item == receive;
  }

  Seconds time_of(std::uint32_t task) const { return Seconds(1e-9 * static_cast<double>(graph_.tasks[task].amount)); }

  /// Calculations of other CPUs that became ready in one moment are begun in the order of their numbers.
  void serve_other_cpus() {
    std::sort(for_others_.begin(), for_others_.end());
    serving_.swap(for_others_);
    for (std::uint32_t const task : serving_) {
      OtherCpu& cpu = others_[number_of(task)];
      cpu.waiting.push_back(task);
      if (cpu.task == no_task) calculate(number_of(task));
    }
    serving_.clear();
  }

  /// The number of another CPU: those of rank 0 first, each rank's from CPU 1 on.
  std::uint32_t number_of(std::uint32_t task) const {
    return static_cast<std::uint32_t>(rank_of_thread(task) * other_cpus_ + graph_.tasks[task].cpu - 1);
  }

  /// Begins the calculations that wait for a CPU, until one takes time.
  void calculate(std::uint32_t number) {
    OtherCpu& cpu = others_[number];
    while (cpu.task == no_task && !cpu.waiting.empty()) {
      std::uint32_t const task = cpu.waiting.front();
      cpu.waiting.pop_front();
      start(task);
      if (graph_.tasks[task].amount == 0) {
        finish(task);
        continue;
      }
      cpu.task = task;
      times_.wake(now_, time_of(task), messages() + static_cast<std::uint32_t>(ranks_.size()) + number);
    }
  }

  void end_other_cpu(std::uint32_t number) {
    finish(std::exchange(others_[number].task, no_task));
    calculate(number);
  }

  void end_thread_work(Work /*work*/, std::uint32_t task) { finish(task); }
  void end_receive(std::uint32_t message) { finish(receive_of(message)); }
  void end_send(std::uint32_t message) { finish(message_.send[message]); }

  void start(std::uint32_t task) { progress_.start(task, release()); }

  void finish(std::uint32_t task) {
    progress_.finish(task, release());
    finish_[rank_of_thread(task)] = Seconds(now_.value);
  }

  TaskGraph const& graph_;
  TaskProgress progress_;
  Places places_;
  TaskMessages message_;
  std::vector<std::int32_t> rank_;  ///< by task
  std::vector<Seconds> finish_;     ///< by rank
  std::size_t other_cpus_;          ///< of each rank
  std::vector<OtherCpu> others_;    ///< by rank and CPU, from CPU 1 on
  std::vector<std::uint32_t> for_others_, serving_;
};

}  // namespace

std::variant<Run, Deadlock> time_tasks_with_cpus(TaskGraph const& graph, Platform const& platform,
                                                 FlowLinks const& flow_links, Terms const& terms) {
  TasksOnCpus run(graph, platform, flow_links, terms);
  run.run(terms.deadline);
  if (auto deadlock = run.deadlock()) return std::move(*deadlock);
  return run.result();
}

}  // namespace rondo::native
