// Turns the parts of ranks (parts.hpp) into tasks, for the timing models that know only tasks.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/index.hpp"
#include "schedule/parts.hpp"

namespace rondo {
namespace {

/// GOAL's calculations take whole nanoseconds, so any other time is refused.
std::int64_t nanoseconds(Seconds time) {
  double const whole = std::round(time.value * 1e9);
  if (std::abs(time.value * 1e9 - whole) > 1e-6 || whole > 9e18) {
    throw InputError(fmt::format("a calculation under \"loggp\" timing takes whole nanoseconds, got {}", print(time)));
  }
  return static_cast<std::int64_t>(whole);
}

/// Writes the tasks of all parts, part after part.
class PartLowering {
 public:
  explicit PartLowering(Parts const& parts) : parts_(parts) {}

  /// Adds the tasks of all parts, and then what they wait for.
  PartTasks run() && {
    for (std::size_t part = 0; part < parts_.count(); ++part) {
      while (graph_.ranks() < parts_.rank_of[part]) graph_.first.push_back(next());
      add(part);
    }
    while (graph_.ranks() < parts_.ranks) graph_.first.push_back(next());
    for (std::size_t part = 0; part < parts_.count(); ++part) wait(part);
    result_.first_of_part.push_back(next());
    return std::move(result_);
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(graph_.tasks.size()); }

  /// Adds the tasks of one part. Unless it is a single task, it begins and ends with an empty calculation, so that a
  /// requirement between two parts is one between two tasks.
  void add(std::size_t part) {
    std::uint32_t const begin = next();
    result_.first_of_part.push_back(begin);
    if (parts_.computing[part] > Seconds(0)) {
      graph_.tasks.push_back({.amount = nanoseconds(parts_.computing[part])});
      return last_.push_back(begin);
    }
    TaskGraph rounds = lower(parts_.schedule, Rank(static_cast<std::int32_t>(part)));
    if (rounds.tasks.size() != 1) graph_.tasks.push_back({});
    std::uint32_t const first = next();
    std::vector<bool> requires_some(rounds.tasks.size(), false), is_required(rounds.tasks.size(), false);
    for (Requirement const& each : rounds.requirements) {
      requires_some[each.task] = is_required[each.on] = true;
      graph_.requirements.push_back({first + each.task, first + each.on, each.until});
    }
    std::uint32_t const last = first + static_cast<std::uint32_t>(rounds.tasks.size());
    for (std::uint32_t i = 0; i < rounds.tasks.size() && rounds.tasks.size() > 1; ++i) {
      if (!requires_some[i]) graph_.requirements.push_back({first + i, begin, Until::finish});
      if (!is_required[i]) graph_.requirements.push_back({last, first + i, Until::finish});
    }
    for (Task& task : rounds.tasks) {
      if (task.kind != TaskKind::calc) {
        task.tag = parts_.step_of[part];
        task.peer = parts_.rank_of[at(task.peer)];
      }
      graph_.tasks.push_back(task);
    }
    if (rounds.tasks.size() > 1) graph_.tasks.push_back({});
    last_.push_back(next() - 1);
  }

  /// Lets the first task of a part require the last tasks of the parts that it is after.
  void wait(std::size_t part) {
    for (std::uint32_t const before : parts_.after(part)) {
      graph_.requirements.push_back({result_.first_of_part[part], last_[before], Until::finish});
    }
  }

  Parts const& parts_;
  PartTasks result_;
  TaskGraph& graph_ = result_.tasks;
  std::vector<std::uint32_t> last_;  ///< by part: its last task
};

}  // namespace

PartTasks lower(Parts const& parts) { return PartLowering(parts).run(); }

}  // namespace rondo
