// Runs tasks as MPI calls: messages are posted without waiting, calculations are messages of a rank to itself with the
// time as their size.

#include "engine/smpi/task_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <simgrid/s4u.hpp>
#include <stdexcept>

#include "base/error.hpp"
#include "engine/smpi/flow_tasks.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/runtime/datatypes.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo {

namespace {

/// A calculation is sent as messages of one nanosecond a byte. Each has at most longest_piece bytes, because MPI counts
/// in int. The pieces on one CPU end in the order in which they were sent.
constexpr std::int64_t longest_piece = std::numeric_limits<int>::max();
constexpr std::int64_t longest_calculation = 1'000'000'000'000;

std::byte nothing{};

}  // namespace

TaskPrograms::TaskPrograms(TaskGraph const& graph, Platform const& platform, SmpiMachine const& machine)
    : RankPrograms(graph.ranks(), machine),
      graph_(graph),
      tasks_(graph),
      meeting_(tasks_.channels().count, graph.tasks.size()) {
  refuse(platform);
  if (platform.noise.latency) send_of_ = numbers_of_sends(graph);
}

/// Refuses graphs that SMPI cannot run.
void TaskPrograms::refuse(Platform const& platform) const {
  bool const file = std::holds_alternative<PlatformFile>(platform.topology);
  auto const refused = [&](std::uint32_t task, char const* what) {
    return InputError(fmt::format("{} {}: expected the engine \"native\"", name_of(graph_, task), what));
  };
  for (std::uint32_t task = 0; task < graph_.tasks.size(); ++task) {
    Task const& what = graph_.tasks[task];
    if (what.kind != TaskKind::calc) {
      if (what.peer == graph_.rank_of(task).value) throw refused(task, "is a message of a rank to itself");
      mpi::typed_count(Bytes(what.amount));
    } else if (what.amount > 0 && file) {
      throw refused(task, "is a calculation, which a SimGrid platform file has no place for");
    } else if (what.amount > longest_calculation) {
      throw refused(task, "takes more than 1000 s");
    }
  }
}

auto TaskPrograms::collect_ready(RankWork& work) {
  return [&work](std::uint32_t task, bool is_ready) {
    if (is_ready) work.ready.push_back(task);
  };
}

void TaskPrograms::run(Rank rank) {
  MPI_Init(nullptr, nullptr);
  start(rank);
  await_arrival(rank);
  RankWork work{rank};
  work.ended = machine_.ended(rank);
  auto const r = static_cast<std::size_t>(rank.value);
  for (std::uint32_t task = graph_.first[r]; task < graph_.first[r + 1]; ++task) {
    if (tasks_.is_ready(task)) work.ready.push_back(task);
  }
  for (start_ready(work); !work.requests.empty(); start_ready(work)) wait_for_some(work);
  // Tasks that wait for one another never become ready. Nothing wakes this rank then, so SimGrid reports a
  // deadlock.
  if (!all_finished(rank)) simgrid::s4u::this_actor::suspend();
  finish(rank);
  MPI_Finalize();
}

bool TaskPrograms::all_finished(Rank rank) const {
  auto const r = static_cast<std::size_t>(rank.value);
  for (std::uint32_t task = graph_.first[r]; task < graph_.first[r + 1]; ++task) {
    if (!tasks_.has_finished(task)) return false;
  }
  return true;
}

void TaskPrograms::start_ready(RankWork& work) {
  while (!work.ready.empty()) {
    std::uint32_t const task = work.ready.front();
    work.ready.pop_front();
    if (graph_.tasks[task].kind == TaskKind::calc) {
      queue(work, task);
    } else {
      post(work, task);
    }
  }
}

/// Posts the message of a task. MPI itself would accept a short message in a long buffer. The sends and receives of a
/// channel match in posting order, and each side is posted by one rank, so the pairs are known here.
void TaskPrograms::post(RankWork& work, std::uint32_t task) {
  Task const& what = graph_.tasks[task];
  tasks_.start(task, collect_ready(work));
  // A rank that does not exist never answers.
  if (!tasks_.has_channel(task)) return;
  auto const ends = meeting_.meet(tasks_.channel(task), task, what.kind);
  std::string const fault = ends ? size_fault(graph_, *ends) : "";
  if (!fault.empty()) throw std::runtime_error(fault);
  auto const [type, count] = mpi::typed_count(Bytes(what.amount));
  auto const channel = static_cast<int>(tasks_.channel(task));
  work.tasks.push_back(task);
  MPI_Request& request = work.requests.emplace_back();
  if (what.kind == TaskKind::receive) {
    mpi::check(MPI_Irecv(&nothing, count, type, what.peer, channel, MPI_COMM_WORLD, &request));
  } else {
    // From 2^31 bytes on, MPI_Isend may take a message for a small one and send it eagerly.
    auto const send = what.amount > longest_piece ? &MPI_Issend : &MPI_Isend;
    if (!send_of_.empty()) machine_.number_next_send(work.rank, send_of_[task]);
    mpi::check(send(&nothing, count, type, what.peer, channel, MPI_COMM_WORLD, &request));
  }
}

void TaskPrograms::queue(RankWork& work, std::uint32_t task) {
  std::size_t const number = graph_.tasks[task].cpu;
  if (number >= work.cpus.size()) work.cpus.resize(number + 1);
  Cpu& cpu = work.cpus[number];
  cpu.waiting.push_back(task);
  if (cpu.running.task == no_task) calculate(work, cpu);
}

/// The CPU is free: its next calculations start. Calculations without duration end at once.
void TaskPrograms::calculate(RankWork& work, Cpu& cpu) {
  cpu.running = {};
  while (!cpu.waiting.empty()) {
    std::uint32_t const task = cpu.waiting.front();
    cpu.waiting.pop_front();
    tasks_.start(task, collect_ready(work));
    if (graph_.tasks[task].amount > 0) {
      cpu.running = {task, graph_.tasks[task].amount, MPI_REQUEST_NULL};
      return post_piece(work, cpu);
    }
    finish_task(work, task);
  }
}

/// A long calculation is several messages, because the count of a message is an int.
void TaskPrograms::post_piece(RankWork& work, Cpu& cpu) {
  auto const piece = static_cast<int>(std::min(cpu.running.left, longest_piece));
  cpu.running.left -= piece;
  int const self = work.rank.value;
  int const tag = graph_.tasks[cpu.running.task].cpu;
  mpi::check(MPI_Isend(&nothing, piece, MPI_BYTE, self, tag, MPI_COMM_WORLD, &cpu.running.send));
  work.tasks.push_back(cpu.running.task);
  mpi::check(MPI_Irecv(&nothing, piece, MPI_BYTE, self, tag, MPI_COMM_WORLD, &work.requests.emplace_back()));
}

/// SimGrid wakes a rank when the first of several simultaneous messages ends. All messages that end then are collected,
/// and their tasks finish in the order of their numbers.
void TaskPrograms::wait_for_some(RankWork& work) {
  std::vector<std::uint32_t> ended{wait_for_one(work)};
  ++work.ended;
  for (; work.ended < machine_.ended(work.rank); ++work.ended) {
    ended.push_back(wait_for_one(work));
  }
  std::sort(ended.begin(), ended.end());
  for (std::uint32_t const task : ended) end(work, task);
}

/// Waits for any request and removes it from the list.
std::uint32_t TaskPrograms::wait_for_one(RankWork& work) {
  int which = MPI_UNDEFINED;
  // Requests are never cancelled here; else mpi::wait_any would be needed.
  mpi::check(MPI_Waitany(static_cast<int>(work.requests.size()), work.requests.data(), &which, MPI_STATUS_IGNORE));
  auto const index = static_cast<std::size_t>(which);
  std::uint32_t const task = work.tasks[index];
  work.requests[index] = work.requests.back();
  work.requests.pop_back();
  work.tasks[index] = work.tasks.back();
  work.tasks.pop_back();
  return task;
}

void TaskPrograms::end(RankWork& work, std::uint32_t task) {
  if (graph_.tasks[task].kind == TaskKind::calc) {
    end_piece(work, task);
  } else {
    finish_task(work, task);
  }
}

void TaskPrograms::end_piece(RankWork& work, std::uint32_t task) {
  Cpu& cpu = work.cpus[graph_.tasks[task].cpu];
  // Both ends of the message end together.
  mpi::check(MPI_Wait(&cpu.running.send, MPI_STATUS_IGNORE));
  if (cpu.running.left > 0) return post_piece(work, cpu);
  finish_task(work, task);
  calculate(work, cpu);
}

void TaskPrograms::finish_task(RankWork& work, std::uint32_t task) { tasks_.finish(task, collect_ready(work)); }

std::string TaskPrograms::waiting() const {
  std::string const text = tasks_.deadlock();
  return text.empty() ? RankPrograms::waiting() : text;
}

Outcome<Timing> simulate_smpi(TaskGraph const& graph, Platform const& platform, EngineOptions const& options) {
  std::optional<TaskGraph> noisy;
  if (platform.noise.compute) noisy = Noise(platform, options).on_calculations(graph);
  TaskGraph const& timed = noisy ? *noisy : graph;
  auto const make = [&](SmpiMachine const& machine) -> std::unique_ptr<RankPrograms> {
    if (platform.timing == TimingModel::flow) return std::make_unique<FlowTaskPrograms>(timed, machine);
    return std::make_unique<TaskPrograms>(timed, platform, machine);
  };
  return timing_of(simulate_in_child(graph.ranks(), make, platform, options));
}

}  // namespace rondo
