#pragma once

// Several schedules at once, as engines run them. A part is what one rank does in one of them: its rounds, or a
// calculation. Each part stands in the place of a rank in one schedule of all parts, so that parts of one step talk to
// each other alone, and engines know which rank each part belongs to: the parts of a rank share its ports, its CPU and
// its host. A part begins when the parts of its rank that it is after have ended; parts that are under way at the same
// time progress each by itself.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

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

/// A schedule, or with null a calculation, on these ranks: the k-th one is its rank k.
struct GroupStep {
  Schedule const* schedule = nullptr;
  std::vector<std::int32_t> ranks;
};

/// Groups that share no rank carry out a step side by side.
struct PlacedStep {
  std::vector<GroupStep> groups;
  Seconds computing{0};            ///< of each rank, where there are no schedules
  std::vector<std::size_t> after;  ///< steps by number: a rank begins when it has ended these
};

/// The steps as parts; they wait in no circle. A step in which a rank takes no part ends for it when those have ended
/// that the step is after.
Parts together(int ranks, std::span<PlacedStep const> steps);

/// When each part begins, by when parts end and when their ranks come (empty: all at 0).
std::vector<Seconds> begins(Parts const& parts, std::span<Seconds const> ends, std::span<Seconds const> arrival);

/// The parts as tasks of ranks, each step with a tag of its own; the tasks of a part follow one another. A part that is
/// more than one task begins and ends with an empty calculation. Throws InputError for a calculation of a fraction of a
/// nanosecond.
struct PartTasks {
  TaskGraph tasks;
  std::vector<std::uint32_t> first_of_part;  ///< with a closing one
};
PartTasks lower(Parts const& parts);

/// For each part the parts that are after it, in the order of their numbers.
class Followers {
 public:
  explicit Followers(Parts const& parts);
  std::span<std::uint32_t const> of(std::size_t part) const {
    return std::span(follower_).subspan(first_[part], first_[part + 1] - first_[part]);
  }

 private:
  std::vector<std::uint32_t> first_, follower_;
};

}  // namespace rondo
