#include "schedule/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/append.hpp"
#include "base/error.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {
namespace {

using verification::Message;

/// Ranks first, first + 1, ..., `count` of them modulo p.
struct Run {
  std::int32_t first = 0, count = 0;
};

/// One block of one run of ranks, or of several (count == several, `first` is a number then); count 0: nothing.
struct Certified {
  std::uint32_t block = 0;
  Run run = {};
};
constexpr std::int32_t several = -1;

/// What contents are made of: joins them and writes them.
class Contents {
 public:
  Contents(int ranks, ReductionRules rules) : ranks_(ranks), rules_(rules) {}

  /// The join of both, in this order.
  Certified joined(Certified first, Certified second) {
    if (first.run.count == 0) return second;
    if (second.run.count == 0) return first;
    std::vector<Run> runs = runs_of(first);
    for (Run const run : runs_of(second)) runs.push_back(run);
    if (!rules_.ordered) runs = sorted(std::move(runs));
    return packed(first.block, merged(std::move(runs)));
  }

  void write(std::string& text, Certified content) const {
    if (content.run.count == 0) {
      text += "null";
      return;
    }
    if (content.run.count == 1) {
      append(text, "[{},{}]", content.block, content.run.first);
      return;
    }
    append(text, "[{}", content.block);
    for (Run const run : runs_of(content)) append(text, ",{},{}", run.first, run.count);
    text += "]";
  }

 private:
  std::vector<Run> runs_of(Certified content) const {
    if (content.run.count != several) return {content.run};
    return table_[static_cast<std::size_t>(content.run.first)];
  }

  /// As runs that do not pass the last rank, by their first one; where a contribution may enter twice, once.
  std::vector<Run> sorted(std::vector<Run> runs) const {
    std::vector<Run> straight;
    for (Run const run : runs) {
      std::int32_t const until_end = std::min(run.count, ranks_ - run.first);
      straight.push_back({run.first, until_end});
      if (run.count > until_end) straight.push_back({0, run.count - until_end});
    }
    std::sort(straight.begin(), straight.end(), [](Run a, Run b) { return a.first < b.first; });
    if (!rules_.idempotent) return straight;
    std::vector<Run> once;
    for (Run const run : straight) {
      std::int32_t const end = once.empty() ? 0 : once.back().first + once.back().count;
      if (!once.empty() && run.first <= end) {
        once.back().count = std::max(end, run.first + run.count) - once.back().first;
      } else {
        once.push_back(run);
      }
    }
    return once;
  }

  /// Runs that follow each other are one.
  std::vector<Run> merged(std::vector<Run> runs) const {
    std::vector<Run> result;
    for (Run const run : runs) {
      if (!result.empty() && follows(run, result.back())) {
        result.back().count += run.count;
      } else {
        result.push_back(run);
      }
    }
    bool const around = !rules_.ordered && result.size() > 1 && follows(result.front(), result.back());
    if (around) {
      result.front() = {result.back().first, result.back().count + result.front().count};
      result.pop_back();
    }
    return result;
  }
  bool follows(Run next, Run last) const {
    return next.first == (last.first + last.count) % ranks_ && last.count + next.count <= ranks_;
  }

  Certified packed(std::uint32_t block, std::vector<Run> runs) {
    if (runs.size() == 1) return {block, runs.front()};
    table_.push_back(std::move(runs));
    return {block, {static_cast<std::int32_t>(table_.size() - 1), several}};
  }

  std::int32_t ranks_;
  ReductionRules rules_;
  std::vector<std::vector<Run>> table_;
};

/// What lies where, round by round.
class Arrivals {
 public:
  Arrivals(Schedule const& schedule, Collective const& collective)
      : schedule_(schedule), contents_(schedule.ranks, reduction_rules(collective)) {
    auto const p = static_cast<std::size_t>(schedule.ranks);
    arrived_.resize(p);
    for (std::size_t r = 0; r < p; ++r) {
      Rank const rank(static_cast<std::int32_t>(r));
      Layout const& layout = schedule.program(rank).layout();
      auto& buffers = cells_.emplace_back();
      for (std::size_t b = 0; b < buffer_count; ++b) buffers[b].resize(layout.buffers[b].slots);
      auto const blocks = held(collective, rank);
      for (std::size_t i = 0; i < blocks.size(); ++i)
        buffers[0].at(i) = {blocks[i].block.value, {blocks[i].origin.value, 1}};
    }
  }

  void replay(std::vector<Message> const& messages, int rounds) {
    copy_all(0);
    auto first = messages.begin();
    for (int round = 1; round <= rounds; ++round) {
      auto const last = std::find_if(first, messages.end(), [&](Message const& m) { return m.round() != round; });
      exchange({first, last});
      copy_all(round);
      first = last;
    }
  }

  void write(std::function<void(std::string_view)> const& sink) const {
    std::string text;
    for (std::size_t r = 0; r < arrived_.size(); ++r) {
      text = fmt::format("{{\"rank\":{},\"arrives\":[", r);
      char const* before = "";
      for (Certified const each : arrived_[r]) {
        text += before;
        contents_.write(text, each);
        before = ",";
      }
      text += "]}\n";
      sink(text);
    }
  }

 private:
  Certified& cell(Rank rank, Place place) {
    return cells_[static_cast<std::size_t>(rank.value)][static_cast<std::size_t>(place.buffer())].at(place.slot());
  }

  /// All is read before anything is written; what is stored comes before what is joined.
  void exchange(std::span<Message const> messages) {
    std::vector<Certified> cargo;
    for (Message const& message : messages) {
      expects(message.whole(), "a schedule that was proved");
      auto& arrived = arrived_[static_cast<std::size_t>(message.target.value)];
      for (Place const place : message.from) {
        cargo.push_back(cell(message.source, place));
        arrived.push_back(cargo.back());
      }
    }
    for (bool const joins : {false, true}) {
      std::size_t next = 0;
      for (Message const& message : messages) {
        for (Place const place : message.into) {
          Certified const arriving = cargo[next++];
          if (joins == (message.join != Join::none)) put(message.target, place, arriving, message.join);
        }
      }
    }
  }

  void put(Rank rank, Place place, Certified arriving, Join join) {
    Certified& present = cell(rank, place);
    if (join == Join::none) present = arriving;
    if (join == Join::before) present = contents_.joined(arriving, present);
    if (join == Join::after) present = contents_.joined(present, arriving);
  }

  void copy_all(int round) {
    for (std::int32_t r = 0; r < schedule_.ranks; ++r) {
      Program const& program = schedule_.program(Rank(r));
      if (round > program.rounds()) continue;
      for (Copy const& copy : program.copies(round)) put(Rank(r), copy.into, cell(Rank(r), copy.from), copy.join);
    }
  }

  Schedule const& schedule_;
  Contents contents_;
  std::vector<std::array<std::vector<Certified>, buffer_count>> cells_;
  std::vector<std::vector<Certified>> arrived_;
};

}  // namespace

void write_arrivals(Schedule const& schedule, Collective const& collective,
                    std::function<void(std::string_view)> const& sink) {
  Allowed const anything;
  verification::Subject const subject{schedule, collective, anything, verification::Scope::every_rank,
                                      schedule.rounds()};
  Arrivals arrivals(schedule, collective);
  arrivals.replay(verification::match(subject), schedule.rounds());
  arrivals.write(sink);
}

}  // namespace rondo
