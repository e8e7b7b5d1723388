// Places the steps of a sequence on ranks: each rank of a step gets a part, in a topological order of the steps.
// Timing models that know only tasks get the parts of ranks as tasks.

#include "schedule/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/ids.hpp"

namespace rondo {

namespace {

constexpr std::uint32_t no_part = std::numeric_limits<std::uint32_t>::max();

/// The numbers of the steps in topological order: each step after those that it waits for.
std::vector<std::size_t> topological_order(std::span<PlacedStep const> steps) {
  std::vector<std::size_t> open_predecessors(steps.size(), 0), order;
  std::vector<std::vector<std::size_t>> successors(steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    open_predecessors[step] = steps[step].after.size();
    for (std::size_t const predecessor : steps[step].after) successors[predecessor].push_back(step);
    if (open_predecessors[step] == 0) order.push_back(step);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t const next : successors[order[i]]) {
      if (--open_predecessors[next] == 0) order.push_back(next);
    }
  }
  expects(order.size() == steps.size(), "steps without a cyclic wait");
  return order;
}

/// The program of one part. Its peers are parts instead of ranks.
Program part_program(Schedule const& schedule, Rank member, std::vector<std::uint32_t> const& part_of_member) {
  Program const& program = schedule.program(member);
  ProgramBuilder builder(program.layout());
  auto const peer = [&](Transfer const& transfer) {
    return static_cast<std::int32_t>(part_of_member[at(schedule.peer(member, transfer))]);
  };
  for (int round = 0; round <= program.rounds(); ++round) {
    if (round > 0) builder.begin_round();  // round 0 has only copies
    for (Transfer const& receive : program.receives(round))
      builder.receive(peer(receive), program.places(receive), receive.join);
    for (Transfer const& send : program.sends(round)) builder.send(peer(send), program.places(send));
    for (Copy const& copy : program.copies(round)) builder.copy(copy.from, copy.into, copy.join);
  }
  return std::move(builder).finish();
}

/// Composes the schedule of all parts.
class PartsBuilder {
 public:
  /// Parts are numbered by rank, and in the order of steps within a rank.
  PartsBuilder(int ranks, std::span<PlacedStep const> steps) : steps_(steps), order_(topological_order(steps)) {
    parts_.ranks = ranks;
    number_parts();
    for (std::int32_t rank = 0; rank < ranks; ++rank) collect_predecessors(rank);
    write_programs();
  }

  Parts finish() && { return std::move(parts_); }

 private:
  /// Numbers the parts by rank, and those of one rank by step.
  void number_parts() {
    std::vector<std::vector<std::uint32_t>> steps_of(at(parts_.ranks));
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (GroupStep const& group : steps_[step].groups) {
        for (std::int32_t const rank : group.ranks) steps_of[at(rank)].push_back(static_cast<std::uint32_t>(step));
      }
    }
    for (std::int32_t rank = 0; rank < parts_.ranks; ++rank) {
      first_.push_back(static_cast<std::uint32_t>(parts_.rank_of.size()));
      for (std::uint32_t const step : steps_of[at(rank)]) {
        parts_.rank_of.push_back(rank);
        parts_.step_of.push_back(step);
        parts_.computing.push_back(steps_[step].computing);
      }
    }
    first_.push_back(static_cast<std::uint32_t>(parts_.rank_of.size()));
    // Peers are parts, and have 32 bits with a sign.
    if (parts_.count() >= no_part / 2) {
      throw InputError(
          fmt::format("expected at most 2147483646 parts (one for each rank of each step), got {}", parts_.count()));
    }
  }

  /// The part of a rank in a step; no_part if the rank has none.
  std::uint32_t part_of(std::int32_t rank, std::size_t step) const {
    // The parts of a rank are in the order of their steps.
    auto const begin = parts_.step_of.begin() + first_[at(rank)], end = parts_.step_of.begin() + first_[at(rank) + 1];
    auto const found = std::lower_bound(begin, end, step);
    if (found == end || *found != step) return no_part;
    return static_cast<std::uint32_t>(found - parts_.step_of.begin());
  }

  /// Stores for each part of the rank the parts that it waits for. If the rank has no part in a step, the step's own
  /// predecessors are passed on.
  void collect_predecessors(std::int32_t rank) {
    std::vector<std::vector<std::uint32_t>> last_parts(steps_.size());  // by step: those that end last in it
    std::vector<std::vector<std::uint32_t>> after(first_[at(rank) + 1] - first_[at(rank)]);
    for (std::size_t const step : order_) {
      std::vector<std::uint32_t> before;
      for (std::size_t const predecessor : steps_[step].after) {
        before.insert(before.end(), last_parts[predecessor].begin(), last_parts[predecessor].end());
      }
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
      std::uint32_t const part = part_of(rank, step);
      if (part == no_part) {
        last_parts[step] = std::move(before);
      } else {
        last_parts[step] = {part};
        after[part - first_[at(rank)]] = std::move(before);
      }
    }
    for (auto const& parts : after) {
      parts_.after_of.insert(parts_.after_of.end(), parts.begin(), parts.end());
      parts_.first_after.push_back(static_cast<std::uint32_t>(parts_.after_of.size()));
    }
  }

  /// Parts that calculate keep an empty program.
  void write_programs() {
    Schedule& whole = parts_.schedule;
    whole.ranks = static_cast<int>(parts_.count());
    whole.programs.resize(parts_.count(), ProgramBuilder({}).finish());
    whole.promises.ports = 0;  // unlimited, because ports belong to ranks and not to parts
    for (std::uint32_t part = 0; part < parts_.count(); ++part) whole.program_of.push_back(part);
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (GroupStep const& group : steps_[step].groups) {
        if (group.schedule != nullptr) write_group(step, group);
      }
    }
  }

  /// Writes the programs of a step's members, with parts as partners.
  void write_group(std::size_t step, GroupStep const& group) {
    std::vector<std::uint32_t> parts;
    for (std::int32_t const rank : group.ranks) parts.push_back(part_of(rank, step));
    for (std::size_t member = 0; member < parts.size(); ++member) {
      parts_.schedule.programs[parts[member]] =
          part_program(*group.schedule, Rank(static_cast<std::int32_t>(member)), parts);
    }
  }

  std::span<PlacedStep const> steps_;
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> first_;  ///< by rank: its first part, with a closing one
  Parts parts_;
};

}  // namespace

Parts compose_parts(int ranks, std::span<PlacedStep const> steps) { return PartsBuilder(ranks, steps).finish(); }

/// The start of each part from the ends of all parts: the latest end of those that it waits for, or the arrival of its
/// rank.
std::vector<Seconds> start_times(Parts const& parts, std::span<Seconds const> ends, std::span<Seconds const> arrival) {
  std::vector<Seconds> result;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Seconds begin = arrival.empty() ? Seconds(0) : arrival[at(parts.rank_of[part])];
    for (std::uint32_t const before : parts.after(part)) begin = std::max(begin, ends[before]);
    result.push_back(begin);
  }
  return result;
}

/// Inverts the relation "waits for".
Successors::Successors(Parts const& parts) : first_(parts.count() + 1, 0), successor_(parts.after_of.size()) {
  // Counting sort of all pairs (before, part) by `before`.
  for (std::uint32_t const before : parts.after_of) ++first_[before + 1];
  for (std::size_t part = 0; part < parts.count(); ++part) first_[part + 1] += first_[part];
  std::vector<std::uint32_t> next_free(first_.begin(), first_.end() - 1);
  for (std::uint32_t part = 0; part < parts.count(); ++part) {
    for (std::uint32_t const before : parts.after(part)) successor_[next_free[before]++] = part;
  }
}

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
