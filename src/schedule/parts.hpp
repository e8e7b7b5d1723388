#pragma once

// Several schedules that run at the same time, in the form in which engines run them. A part is the share of one
// rank in one of the schedules: its rounds, or a calculation. Parts take the place of ranks in one schedule of all
// parts, so the parts of one step communicate only with each other. Engines know the rank of each part: parts of
// one rank share its ports, its CPU and its host. A part begins when all parts of its rank that it waits for have
// ended; parts that run at the same time progress independently.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// The parts of all ranks.
struct Parts {
  int ranks = 0;
  Schedule schedule;                  ///< its ranks are the parts
  std::vector<std::int32_t> rank_of;  ///< by part, rising: those of one rank in the order of their steps
  std::vector<std::uint32_t> first_after{0}, after_of;  ///< by part, with a closing one: the parts that it is after
  std::vector<Seconds> computing;                       ///< by part: what it calculates; 0 if it has rounds
  std::vector<std::uint32_t> step_of;                   ///< by part: its step

  std::size_t count() const { return rank_of.size(); }
  std::span<std::uint32_t const> after(std::size_t part) const {
    return std::span(after_of).subspan(first_after[part], first_after[part + 1] - first_after[part]);
  }
};

/// A schedule on these ranks, or a calculation if `schedule` is null. The k-th of these ranks is rank k of the
/// schedule.
struct GroupStep {
  Schedule const* schedule = nullptr;
  std::vector<std::int32_t> ranks;
};

/// A step of a workload. Its groups share no rank and carry it out side by side.
struct PlacedStep {
  std::vector<GroupStep> groups;
  Seconds computing{0};            ///< of each rank, if the step has no schedules
  std::vector<std::size_t> after;  ///< numbers of steps: a rank begins this one when it has ended those
};

/// The steps as parts; steps must not wait for each other in a cycle. If a rank takes no part in a step, the step ends
/// for it when the steps before it have ended.
Parts compose_parts(int ranks, std::span<PlacedStep const> steps);

/// When each part begins, computed from the ends of parts and the arrival times of their ranks (empty: all at 0).
std::vector<Seconds> start_times(Parts const& parts, std::span<Seconds const> ends, std::span<Seconds const> arrival);

/// The parts as tasks of ranks. Each step has a tag of its own, and the tasks of a part follow one another. A part of
/// more than one task begins and ends with an empty calculation. Throws InputError if a calculation does not take whole
/// nanoseconds.
struct PartTasks {
  TaskGraph tasks;
  std::vector<std::uint32_t> first_of_part;  ///< with a closing one
};
/// The tasks of all parts.
PartTasks lower(Parts const& parts);

/// For each part the parts that wait for it, in the order of their numbers.
class Successors {
 public:
  explicit Successors(Parts const& parts);
  std::span<std::uint32_t const> of(std::size_t part) const {
    return std::span(successor_).subspan(first_[part], first_[part + 1] - first_[part]);
  }

 private:
  std::vector<std::uint32_t> first_, successor_;
};

}  // namespace rondo
