// LogGP [Alexandrov95] as LogGOPSim [Hoefler10] simulates it: each rank has CPUs and NICs that are free from a time
// on, and every start and arrival is an event.
//
// An event that finds its CPU or NIC busy is tried again when both are free, or waits in a line behind an event that
// will be tried (loggp.hpp). The two give the same times. Events of one moment are handled in the order in which they
// were created, however often they were tried. LogGOPSim uses this order too, and with it times agree to the
// nanosecond. Three differences are deliberate. An empty message counts as one byte, not as fewer than zero. Tasks of
// a rank that become ready together keep their order, however many they are. If a rank has several CPUs, a task waits
// for the tasks that it requires on other CPUs.

#include "engine/native/loggp.hpp"

#include <algorithm>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/run.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo::native {

namespace {

/// How events of one moment are ordered. by_sequence: as they were created. must_be_by_time: the run gives up if two
/// events were created at the same time, because then only the order of ranks would decide.
enum class Order : std::uint8_t { by_sequence, must_be_by_time };

/// One simulation of a task graph. With `first_of_part` it also notes the ends of parts.
class LogGpRun {
 public:
  LogGpRun(TaskGraph const& graph, LogGp const& model, Order order, Terms const& terms,
           std::span<std::uint32_t const> first_of_part = {})
      : order_(order),
        first_of_part_(first_of_part),
        ended_(first_of_part.empty() ? 0 : graph.tasks.size()),
        sent_(terms.log == Log::messages ? graph.tasks.size() : 0),
        graph_(graph),
        cost_(model),
        noise_(terms.noise),
        progress_(graph),
        meeting_(progress_.channels().count, graph.tasks.size()),
        ready_at_(graph.tasks.size()),
        rank_(ranks_of_tasks(graph)),
        cpu_(graph.ranks(), devices_of_a_rank(graph, &Task::cpu)),
        send_nic_(graph.ranks(), devices_of_a_rank(graph, &Task::nic)),
        receive_nic_(graph.ranks(), devices_of_a_rank(graph, &Task::nic)),
        lines_(order == Order::by_sequence ? 3 * cpu_.count() * send_nic_.each() : 0, graph.tasks.size()) {
    if (noise_ != nullptr) send_of_ = numbers_of_sends(graph);
    for (std::int32_t rank = 0; rank < graph.ranks(); ++rank) cpu_.take_until(rank, terms.arrival_of(at(rank)));
  }

  /// Handles all events. Returns false if the order of ranks would decide between two of them (Order::must_be_by_time).
  bool run(Deadline const& deadline) {
    for (std::int32_t rank = 0; rank < graph_.ranks(); ++rank) {
      for (std::uint32_t task = graph_.first[at(rank)]; task < graph_.first[at(rank) + 1]; ++task) {
        if (progress_.is_ready(task)) released_.push_back(task);
      }
      admit_released();
    }
    for (std::uint32_t count = 0; !events_.empty(); ++count) {
      if (count % 65536 == 0) deadline.check();
      Event const event = events_.take();
      if (order_ == Order::must_be_by_time && hangs_on_ranks(event)) return false;
      if (event.arrival) {
        arrive(event);
      } else {
        run_task(event);
      }
      admit_released();
    }
    return true;
  }

  /// Whether a message arrives later than it is sent.
  bool delays_messages() const { return cost_.first_byte() > Seconds(0); }

  std::optional<Deadlock> deadlock() const { return deadlock_of(progress_); }

  Run result() const {
    Run run;
    run.message_times = message_times_;
    for (std::int32_t rank = 0; rank < graph_.ranks() && first_of_part_.empty(); ++rank) {
      run.finish.emplace_back(cpu_.last(rank).value);
    }
    for (std::size_t part = 0; part + 1 < first_of_part_.size(); ++part) {
      auto const begin = ended_.begin() + first_of_part_[part], end = ended_.begin() + first_of_part_[part + 1];
      run.finish.push_back(*std::max_element(begin, end));
    }
    for (Seconds const finish : run.finish) run.makespan = std::max(run.makespan, finish);
    for (Task const& task : graph_.tasks) {
      if (task.kind != TaskKind::send) continue;
      ++run.messages;
      run.bytes += task.amount;
    }
    return run;
  }

 private:
  /// Tells a task that one of its requirements is met at this time.
  auto release(Instant time) {
    return [this, time](std::uint32_t task, bool is_ready) {
      ready_at_.put_off(task, time);
      if (is_ready) released_.push_back(task);
    };
  }

  Instant now() const { return events_.time(); }

  /// Creates an event with the next sequence number.
  Event create(std::uint32_t task, bool arrival) {
    if (order_ == Order::must_be_by_time) created_.push_back(now());
    return {next_sequence_++, task, arrival};
  }

  /// Whether only the order of ranks decides which of two events of this moment is handled first.
  bool hangs_on_ranks(Event const& event) const {
    Event const* const next = events_.next_of_same_moment();
    if (next == nullptr || (!event.arrival && !next->arrival)) return false;
    return created_[event.sequence] == created_[next->sequence];
  }

  /// The line of events that wait for the same CPU and NIC. There is one for sends (0), one for arrivals (1) and one
  /// for calculations (2).
  std::size_t line_of(std::int32_t rank, Task const& task, std::size_t kind) const {
    return (3 * cpu_.place(rank, task.cpu) + kind) * send_nic_.each() + (kind == 2 ? 0 : task.nic);
  }

  /// The event has to wait: its CPU and NIC are free at `free`, as far as is known now.
  void wait(Event const& event, std::size_t line, Instant free) {
    if (lines_.comes_again(line, event)) events_.add(free, event);
  }

  /// The event occupies its CPU and NIC until `free`, when the next event of its line is tried.
  void let_next(Event const& event, std::size_t line, Instant free) {
    Event after;
    if (lines_.next(line, event, after)) events_.add(free, after);
  }

  Seconds posting_noise(std::uint32_t send) const {
    if (noise_ == nullptr) return {};
    return noise_->posting(at(rank_[send]), send_of_[send], cost_.send_cpu(graph_.tasks[send].amount));
  }
  Seconds taking_noise(std::uint32_t send) const {
    if (noise_ == nullptr) return {};
    return noise_->taking(at(rank_[send]), send_of_[send], cost_.receive_cpu(graph_.tasks[send].amount));
  }
  Seconds startup_noise(std::uint32_t send) const {
    return noise_ == nullptr ? Seconds(0) : noise_->startup(at(rank_[send]), send_of_[send]);
  }

  void run_task(Event const& event) {
    switch (graph_.tasks[event.task].kind) {
      case TaskKind::calc:
        return calculate(event);
      case TaskKind::send:
        return send(event);
      case TaskKind::receive:
        return receive(event.task);
    }
  }

  /// Occupies a CPU of the rank for the time of the task.
  void calculate(Event const& event) {
    std::size_t const line = line_of(rank_[event.task], graph_.tasks[event.task], 2);
    Instant& cpu = cpu_(rank_[event.task], graph_.tasks[event.task].cpu);
    if (events_.is_later(cpu)) return wait(event, line, cpu);
    cpu = now() + cost_.calculation(graph_.tasks[event.task].amount);
    let_next(event, line, cpu);
    start(event.task);
    finish(event.task, cpu);
  }

  /// A send needs its CPU for o and its NIC for g + (k - 1) G. With more than S bytes it waits for its receiver.
  void send(Event const& event) {
    Task const& task = graph_.tasks[event.task];
    Instant& cpu = cpu_(rank_[event.task], task.cpu);
    Instant& nic = send_nic_(rank_[event.task], task.nic);
    std::size_t const line = line_of(rank_[event.task], task, 0);
    if (events_.is_later(cpu) || events_.is_later(nic)) return wait(event, line, std::max(cpu, nic));
    start(event.task);
    if (!sent_.empty()) sent_[event.task] = now();
    cpu = now() + cost_.send_cpu(task.amount) + posting_noise(event.task);
    nic = now() + cost_.nic(task.amount);
    let_next(event, line, std::max(cpu, nic));
    if (progress_.has_channel(event.task)) {
      events_.add(now() + cost_.first_byte() + startup_noise(event.task), create(event.task, true));
    }
    if (cost_.eager(task.amount)) finish(event.task, cpu);
  }

  /// Posts a receive. The CPU time of a receive is spent when its message arrives.
  void receive(std::uint32_t task) {
    start(task);
    if (!progress_.has_channel(task)) return;
    auto const ends = meeting_.meet(progress_.channel(task), task, TaskKind::receive);
    if (!ends) return;
    expect_one_size(graph_, *ends);
    release_sender(ends->send);
    // The CPU already took the message in when it arrived.
    finish(task, std::max(now(), ready_at_[ends->send]));
  }

  /// A message that arrives occupies the CPU and NIC of its target, whether its receive is posted or not.
  void arrive(Event const& event) {
    Task const& task = graph_.tasks[event.task];
    Instant& cpu = cpu_(task.peer, task.cpu);
    Instant& nic = receive_nic_(task.peer, task.nic);
    std::size_t const line = line_of(task.peer, task, 1);
    if (events_.is_later(cpu) || events_.is_later(nic)) return wait(event, line, std::max(cpu, nic));
    cpu = now() + cost_.receive_cpu(task.amount) + taking_noise(event.task);
    nic = now() + cost_.nic(task.amount);
    let_next(event, line, std::max(cpu, nic));
    if (!sent_.empty()) note_message(event.task);
    auto const ends = meeting_.meet(progress_.channel(event.task), event.task, TaskKind::send);
    if (!ends) return ready_at_.set(event.task, cpu);
    expect_one_size(graph_, *ends);
    release_sender(event.task);
    finish(ends->receive, cpu);
  }

  /// Records the times of the message that arrives now.
  void note_message(std::uint32_t task) {
    auto const seconds = [](Instant time) { return Seconds(time.value); };
    Task const& what = graph_.tasks[task];
    Seconds const length = cost_.nic(what.amount);
    message_times_.push_back({Rank(rank_[task]), Rank(what.peer), Bytes(what.amount), seconds(sent_[task]),
                              seconds(sent_[task] + length), seconds(now()), seconds(now() + length)});
  }

  /// The sender of a rendezvous goes on when send and receive meet, as in LogGOPSim: no acknowledgement travels back.
  void release_sender(std::uint32_t task) {
    if (cost_.eager(graph_.tasks[task].amount)) return;
    Instant& cpu = cpu_(rank_[task], graph_.tasks[task].cpu);
    Instant& nic = send_nic_(rank_[task], graph_.tasks[task].nic);
    cpu = std::max(cpu, now());
    nic = std::max(nic, now());
    finish(task, now());
  }

  void start(std::uint32_t task) { progress_.start(task, release(now())); }

  void finish(std::uint32_t task, Instant time) {
    if (!ended_.empty()) ended_[task] = Seconds(time.value);
    progress_.finish(task, release(time));
  }

  /// Creates the events of tasks that became ready in this event, sorted by rank; at one rank sends come first, then
  /// receives, then calculations.
  void admit_released() {
    if (released_.empty()) return;
    if (released_.size() > 1) {
      std::stable_sort(released_.begin(), released_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(rank_[a], graph_.tasks[a].kind) < std::pair(rank_[b], graph_.tasks[b].kind);
      });
    }
    for (std::uint32_t const task : released_) {
      Task const& what = graph_.tasks[task];
      Instant time = now();
      auto const wait_for = [&](Instant part) {
        if (events_.is_later(part)) time = std::max(time, part);
      };
      wait_for(ready_at_[task]);
      wait_for(cpu_(rank_[task], what.cpu));
      if (what.kind == TaskKind::send) wait_for(send_nic_(rank_[task], what.nic));
      events_.add(time, create(task, false));
    }
    released_.clear();
  }

  Order order_;
  std::span<std::uint32_t const> first_of_part_;
  std::vector<Seconds> ended_;  ///< by task; only filled for parts
  std::vector<Instant> sent_;   ///< by task; only filled if messages are logged
  std::vector<MessageTimes> message_times_;
  TaskGraph const& graph_;
  LogGpCosts cost_;
  Noise const* noise_;                  ///< null: none
  std::vector<std::uint32_t> send_of_;  ///< by send: its number among the sends of its rank; empty without noise
  TaskProgress progress_;
  ChannelMatcher meeting_;
  TaskTimes ready_at_;  ///< by task: when all that it requires has finished; for a send that has arrived: when it was
                        ///< taken in
  std::vector<std::int32_t> rank_;
  Devices cpu_, send_nic_, receive_nic_;
  Events events_;
  Lines lines_;
  std::vector<std::uint32_t> released_;
  std::uint64_t next_sequence_ = 0;
  std::vector<Instant> created_;  ///< by sequence: the time of creation; only filled for Order::must_be_by_time
};

/// The tasks of one rank of an isomorphic schedule, in which the rank sends to itself. By symmetry, the messages that
/// it sends to the neighbor ahead equal those that it receives from the neighbor behind. A tag distinguishes offsets.
TaskGraph bent_to_one_rank(Schedule const& schedule) {
  Schedule one;
  one.ranks = 1;
  one.programs = {schedule.programs.front()};
  TaskGraph graph = lower(one);
  Peers const peers(schedule);
  for (Task& task : graph.tasks) {
    Transfer const transfer{task.peer, 0, 0};
    if (task.kind == TaskKind::calc) continue;
    task.tag = static_cast<std::uint32_t>(task.kind == TaskKind::send ? peers.ahead(transfer) : peers.behind(transfer));
    task.peer = 0;
  }
  return graph;
}

}  // namespace

/// Simulates one rank that sends to itself. That is exact only if no message waits for a receiver and events keep the
/// order of time; otherwise the result is unset.
std::optional<Run> time_representative_loggp(Schedule const& schedule, LogGp const& model, Deadline const& deadline) {
  if (!all_ranks_do_the_same(schedule)) return std::nullopt;
  TaskGraph const graph = bent_to_one_rank(schedule);
  bool const eager = std::all_of(graph.tasks.begin(), graph.tasks.end(), [&](Task const& task) {
    return task.kind != TaskKind::send || task.amount <= model.S.value;
  });
  LogGpRun one(graph, model, Order::must_be_by_time, {deadline});
  if (!eager || !one.delays_messages() || !one.run(deadline)) return std::nullopt;
  Run run = one.result();
  run.messages *= schedule.ranks;
  run.bytes *= schedule.ranks;
  return run;
}

std::variant<Run, Deadlock> time_tasks_loggp(TaskGraph const& graph, LogGp const& model, Terms const& terms,
                                             std::span<std::uint32_t const> first_of_part) {
  LogGpRun run(graph, model, Order::by_sequence, terms, first_of_part);
  run.run(terms.deadline);
  if (auto deadlock = run.deadlock()) return std::move(*deadlock);
  return run.result();
}

}  // namespace rondo::native
