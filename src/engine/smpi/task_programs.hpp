#pragma once

// How SMPI runs a task graph: as one MPI program for each rank, which follows the dependencies between its tasks. SMPI
// knows no calculation of a given time in a rank that goes on communicating, so that messages stand for calculations.

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "engine/smpi/rank_programs.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo {

/// Each rank runs its tasks of a graph: it posts a send or receive once all it requires has come, without payload, and
/// waits for whatever ends first. A calculation is a message from the rank to itself, which SmpiMachine carries over
/// what stands for its CPUs; those of one CPU follow one another in the order in which they become ready. NICs are not
/// told apart.
class TaskPrograms : public RankPrograms {
 public:
  /// Throws InputError for what SMPI does not carry: a rank that sends to itself, calculations on a platform file or of
  /// more than 1000 s, a message that MPI cannot count.
  TaskPrograms(TaskGraph const& graph, Platform const& platform, SmpiMachine const& machine);

  void run(Rank rank) override;
  bool moves_payload() const override { return false; }
  ToItself to_itself() const override { return ToItself::calculation; }
  std::string waiting() const override;

 private:
  /// A calculation on its way: MPI counts no more than 2^31 - 1 at once.
  struct Calculation {
    std::uint32_t task = no_task;
    std::int64_t left = 0;  ///< nanoseconds
    MPI_Request send = MPI_REQUEST_NULL;
  };
  struct Cpu {
    Calculation running = {};
    std::deque<std::uint32_t> waiting = {};
  };
  /// What a rank has begun; its requests and their tasks side by side.
  struct Begun {
    Rank rank;
    std::vector<MPI_Request> requests = {};
    std::vector<std::uint32_t> tasks = {};
    std::vector<Cpu> cpus = {};
    std::deque<std::uint32_t> ready = {};
    std::int64_t ended = 0;  ///< sends, receives and pieces of calculations
  };

  void refuse(Platform const& platform) const;
  void start_ready(Begun& begun);
  void post(Begun& begun, std::uint32_t task);
  void expect_size(std::uint32_t task);
  void queue(Begun& begun, std::uint32_t task);
  void calculate(Begun& begun, Cpu& cpu);
  void post_piece(Begun& begun, Cpu& cpu);
  void wait_for_some(Begun& begun);
  std::uint32_t wait_for_one(Begun& begun);
  void end(Begun& begun, std::uint32_t task);
  void end_piece(Begun& begun, std::uint32_t task);
  void finish_task(Begun& begun, std::uint32_t task);
  void release(Begun& begun, std::span<std::uint32_t const> dependents);
  bool all_finished(Rank rank) const;

  SmpiMachine const& machine_;
  TaskGraph const& graph_;
  Channels channels_;
  Dependents on_start_, on_finish_;
  std::vector<std::uint32_t> open_;
  std::vector<TaskState> state_;
  Meeting meeting_;
  std::vector<std::uint32_t> send_of_;  ///< by task: which send of its rank; empty: nobody asks
};

}  // namespace rondo
