#pragma once

// Runs a task graph under flow timing on SMPI. A CPU serves its tasks in the order in which they become ready. An MPI
// process cannot do so, because a call of MPI would block the next task. So the MPI process of each rank only waits
// until its tasks have finished. SmpiFlow serves the tasks of CPU 0, this class the calculations of all other CPUs, and
// SimGrid transfers the bytes.

#include <cstdint>
#include <deque>
#include <simgrid/s4u/Semaphore.hpp>
#include <string>
#include <vector>

#include "engine/smpi/flow.hpp"
#include "engine/smpi/rank_programs.hpp"

namespace rondo {

/// The programs of all ranks, each of which waits until its tasks have finished. SmpiFlow takes the tasks of CPU 0 from
/// here.
class FlowTaskPrograms : public RankPrograms, public FlowTasks {
 public:
  /// Throws InputError for a send or receive whose peer is the rank itself.
  FlowTaskPrograms(TaskGraph const& graph, SmpiMachine const& machine);

  void run(Rank rank) override;
  bool moves_payload() const override { return false; }
  std::string waiting() const override;

  std::vector<FlowTask> take_ready(int rank) override;
  void begun(std::uint32_t task) override;
  void ended(std::uint32_t task) override;
  void passed(std::uint32_t send, Instant went_off) override;
  void alarm(std::uint32_t task) override;

 private:
  /// A CPU that only calculates.
  struct OtherCpu {
    std::uint32_t running = no_task;         ///< no_task: it is idle
    std::deque<std::uint32_t> waiting = {};  ///< ready calculations, in the order in which they will run
  };
  struct RankState {
    bool has_arrived = false;                      ///< take_ready() keeps the tasks of a rank until it arrives
    std::vector<std::uint32_t> ready = {};         ///< tasks without open requirements that no CPU has yet
    std::vector<OtherCpu> others = {};             ///< CPUs 1, 2, ...
    std::size_t unfinished = 0;                    ///< how many tasks have not finished
    simgrid::s4u::SemaphorePtr all_finished = {};  ///< released after the last task, or at a fault
  };

  FlowTask flow_task(std::uint32_t number);
  void note_size_fault(std::uint32_t task);
  void calculate(OtherCpu& cpu);
  auto wake_ready();
  RankState& state_of(std::uint32_t task) { return ranks_[static_cast<std::size_t>(rank_[task])]; }

  TaskGraph const& graph_;
  TaskProgress tasks_;
  std::vector<std::int32_t> rank_;              ///< by task: the rank that does it
  std::vector<std::int64_t> sends_, receives_;  ///< by channel: the place of its next send and of its next receive
  ChannelMatcher meeting_;                      ///< pairs the ends of messages, to compare their sizes
  std::vector<std::uint32_t> send_of_;          ///< by task: its number among the sends of its rank
  std::vector<RankState> ranks_;
  std::string fault_;  ///< says which ends of one message differ in size, and run() throws it; empty: none differ
};

}  // namespace rondo
