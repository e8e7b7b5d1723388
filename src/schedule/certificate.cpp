// Writes certificates (certificate.hpp) by a replay of its own, which carries contents as lists of contributions
// instead of fingerprints. Contents that would be too long are written as null.

#include "schedule/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "schedule/prove_parts.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {
namespace {

using verification::Message;

/// The ranks first, first + 1, ..., `count` of them modulo p, each of which contributes the block `times` times.
struct Run {
  std::uint32_t block = 0;
  std::int32_t first = 0, count = 0;
  std::int64_t times = 1;
};

/// A content: one run whose ranks contribute once, or several runs. With several, `count` is `several` and `first` is
/// the number of their list.
struct Certified {
  std::uint32_t block = 0;
  std::int32_t first = 0, count = 0;
  std::uint32_t made = 0;  ///< where the same bits are promised: the number of the join that made it, from 1; 0: none
};
constexpr std::int32_t several = -1;
constexpr std::int32_t too_long = -2;
constexpr std::size_t most_runs = std::size_t{1} << 24;
constexpr std::int64_t most_times = std::numeric_limits<std::int64_t>::max();

/// Joins contents and writes them as JSON.
class Contents {
 public:
  Contents(int ranks, ReductionRules rules) : ranks_(ranks), rules_(rules) {}

  static Certified of_block(Content const& content) { return {content.block.value, content.origin.value, 1}; }

  /// The join of both contents, in this order. An empty content joined with another one is the other one.
  Certified joined(Certified const& first, Certified const& second) {
    if (first.count == 0) return second;
    if (second.count == 0) return first;
    if (rules_.same_bits) return made_of(first, second);
    if (first.count == too_long || second.count == too_long) return {0, 0, too_long};
    std::vector<Run> runs = runs_of(first);
    for (Run const& run : runs_of(second)) runs.push_back(run);
    return packed(rules_.ordered ? merged(std::move(runs)) : counted(runs));
  }

  /// Writes a content in the shortest form of the format.
  void write(std::string& text, Certified const& content) const {
    if (content.count == 0 || content.count == too_long) {
      text += "null";
    } else if (content.made != 0) {
      append(text, "{}", content.made - 1);
    } else if (content.count == 1) {
      append(text, "[{},{}]", content.block, content.first);
    } else {
      write_runs(text, runs_of(content));
    }
  }

  /// Writes the line of joins, which a certificate has only if the same bits are promised.
  void write_joins(std::function<void(std::string_view)> const& sink) const {
    if (!rules_.same_bits) return;
    std::string text = "{\"joins\":[";
    for (std::size_t i = 0; i < joins_.size(); ++i) {
      text += i == 0 ? "[" : ",[";
      write(text, joins_[i].first);
      text += ",";
      write(text, joins_[i].second);
      text += "]";
    }
    sink(text + "]}\n");
  }

 private:
  /// The plain form holds if all runs are of one block number and each contribution enters once.
  static void write_runs(std::string& text, std::vector<Run> const& runs) {
    Run const& front = runs.front();
    bool const plain = std::all_of(runs.begin(), runs.end(),
                                   [&](Run const& run) { return run.block == front.block && run.times == 1; });
    text += "[";
    if (plain) append(text, "{}", front.block);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Run const& run = runs[i];
      if (plain) {
        append(text, ",{},{}", run.first, run.count);
      } else {
        append(text, "{}[{},{},{},{}]", i == 0 ? "" : ",", run.block, run.first, run.count, run.times);
      }
    }
    text += "]";
  }

  std::vector<Run> runs_of(Certified const& content) const {
    if (content.count != several) return {{content.block, content.first, content.count}};
    return table_[static_cast<std::size_t>(content.first)];
  }

  /// The content that a join of two operands makes. If joins commute, the order of the operands does not count. Equal
  /// joins get one number.
  Certified made_of(Certified const& first, Certified const& second) {
    auto key = std::pair(operand(first), operand(second));
    if (!rules_.ordered && key.second < key.first) std::swap(key.first, key.second);
    auto const [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(joins_.size() + 1));
    if (is_new) joins_.emplace_back(first, second);
    return {0, 0, several, found->second};
  }
  static std::uint64_t operand(Certified const& content) {
    if (content.made != 0) return std::uint64_t{1} << 63 | content.made;
    return std::uint64_t{static_cast<std::uint32_t>(content.first)} << 32 | content.block;
  }

  /// How often each rank contributes, as runs by block and rank. If the promise allows a contribution to enter several
  /// times, it counts once.
  std::vector<Run> counted(std::vector<Run> const& runs) const {
    std::map<std::pair<std::uint32_t, std::int32_t>, std::int64_t> changes;
    for (Run const& run : runs) {
      std::int32_t const until_end = std::min(run.count, ranks_ - run.first);
      add(changes, run.block, run.first, until_end, run.times);
      if (run.count > until_end) add(changes, run.block, 0, run.count - until_end, run.times);
    }
    std::vector<Run> result;
    std::int64_t height = 0;
    for (auto change = changes.begin(); change != changes.end(); ++change) {
      height += change->second;
      if (height == 0) continue;
      auto const next = std::next(change);
      std::int32_t const first = change->first.second;
      result.push_back({change->first.first, first, next->first.second - first, rules_.idempotent ? 1 : height});
    }
    return merged(std::move(result));
  }
  using Changes = std::map<std::pair<std::uint32_t, std::int32_t>, std::int64_t>;
  static void add(Changes& changes, std::uint32_t block, std::int32_t first, std::int32_t count, std::int64_t times) {
    changes[{block, first}] += times;
    changes[{block, first + count}] -= times;
  }

  /// Joins runs that follow each other into one.
  std::vector<Run> merged(std::vector<Run> runs) const {
    std::vector<Run> result;
    for (Run const& run : runs) {
      if (!result.empty() && follows(run, result.back())) {
        result.back().count += run.count;
      } else {
        result.push_back(run);
      }
    }
    bool const closes = !rules_.ordered && result.size() > 1 && follows(result.front(), result.back());
    if (closes) {
      result.front().first = result.back().first;
      result.front().count += result.back().count;
      result.pop_back();
    }
    return result;
  }
  bool follows(Run const& next, Run const& last) const {
    return next.block == last.block && next.times == last.times && next.first == (last.first + last.count) % ranks_ &&
           last.count + next.count <= ranks_;
  }

  /// A single run needs no entry in the table.
  Certified packed(std::vector<Run> runs) {
    bool const fits = runs.size() <= most_runs &&
                      std::all_of(runs.begin(), runs.end(), [](Run const& run) { return run.times < most_times / 4; });
    if (!fits) return {0, 0, too_long};
    if (runs.size() == 1 && runs.front().times == 1)
      return {runs.front().block, runs.front().first, runs.front().count};
    table_.push_back(std::move(runs));
    return {0, static_cast<std::int32_t>(table_.size() - 1), several};
  }

  std::int32_t ranks_;
  ReductionRules rules_;
  std::vector<std::vector<Run>> table_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
  std::vector<std::pair<Certified, Certified>> joins_;
};

/// Replays a schedule round by round and notes which content arrives in each place.
class Arrivals {
 public:
  /// Lays out the cells of all ranks, with what the promise lets them hold.
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
      for (std::size_t i = 0; i < std::min(blocks.size(), buffers[0].size()); ++i) {
        buffers[0][i] = Contents::of_block(blocks[i]);
      }
    }
  }

  /// Replays all rounds in the order of verify_replay.cpp.
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

  /// Returns whether all contents could be written.
  bool write(std::function<void(std::string_view)> const& sink) const {
    contents_.write_joins(sink);
    bool whole = true;
    std::string text;
    for (std::size_t r = 0; r < arrived_.size(); ++r) {
      text = fmt::format("{{\"rank\":{},\"arrives\":[", r);
      char const* before = "";
      for (Certified const& each : arrived_[r]) {
        text += before;
        contents_.write(text, each);
        before = ",";
        whole = whole && each.count != too_long;
      }
      text += "]}\n";
      sink(text);
    }
    return whole;
  }

 private:
  Certified& cell(Rank rank, Place place) {
    return cells_[static_cast<std::size_t>(rank.value)][static_cast<std::size_t>(place.buffer())].at(place.slot());
  }

  /// Delivers the messages of a round. All places are read before one is written; stored contents are written before
  /// joined ones.
  void exchange(std::span<Message const> messages) {
    std::vector<Certified> cargo;
    for (Message const& message : messages) {
      if (message.received == 0) continue;
      for (std::size_t k = 0; k < message.into.size(); ++k) {
        bool const comes = message.sent > 0 && k < message.from.size();
        cargo.push_back(comes ? cell(message.source, message.from[k]) : Certified());
      }
    }
    for (bool const joins : {false, true}) {
      std::size_t next = 0;
      for (Message const& message : messages) {
        for (Place const place : message.into) {
          Certified const arriving = cargo[next++];
          if (!joins) arrived_[static_cast<std::size_t>(message.target.value)].push_back(arriving);
          if (joins == (message.join != Join::none)) put(message.target, place, arriving, message.join);
        }
      }
    }
  }

  /// Stores or joins what arrives.
  void put(Rank rank, Place place, Certified arriving, Join join) {
    Certified& present = cell(rank, place);
    if (join == Join::none) present = arriving;
    if (join == Join::before) present = contents_.joined(arriving, present);
    if (join == Join::after) present = contents_.joined(present, arriving);
  }

  /// The copies of a round, rank by rank.
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

/// Replays tasks in an order that they can take, and notes the content of each cell and of each message.
class TaskArrivals {
 public:
  TaskArrivals(BlockGraph const& graph, Collective const& collective)
      : graph_(graph),
        contents_(graph.tasks.ranks(), reduction_rules(collective)),
        cells_(graph.cell_count),
        outcome_(graph.effects.size()),
        arrived_(graph.effects.size()) {
    for (int r = 0; r < graph.tasks.ranks(); ++r) {
      CellRange const& range = graph.buffers[static_cast<std::size_t>(r)][0];
      auto const blocks = held(collective, Rank(r));
      for (std::size_t i = 0; i < std::min<std::size_t>(blocks.size(), range.slots); ++i) {
        cells_[range.first + i] = Contents::of_block(blocks[i]);
      }
    }
  }

  void run(proof::Order const& order) {
    for (std::uint32_t const task : order.sequence) {
      if (task < graph_.effects.size()) take(task, order.partner[task]);
    }
  }

  bool write(std::function<void(std::string_view)> const& sink) const {
    contents_.write_joins(sink);
    bool whole = true;
    for (int r = 0; r < graph_.tasks.ranks(); ++r) {
      std::string text = fmt::format("{{\"rank\":{},\"arrives\":[", r);
      char const* before = "";
      auto const rank = static_cast<std::size_t>(r);
      for (std::uint32_t task = graph_.tasks.first[rank]; task < graph_.tasks.first[rank + 1]; ++task) {
        if (graph_.tasks.tasks[task].kind != TaskKind::receive) continue;
        for (std::uint32_t k = 0; k < graph_.effects[task].count; ++k) {
          Certified const each = k < arrived_[task].size() ? arrived_[task][k] : Certified();
          text += before;
          contents_.write(text, each);
          before = ",";
          whole = whole && each.count != too_long;
        }
      }
      sink(text + "]}\n");
    }
    return whole;
  }

 private:
  /// Carries the cells of a send to its receive, and of a calculation to the cells that it writes.
  void take(std::uint32_t task, std::uint32_t partner) {
    Effect const& effect = graph_.effects[task];
    TaskKind const kind = graph_.tasks.tasks[task].kind;
    auto const reads = graph_.reads(task), writes = graph_.writes(task);
    std::vector<Certified> taken;
    for (std::uint32_t k = 0; k < effect.count; ++k) {
      if (effect.passed != Effect::none) {
        taken.push_back(k < outcome_[effect.passed].size() ? outcome_[effect.passed][k] : Certified());
      } else if (kind == TaskKind::receive) {
        bool const comes = partner != no_task && k < outcome_[partner].size();
        taken.push_back(comes ? outcome_[partner][k] : Certified());
      } else {
        taken.push_back(cells_[reads[k]]);
      }
    }
    if (kind == TaskKind::receive) arrived_[task] = taken;
    for (std::uint32_t k = 0; k < effect.count && kind != TaskKind::send; ++k) {
      if (effect.join != Join::none) {
        Certified const present = cells_[kind == TaskKind::receive ? reads[k] : writes[k]];
        bool const before = effect.join == Join::before;
        taken[k] = before ? contents_.joined(taken[k], present) : contents_.joined(present, taken[k]);
      }
      if (!writes.empty()) cells_[writes[k]] = taken[k];
    }
    outcome_[task] = std::move(taken);
  }

  BlockGraph const& graph_;
  Contents contents_;
  std::vector<Certified> cells_;
  std::vector<std::vector<Certified>> outcome_;  ///< by task: what it sends, or what a receive comes to
  std::vector<std::vector<Certified>> arrived_;  ///< by receive: what comes, before it is joined
};

}  // namespace

/// Faults are discarded here: a certificate is written only for what has been proved.
bool write_arrivals(BlockGraph const& graph, Collective const& collective,
                    std::function<void(std::string_view)> const& sink) {
  TaskArrivals arrivals(graph, collective);
  proof::Faults discarded(graph.tasks);
  arrivals.run(proof::order_of(graph, {}, discarded));
  return arrivals.write(sink);
}

bool write_arrivals(Schedule const& schedule, Collective const& collective,
                    std::function<void(std::string_view)> const& sink) {
  MachineLimits const anything;
  verification::Subject const subject{schedule, collective, anything, verification::Scope::every_rank,
                                      schedule.rounds()};
  Arrivals arrivals(schedule, collective);
  arrivals.replay(verification::match(subject), schedule.rounds());
  return arrivals.write(sink);
}

}  // namespace rondo
