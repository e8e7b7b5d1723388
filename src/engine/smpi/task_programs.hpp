#pragma once

// Runs a task graph on SMPI, as one MPI program for each rank, which follows the dependencies between its tasks. SMPI
// cannot calculate for a given time in a rank that communicates meanwhile, so messages represent calculations.

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/smpi/rank_programs.hpp"
#include "schedule/task_graph_parts.hpp"

namespace rondo {

/// The programs of all ranks of a graph. A rank posts a send or receive, without payload, when all its requirements are
/// met, and then waits for the operation that ends first. A calculation is a message from the rank to itself, which
/// SmpiMachine carries over a link that represents the CPUs. The calculations of one CPU follow one another in the
/// order in which they become ready. NICs are not distinguished.
class TaskPrograms : public RankPrograms {
 public:
  /// Throws InputError for tasks that SMPI cannot carry: a rank that sends to itself, calculations on a platform file
  /// or of more than 1000 s, and a message that MPI cannot count.
  TaskPrograms(TaskGraph const& graph, Platform const& platform, SmpiMachine const& machine);

  void run(Rank rank) override;
  bool moves_payload() const override { return false; }
  SelfMessage self_message() const override { return SelfMessage::calculation; }
  std::string waiting() const override;

 private:
  /// A calculation under way, of which a part may still have to be sent.
  struct Calculation {
    std::uint32_t task = no_task;
    std::int64_t left = 0;  ///< nanoseconds
    MPI_Request send = MPI_REQUEST_NULL;
  };
  struct Cpu {
    Calculation running = {};
    std::deque<std::uint32_t> waiting = {};
  };
  /// The work of a rank that has begun: its requests, and their tasks in the same order.
  struct RankWork {
    Rank rank;
    std::vector<MPI_Request> requests = {};
    std::vector<std::uint32_t> tasks = {};
    std::vector<Cpu> cpus = {};
    std::deque<std::uint32_t> ready = {};
    std::int64_t ended = 0;  ///< how many sends, receives and pieces of calculations have ended
  };

  void refuse(Platform const& platform) const;
  void start_ready(RankWork& work);
  void post(RankWork& work, std::uint32_t task);
  void queue(RankWork& work, std::uint32_t task);
  void calculate(RankWork& work, Cpu& cpu);
  void post_piece(RankWork& work, Cpu& cpu);
  void wait_for_some(RankWork& work);
  std::uint32_t wait_for_one(RankWork& work);
  void end(RankWork& work, std::uint32_t task);
  void end_piece(RankWork& work, std::uint32_t task);
  void finish_task(RankWork& work, std::uint32_t task);
  static auto collect_ready(RankWork& work);
  bool all_finished(Rank rank) const;

  TaskGraph const& graph_;
  TaskProgress tasks_;
  ChannelMatcher meeting_;
  std::vector<std::uint32_t>
      send_of_;  ///< by task: the number of the send among the sends of its rank; empty if it is not needed
};

}  // namespace rondo
