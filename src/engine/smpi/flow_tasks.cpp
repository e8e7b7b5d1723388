// Hands ready tasks to the CPUs of the rule, and counts how many tasks a rank still has.

#include "engine/smpi/flow_tasks.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo {

FlowTaskPrograms::FlowTaskPrograms(TaskGraph const& graph, SmpiMachine const& machine)
    : RankPrograms(graph.ranks(), machine),
      graph_(graph),
      tasks_(graph),
      rank_(ranks_of_tasks(graph)),
      sends_(tasks_.channels().count, 0),
      receives_(tasks_.channels().count, 0),
      meeting_(tasks_.channels().count, graph.tasks.size()),
      send_of_(numbers_of_sends(graph)),
      ranks_(at(graph.ranks())) {
  for (RankState& state : ranks_) state.all_finished = simgrid::s4u::Semaphore::create(0);
  for (std::uint32_t number = 0; number < graph.tasks.size(); ++number) {
    Task const& task = graph.tasks[number];
    RankState& state = state_of(number);
    ++state.unfinished;
    if (tasks_.is_ready(number)) state.ready.push_back(number);
    if (task.kind == TaskKind::calc && task.cpu > state.others.size()) state.others.resize(task.cpu);
    // The rule of flow timing has no messages of a rank to itself.
    if (task.kind == TaskKind::calc || task.peer != rank_[number]) continue;
    throw InputError(
        fmt::format("{} is a message of a rank to itself: expected the engine \"native\"", name_of(graph, number)));
  }
}

void FlowTaskPrograms::run(Rank rank) {
  MPI_Init(nullptr, nullptr);
  start(rank);
  await_arrival(rank);
  RankState& state = ranks_[at(rank)];
  // Tasks of a rank that arrives late may become ready before it is there. take_ready() keeps them until now.
  state.has_arrived = true;
  if (state.unfinished > 0) {
    machine_.flow().carry(*this);
    machine_.flow().wake(rank.value);
    state.all_finished->acquire();
  }
  if (!fault_.empty()) throw std::runtime_error(fault_);
  finish(rank);
  MPI_Finalize();
}

/// Ready tasks for CPU 0 are returned. Calculations of other CPUs are work here.
std::vector<FlowTask> FlowTaskPrograms::take_ready(int rank) {
  RankState& state = ranks_[at(rank)];
  std::vector<FlowTask> for_cpu;
  while (state.has_arrived && !state.ready.empty()) {
    std::vector<std::uint32_t> ready;
    ready.swap(state.ready);
    // By number, as the native engine takes them, whatever released them first.
    std::sort(ready.begin(), ready.end());
    for (std::uint32_t const number : ready) {
      Task const& task = graph_.tasks[number];
      // A rank that does not exist never answers, so such a task waits forever.
      bool const waits_for_ever = task.kind != TaskKind::calc && !tasks_.has_channel(number);
      if ((task.kind != TaskKind::calc || task.cpu == 0) && !waits_for_ever) for_cpu.push_back(flow_task(number));
    }
    for (std::uint32_t const number : ready) {
      Task const& task = graph_.tasks[number];
      if (task.kind != TaskKind::calc || task.cpu == 0) continue;
      OtherCpu& cpu = state.others[at(task.cpu - 1)];
      cpu.waiting.push_back(number);
      calculate(cpu);
    }
  }
  return for_cpu;
}

/// The task in the form of the rule.
FlowTask FlowTaskPrograms::flow_task(std::uint32_t number) {
  Task const& task = graph_.tasks[number];
  FlowTask result{.kind = task.kind, .rank = rank_[number], .peer = task.peer, .number = number};
  if (task.kind == TaskKind::calc) {
    result.time = Seconds(1e-9 * static_cast<double>(task.amount));
    return result;
  }
  std::uint32_t const channel = tasks_.channel(number);
  note_size_fault(number);
  result.lane = channel;
  result.place = (task.kind == TaskKind::send ? sends_ : receives_)[channel]++;
  result.posted = number;
  result.send = send_of_[number];
  result.bytes = task.amount;
  return result;
}

/// The sends and receives of a channel meet in posting order, so their sizes are compared here. SimGrid calls this
/// outside of any rank, so the fault is stored, and the rank throws it.
void FlowTaskPrograms::note_size_fault(std::uint32_t task) {
  auto const ends = meeting_.meet(tasks_.channel(task), task, graph_.tasks[task].kind);
  std::string const fault = ends ? size_fault(graph_, *ends) : "";
  if (fault.empty() || !fault_.empty()) return;
  fault_ = fault;
  ranks_[at(rank_[task])].all_finished->release();
}

/// Begins the next calculation of a CPU that only calculates.
void FlowTaskPrograms::calculate(OtherCpu& cpu) {
  while (cpu.running == no_task && !cpu.waiting.empty()) {
    std::uint32_t const task = cpu.waiting.front();
    cpu.waiting.pop_front();
    begun(task);
    // An empty calculation needs no alarm; it ends in the same moment.
    if (graph_.tasks[task].amount == 0) {
      ended(task);
      continue;
    }
    cpu.running = task;
    machine_.flow().set_alarm(Seconds(1e-9 * static_cast<double>(graph_.tasks[task].amount)), task);
  }
}

void FlowTaskPrograms::alarm(std::uint32_t task) {
  OtherCpu& cpu = state_of(task).others[at(graph_.tasks[task].cpu - 1)];
  cpu.running = no_task;
  ended(task);
  calculate(cpu);
}

void FlowTaskPrograms::passed(std::uint32_t send, Instant went_off) {
  machine_.flow().note({Rank(rank_[send]), Rank(graph_.tasks[send].peer), Bytes(graph_.tasks[send].amount),
                        Seconds(went_off.value), machine_.now(), Seconds(went_off.value), machine_.now()});
}

/// Wakes the rank of a task that becomes ready.
auto FlowTaskPrograms::wake_ready() {
  return [this](std::uint32_t task, bool is_ready) {
    if (!is_ready) return;
    state_of(task).ready.push_back(task);
    machine_.flow().wake(rank_[task]);
  };
}

void FlowTaskPrograms::begun(std::uint32_t task) { tasks_.start(task, wake_ready()); }

void FlowTaskPrograms::ended(std::uint32_t task) {
  tasks_.finish(task, wake_ready());
  RankState& state = state_of(task);
  if (--state.unfinished > 0) return;
  // The actor of the rank waits in run() for its last task.
  state.all_finished->release();
  machine_.flow().wake(rank_[task]);
}

std::string FlowTaskPrograms::waiting() const {
  std::string const text = tasks_.deadlock();
  return text.empty() ? RankPrograms::waiting() : text;
}

}  // namespace rondo
