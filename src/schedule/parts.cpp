#include "schedule/parts.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/index.hpp"

namespace rondo {

namespace {

constexpr std::uint32_t no_part = std::numeric_limits<std::uint32_t>::max();

/// The steps in an order in which each one comes after the steps that it waits for.
std::vector<std::size_t> in_order(std::span<PlacedStep const> steps) {
  std::vector<std::size_t> open(steps.size(), 0), order;
  std::vector<std::vector<std::size_t>> followers(steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    open[step] = steps[step].after.size();
    for (std::size_t const before : steps[step].after) followers[before].push_back(step);
    if (open[step] == 0) order.push_back(step);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t const next : followers[order[i]]) {
      if (--open[next] == 0) order.push_back(next);
    }
  }
  expects(order.size() == steps.size(), "steps that wait in no circle");
  return order;
}

/// The program of one part. Its peers are parts instead of ranks.
Program program_of(Schedule const& schedule, Rank member, std::vector<std::uint32_t> const& part_of_member) {
  Program const& own = schedule.program(member);
  ProgramBuilder builder(own.layout());
  auto const peer = [&](Transfer const& transfer) {
    return static_cast<std::int32_t>(part_of_member[at(schedule.peer(member, transfer))]);
  };
  for (int round = 0; round <= own.rounds(); ++round) {
    if (round > 0) builder.begin_round();
    for (Transfer const& receive : own.receives(round))
      builder.receive(peer(receive), own.places(receive), receive.join);
    for (Transfer const& send : own.sends(round)) builder.send(peer(send), own.places(send));
    for (Copy const& copy : own.copies(round)) builder.copy(copy.from, copy.into, copy.join);
  }
  return std::move(builder).finish();
}

/// Composes the schedule of all parts.
class Composer {
 public:
  Composer(int ranks, std::span<PlacedStep const> steps) : steps_(steps), order_(in_order(steps)) {
    parts_.ranks = ranks;
    number();
    for (std::int32_t rank = 0; rank < ranks; ++rank) link(rank);
    write();
  }

  Parts finish() && { return std::move(parts_); }

 private:
  /// Numbers the parts by rank, and those of one rank by step.
  void number() {
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
    if (parts_.count() >= no_part / 2) throw InputError("a workload has at most 2147483646 parts");
  }

  std::uint32_t part_of(std::int32_t rank, std::size_t step) const {
    auto const begin = parts_.step_of.begin() + first_[at(rank)], end = parts_.step_of.begin() + first_[at(rank) + 1];
    auto const found = std::lower_bound(begin, end, step);
    if (found == end || *found != step) return no_part;
    return static_cast<std::uint32_t>(found - parts_.step_of.begin());
  }

  /// Notes for each part of a rank after which parts it begins.
  void link(std::int32_t rank) {
    std::vector<std::vector<std::uint32_t>> ends(steps_.size());  // by step: the parts that must have ended
    std::vector<std::vector<std::uint32_t>> after(first_[at(rank) + 1] - first_[at(rank)]);
    for (std::size_t const step : order_) {
      std::vector<std::uint32_t> before;
      for (std::size_t const each : steps_[step].after) {
        before.insert(before.end(), ends[each].begin(), ends[each].end());
      }
      std::sort(before.begin(), before.end());
      before.erase(std::unique(before.begin(), before.end()), before.end());
      std::uint32_t const part = part_of(rank, step);
      if (part == no_part) {
        ends[step] = std::move(before);
      } else {
        ends[step] = {part};
        after[part - first_[at(rank)]] = std::move(before);
      }
    }
    for (auto const& each : after) {
      parts_.after_of.insert(parts_.after_of.end(), each.begin(), each.end());
      parts_.first_after.push_back(static_cast<std::uint32_t>(parts_.after_of.size()));
    }
  }

  void write() {
    Schedule& whole = parts_.schedule;
    whole.ranks = static_cast<int>(parts_.count());
    whole.programs.resize(parts_.count(), ProgramBuilder({}).finish());
    whole.promises.ports = 0;
    for (std::uint32_t part = 0; part < parts_.count(); ++part) whole.program_of.push_back(part);
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (GroupStep const& group : steps_[step].groups) {
        if (group.schedule != nullptr) write(step, group);
      }
    }
  }

  void write(std::size_t step, GroupStep const& group) {
    std::vector<std::uint32_t> parts;
    for (std::int32_t const rank : group.ranks) parts.push_back(part_of(rank, step));
    for (std::size_t member = 0; member < parts.size(); ++member) {
      parts_.schedule.programs[parts[member]] =
          program_of(*group.schedule, Rank(static_cast<std::int32_t>(member)), parts);
    }
  }

  std::span<PlacedStep const> steps_;
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> first_;  ///< by rank: its first part, with a closing one
  Parts parts_;
};

}  // namespace

Parts together(int ranks, std::span<PlacedStep const> steps) { return Composer(ranks, steps).finish(); }

std::vector<Seconds> begins(Parts const& parts, std::span<Seconds const> ends, std::span<Seconds const> arrival) {
  std::vector<Seconds> result;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    Seconds begin = arrival.empty() ? Seconds(0) : arrival[at(parts.rank_of[part])];
    for (std::uint32_t const before : parts.after(part)) begin = std::max(begin, ends[before]);
    result.push_back(begin);
  }
  return result;
}

Followers::Followers(Parts const& parts) : first_(parts.count() + 1, 0), follower_(parts.after_of.size()) {
  for (std::uint32_t const before : parts.after_of) ++first_[before + 1];
  for (std::size_t part = 0; part < parts.count(); ++part) first_[part + 1] += first_[part];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t part = 0; part < parts.count(); ++part) {
    for (std::uint32_t const before : parts.after(part)) follower_[next[before]++] = part;
  }
}

}  // namespace rondo
