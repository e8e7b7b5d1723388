// Carries the contents of cells through the tasks in one possible order, and compares the receive buffers with what is
// owed there. If there is no race, all orders lead to the same contents.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/ids.hpp"
#include "schedule/prove_parts.hpp"
#include "schedule/verify_parts.hpp"
#include "schedule/verify_reductions.hpp"

namespace rondo::proof {
namespace {

using verification::Count;
using verification::Counts;
using verification::Fingerprints;
using verification::FullContent;
using verification::JoinLog;
using verification::Joins;
using verification::Mark;
using verification::nothing;
using verification::Packed;
using verification::unknown;

/// With more joins than this, the fault of a reduction is not explained, because the log of joins would not fit in
/// memory.
constexpr std::size_t most_joins_logged = 10'000'000;

/// A list of contents. Counts and marks are stored only if the fingerprints use them.
class Contents {
 public:
  /// `size` contents, of which each is `nothing`.
  Contents(Fingerprints const& prints, std::size_t size)
      : contents_(size, nothing), counts_(prints.counted() ? size : 0), marks_(prints.marked() ? size : 0) {}

  FullContent operator[](std::size_t i) const {
    return {contents_[i], counts_.empty() ? 1 : counts_[i], marks_.empty() ? Mark{} : marks_[i]};
  }
  void put(std::size_t i, FullContent const& held) {
    contents_[i] = held.content;
    if (!counts_.empty()) counts_[i] = held.count;
    if (!marks_.empty()) marks_[i] = held.mark;
  }

 private:
  std::vector<Packed> contents_;
  std::vector<Count> counts_;
  std::vector<Mark> marks_;
};

/// Carries contents through the tasks; at the end it knows those of all cells.
class ContentFlow {
 public:
  ContentFlow(BlockGraph const& graph, Collective const& promise, Joins joins)
      : graph_(graph),
        prints_(promise, joins),
        logs_(joins == Joins::logged),
        cells_(prints_, graph.cell_count),
        on_the_way_(prints_, 0) {}

  /// Fills the send buffers with the blocks that ranks hold at the start. A rank that holds more blocks than its send
  /// buffer has slots is a fault.
  void place_what_is_held(Collective const& promise, Faults& faults) {
    for (int r = 0; r < graph_.tasks.ranks(); ++r) {
      Rank const rank(r);
      CellRange const& range = graph_.buffers[at(rank)][static_cast<std::size_t>(Buffer::send)];
      std::vector<Content> const blocks = held(promise, rank);
      if (blocks.size() > range.slots) {
        faults.add(Fault::malformed, rank, 0, [&] {
          return fmt::format("the promise has {} blocks in the {} buffer, which has {} slots", blocks.size(),
                             graph_.buffer_names[0], range.slots);
        });
      }
      for (std::uint32_t slot = 0; slot < std::min<std::size_t>(blocks.size(), range.slots); ++slot) {
        Packed const block = verification::pack(blocks[slot]);
        cells_.put(range.first + slot, {block, 1, prints_.marked() ? prints_.mark_of(block) : Mark{}});
      }
    }
  }

  /// Carries contents through all tasks. A read of a cell that holds nothing is a fault.
  void run(Order const& order, Faults& faults) {
    lay_out_messages();
    for (std::uint32_t const task : order.sequence) {
      // The sequence also has the starts of tasks, whose numbers follow those of the tasks.
      if (task >= graph_.effects.size() || graph_.effects[task].count == 0) continue;
      switch (graph_.tasks.tasks[task].kind) {
        case TaskKind::send:
          send(task, faults);
          break;
        case TaskKind::receive:
          receive(task, order.partner[task], faults);
          break;
        case TaskKind::calc:
          calculate(task, faults);
          break;
      }
    }
  }

  FullContent at_cell(std::uint32_t cell) const { return cells_[cell]; }
  Fingerprints& prints() { return prints_; }
  JoinLog const& log() const { return log_; }
  bool logs() const { return logs_; }

 private:
  /// Reserves room for the contents of sends, and for those of receives whose result is sent on.
  void lay_out_messages() {
    std::vector<bool> kept(graph_.effects.size(), false);
    for (std::uint32_t task = 0; task < kept.size(); ++task) {
      if (graph_.tasks.tasks[task].kind != TaskKind::send) continue;
      kept[task] = true;
      if (graph_.effects[task].passed != Effect::none) kept[graph_.effects[task].passed] = true;
    }
    message_.assign(kept.size(), 0);
    std::size_t size = 0;
    for (std::uint32_t task = 0; task < kept.size(); ++task) {
      message_[task] = kept[task] ? size : no_message;
      if (kept[task]) size += graph_.effects[task].count;
    }
    on_the_way_ = Contents(prints_, size);
  }

  /// Reads the cells of a send, or the result of a receive if the send passes that on.
  void send(std::uint32_t task, Faults& faults) {
    Effect const& effect = graph_.effects[task];
    auto const cells = graph_.reads(task);
    for (std::uint32_t k = 0; k < effect.count; ++k) {
      if (effect.passed != Effect::none) {
        keep(task, k, k < graph_.effects[effect.passed].count ? kept(effect.passed, k) : FullContent{unknown});
      } else {
        keep(task, k, read(task, cells[k], faults));
      }
    }
  }

  /// Stores or joins the contents that the partner `from` has sent. They are unknown if it does not exist (no_task) or
  /// sends too few.
  void receive(std::uint32_t task, std::uint32_t from, Faults& faults) {
    Effect const& effect = graph_.effects[task];
    auto const reads = graph_.reads(task), writes = graph_.writes(task);
    for (std::uint32_t k = 0; k < effect.count; ++k) {
      bool const comes = from != no_task && k < graph_.effects[from].count;
      FullContent outcome = comes ? kept(from, k) : FullContent{unknown};
      if (effect.join != Join::none) outcome = joined(task, read(task, reads[k], faults), outcome, effect.join);
      if (!writes.empty()) cells_.put(writes[k], outcome);
      if (message_[task] != no_message) keep(task, k, outcome);
    }
  }

  /// Reads all cells before it writes the first one, since ranges may overlap.
  void calculate(std::uint32_t task, Faults& faults) {
    Effect const& effect = graph_.effects[task];
    auto const reads = graph_.reads(task), writes = graph_.writes(task);
    std::vector<FullContent> taken(effect.count);
    for (std::uint32_t k = 0; k < effect.count; ++k) taken[k] = read(task, reads[k], faults);
    for (std::uint32_t k = 0; k < effect.count; ++k) {
      if (effect.join != Join::none) taken[k] = joined(task, read(task, writes[k], faults), taken[k], effect.join);
      cells_.put(writes[k], taken[k]);
    }
  }

  /// The content of a cell. A cell that holds nothing is reported once and is unknown from then on.
  FullContent read(std::uint32_t task, std::uint32_t cell, Faults& faults) {
    if (cells_[cell].content == nothing) {
      cells_.put(cell, {unknown});
      faults.add(Fault::not_held, task, [&] {
        return fmt::format("{} reads {}, which holds nothing yet", name_of(graph_, task),
                           graph_.name_of(graph_.tasks.rank_of(task), cell));
      });
    }
    return at_cell(cell);
  }

  /// The join of two contents; unknown if one of them is unknown or nothing. It is logged if joins are.
  FullContent joined(std::uint32_t task, FullContent const& present, FullContent const& arriving, Join join) {
    if (!verification::is_content(present.content) || !verification::is_content(arriving.content)) return {unknown};
    FullContent const& left = join == Join::before ? arriving : present;
    FullContent const& right = join == Join::before ? present : arriving;
    FullContent result = prints_.join(left, right);
    if (logs_) {
      result.mark.made = log_.note(result.content, {{left.content, left.mark.made},
                                                    {right.content, right.mark.made},
                                                    graph_.tasks.rank_of(task),
                                                    static_cast<int>(task)});
    }
    return result;
  }

  /// Stores content k of the message of a task, and reads it.
  void keep(std::uint32_t task, std::uint32_t k, FullContent const& held) { on_the_way_.put(message_[task] + k, held); }
  FullContent kept(std::uint32_t task, std::uint32_t k) const { return on_the_way_[message_[task] + k]; }

  static constexpr std::size_t no_message = ~std::size_t{0};  ///< of a task whose contents are not kept

  BlockGraph const& graph_;
  Fingerprints prints_;
  bool logs_;  ///< whether joins are logged
  JoinLog log_;
  Contents cells_;                    ///< by cell of the graph
  std::vector<std::size_t> message_;  ///< by task, where its message begins in on_the_way_; or no_message
  Contents on_the_way_;               ///< the contents of all messages
};

/// How many contents all tasks together join.
std::size_t joins_in(BlockGraph const& graph) {
  std::size_t joins = 0;
  for (Effect const& each : graph.effects) joins += each.join == Join::none ? 0 : each.count;
  return joins;
}

/// Names up to three contributions, and says how many others there are.
std::string contributions_text(std::vector<Content> const& contributions) {
  constexpr std::size_t most_named = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(contributions.size(), most_named); ++i) {
    text += (i == 0 ? "" : ", ") + verification::name(contributions[i]);
  }
  return contributions.size() <= most_named ? text
                                            : text + fmt::format(" and {} more", contributions.size() - most_named);
}

/// Whether EndComparison reports faults or only finds out that there are some.
enum class Report : std::uint8_t { none, all };

/// Compares the contents of the receive buffers at the end with what is owed there.
class EndComparison {
 public:
  EndComparison(BlockGraph const& graph, Collective const& promise, ContentFlow& end, Report report, Faults& faults)
      : graph_(graph),
        promise_(promise),
        end_(end),
        rules_(reduction_rules(promise)),
        report_(report),
        faults_(faults) {}

  /// Returns whether everything is right. With Report::none it stops at the first fault.
  bool check() {
    bool right = true;
    for (int r = 0; r < graph_.tasks.ranks(); ++r) {
      Rank const rank(r);
      CellRange const& range = graph_.buffers[at(rank)][static_cast<std::size_t>(Buffer::receive)];
      std::vector<Owed> const all = owed(promise_, rank);
      for (std::uint32_t slot = 0; slot < all.size(); ++slot) {
        if (all[slot].nobodys()) continue;
        if (slot >= range.slots) {
          right = false;
          report_no_room(rank, slot, all.size(), range.slots);
          break;
        }
        right = check(rank, range.first + slot, all[slot]) && right;
        if (!right && report_ == Report::none) return false;
      }
    }
    return right;
  }

 private:
  /// Whether the cell holds what is owed there; if not, a report explains why.
  bool check(Rank rank, std::uint32_t cell, Owed const& owed) {
    FullContent const found = end_.at_cell(cell);
    Packed const asked = end_.prints().owed(owed);
    if (found.content == asked) return verification::is_block(asked) || check_bits(rank, cell, asked, found);
    return report_ != Report::none && report(rank, cell, owed, found);
  }

  /// If all ranks are to get the same bits, equal contents must be joined by the same parenthesisation as at the first
  /// rank that has them. True if the promise does not ask for that.
  bool check_bits(Rank rank, std::uint32_t cell, Packed asked, FullContent const& found) {
    if (!rules_.same_bits) return true;
    auto const [earlier, is_first] = shapes_.try_emplace(asked, rank, found.mark.shape);
    std::pair<Rank, std::uint64_t> const& first = earlier->second;
    if (is_first || first.second == found.mark.shape) return true;
    if (report_ != Report::none) {
      faults_.add(Fault::differing_bits, rank, 0, [&] {
        return fmt::format("the reduction in {} is joined in another way than at rank {}, and so may differ in bits",
                           graph_.name_of(rank, cell), first.first.value);
      });
    }
    return false;
  }

  /// Something is owed in a slot that the receive buffer does not have.
  void report_no_room(Rank rank, std::size_t slot, std::size_t all, std::uint32_t slots) {
    if (report_ == Report::none) return;
    faults_.add(Fault::malformed, rank, 0, [&] {
      return fmt::format("slot {} of {} in the {} buffer is owed, which has {}", slot, all, graph_.buffer_names[1],
                         slots);
    });
  }

  /// Reports a wrong content. Returns true if it is right after all: a contribution may have entered twice, and the
  /// promise may allow that.
  bool report(Rank rank, std::uint32_t cell, Owed const& owed, FullContent const& found) {
    std::string const place = graph_.name_of(rank, cell);
    if (!verification::is_content(found.content)) {
      faults_.add(Fault::lost_block, rank, 0,
                  [&] { return fmt::format("{} is lost, it is owed in {}", verification::name(owed), place); });
      return false;
    }
    if (verification::is_block(found.content) && owed.whole()) {
      faults_.add(Fault::wrong_place, rank, 0, [&] {
        return fmt::format("{} lies in {}, where {} is owed", verification::name(verification::unpack(found.content)),
                           place, verification::name(owed));
      });
      return false;
    }
    if (!end_.logs()) {
      faults_.add(Fault::wrong_place, rank, 0, [&] {
        return fmt::format("another reduction lies in {}, where {} is owed", place, verification::name(owed));
      });
      return false;
    }
    return report_contributions(rank, place, owed, {found.content, found.mark.made});
  }

  /// Compares contributions one by one, from the log of joins. Returns whether they are right, as report() does.
  bool report_contributions(Rank rank, std::string const& place, Owed const& owed, JoinLog::Part const& found) {
    Counts const asked = verification::contributions_of(owed);
    auto const [missing, foreign, doubled] =
        verification::differences(asked, end_.log().contributions(found), rules_.idempotent);
    add(Fault::missing, rank, missing, place, owed, "does not enter");
    add(Fault::foreign, rank, foreign, place, owed, "is not owed but enters");
    add_doubled(rank, doubled, place, owed, found, asked);
    bool const complete = missing.empty() && foreign.empty() && doubled.empty();
    if (!complete || rules_.idempotent) return complete;
    report_disorder(rank, place, owed, found);
    return false;
  }

  /// Adds a fault about contributions, unless there are none.
  void add(Fault fault, Rank rank, std::vector<Content> const& which, std::string const& place, Owed const& owed,
           std::string const& what) {
    if (which.empty()) return;
    faults_.add(fault, rank, 0, [&] {
      return fmt::format("{} {} {}, where {} is owed", contributions_text(which), what, place,
                         verification::name(owed));
    });
  }

  /// Reports the contributions that enter too often, and names the first task in which the first of them does.
  void add_doubled(Rank rank, std::vector<Content> const& which, std::string const& place, Owed const& owed,
                   JoinLog::Part const& found, Counts const& asked) {
    if (which.empty()) return;
    std::uint32_t const number = end_.log().first_excess(found, which.front(), asked.at(which.front()));
    auto const task = static_cast<std::uint32_t>(number == 0 ? 0 : end_.log().join(number).round);
    add(Fault::doubled, rank, which, place, owed,
        fmt::format("enters once more by {} and so is doubled in", name_of(graph_, task)));
  }

  /// Reports the first join whose operands are in the wrong order; nothing if there is none.
  void report_disorder(Rank rank, std::string const& place, Owed const& owed, JoinLog::Part const& found) {
    std::uint32_t const number = end_.log().first_disorder(found, owed);
    if (number == 0) return;
    auto const task = static_cast<std::uint32_t>(end_.log().join(number).round);
    faults_.add(Fault::out_of_order, task, [&] {
      return fmt::format("{} joins contributions in another order than that of {}, which is owed in {} of rank {}",
                         name_of(graph_, task), verification::name(owed), place, rank.value);
    });
  }

  BlockGraph const& graph_;
  Collective const& promise_;
  ContentFlow& end_;
  ReductionRules rules_;
  Report report_;
  Faults& faults_;
  /// By content: the first rank that has it, and the fingerprint of its parenthesisation there.
  std::unordered_map<Packed, std::pair<Rank, std::uint64_t>> shapes_;
};

}  // namespace

/// Checks with fingerprints first; only if something is wrong, once more with a log of joins, unless there are too
/// many. Idempotent reductions need the log at once, because a contribution may enter several times.
void check_contents(BlockGraph const& graph, Collective const& promise, Order const& order, Faults& faults) {
  std::size_t const joins = joins_in(graph);
  if (joins == 0 || !reduction_rules(promise).idempotent) {
    Faults discarded(graph.tasks);
    ContentFlow end(graph, promise, joins == 0 ? Joins::none : Joins::fingerprinted);
    end.place_what_is_held(promise, discarded);
    end.run(order, discarded);
    if (discarded.count() == 0 && EndComparison(graph, promise, end, Report::none, discarded).check()) return;
  }
  ContentFlow end(graph, promise, joins <= most_joins_logged ? Joins::logged : Joins::fingerprinted);
  end.place_what_is_held(promise, faults);
  end.run(order, faults);
  EndComparison(graph, promise, end, Report::all, faults).check();
}

}  // namespace rondo::proof
