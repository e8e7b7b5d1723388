// The names of faults and of contents in messages, and the collection of violations. A wrong reduction is explained
// contribution by contribution.

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "base/text.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {

/// The name of a fault in output.
std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::lost_block:
      return "lost block";
    case Fault::wrong_place:
      return "wrong place";
    case Fault::duplicate:
      return "duplicate";
    case Fault::overwritten:
      return "overwritten";
    case Fault::not_held:
      return "not held";
    case Fault::size_mismatch:
      return "size mismatch";
    case Fault::unmatched_send:
      return "unmatched send";
    case Fault::unmatched_receive:
      return "unmatched receive";
    case Fault::round_mismatch:
      return "round mismatch";
    case Fault::circular_wait:
      return "circular wait";
    case Fault::ports:
      return "ports";
    case Fault::links:
      return "links";
    case Fault::missing:
      return "missing contribution";
    case Fault::doubled:
      return "doubled contribution";
    case Fault::foreign:
      return "foreign contribution";
    case Fault::out_of_order:
      return "out of order";
    case Fault::differing_bits:
      return "differing bits";
    case Fault::malformed:
      return "malformed";
  }
  return "unknown fault";
}

bool breaks(Fault fault) {
  switch (fault) {
    case Fault::size_mismatch:
    case Fault::unmatched_send:
    case Fault::unmatched_receive:
    case Fault::round_mismatch:
    case Fault::circular_wait:
    case Fault::ports:
    case Fault::links:
    case Fault::malformed:
      return true;
    default:
      return false;
  }
}

namespace verification {
namespace {

bool earlier(Violation const& a, Violation const& b) {
  return a.round != b.round ? a.round < b.round : a.rank < b.rank;
}

}  // namespace

bool Findings::kept(Rank rank, int round) const {
  if (!full_) return true;
  Violation const& last = violations_[capacity - 1];
  return round != last.round ? round < last.round : rank < last.rank;
}

void Findings::shorten() {
  std::stable_sort(violations_.begin(), violations_.end(), earlier);
  full_ = violations_.size() >= capacity;
  if (full_) violations_.resize(capacity);
}

std::int64_t Findings::count() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

std::vector<Violation> Findings::take() && {
  shorten();
  return std::move(violations_);
}

namespace {

constexpr std::size_t most_ranges_named = 4;

/// Contributions of one block by successive ranks, each equally often.
struct Run {
  Content first;
  std::int64_t last = 0;
  std::int64_t times = 0;
};

/// Joins consecutive ranks, so that a message stays short.
std::vector<Run> runs_of(Counts const& contributions) {
  std::map<std::pair<BlockId, Rank>, std::int64_t> by_block;
  for (auto const& [content, times] : contributions) by_block[{content.block, content.origin}] = times;
  std::vector<Run> runs;
  for (auto const& [key, times] : by_block) {
    auto const& [block, rank] = key;
    bool const follows = !runs.empty() && runs.back().first.block == block && runs.back().times == times &&
                         runs.back().last + 1 == rank.value;
    if (!follows) runs.push_back({{rank, block}, rank.value, times});
    runs.back().last = rank.value;
  }
  return runs;
}

/// "the join of block 5 of ranks 0 to 3, rank 7 (2 times)"
std::string name_of(Counts const& contributions) {
  std::vector<Run> const runs = runs_of(contributions);
  std::string text = "the join of";
  for (std::size_t i = 0; i < std::min(runs.size(), most_ranges_named); ++i) {
    Run const& run = runs[i];
    bool const new_block = i == 0 || runs[i - 1].first.block != run.first.block;
    text += i == 0 ? "" : ",";
    if (new_block) text += fmt::format(" block {} of", run.first.block.value);
    text += run.last == run.first.origin.value ? fmt::format(" rank {}", run.last)
                                               : fmt::format(" ranks {} to {}", run.first.origin.value, run.last);
    if (run.times > 1) text += fmt::format(" ({} times)", run.times);
  }
  return runs.size() > most_ranges_named ? text + " and more" : text;
}

}  // namespace

/// A place as messages write it.
std::string name(Place place) {
  switch (place.buffer()) {
    case Buffer::send:
      return fmt::format("send[{}]", place.slot());
    case Buffer::receive:
      return fmt::format("receive[{}]", place.slot());
    case Buffer::intermediate:
      return fmt::format("intermediate[{}]", place.slot());
  }
  return fmt::format("unknown buffer[{}]", place.slot());
}

std::string name(Content const& block) {
  return fmt::format("block {} of rank {}", block.block.value, block.origin.value);
}

std::string name(Packed content, Findings const& findings) {
  if (is_block(content)) return name(unpack(content));
  bool const is_logged = findings.log != nullptr && findings.log->knows(content);
  return is_logged ? name(findings.log->part(content), findings) : "a reduction";
}

std::string name(JoinLog::Part const& content, Findings const& findings) {
  return content.made == 0 ? name(unpack(content.content)) : name_of(findings.log->contributions(content));
}

/// A block that stands for a content: itself, or the first contribution of a reduction.
std::optional<Content> content_of(Packed content, Findings const& findings) {
  if (is_block(content)) return unpack(content);
  bool const is_logged = is_content(content) && findings.log != nullptr && findings.log->knows(content);
  return is_logged ? std::optional(findings.log->contributions(findings.log->part(content)).begin()->first)
                   : std::nullopt;
}

/// What is owed in a slot.
std::string name(Owed const& owed) {
  if (auto const block = owed.whole()) return name(*block);
  if (owed.listed.empty()) {
    return fmt::format("the join of block {} of ranks {} to {}", owed.block.value, owed.first, owed.last - 1);
  }
  return name_of(contributions_of(owed));
}

}  // namespace verification
}  // namespace rondo

namespace rondo::verification {
namespace {

/// "block 0 of rank 3 is", "block 0 of rank 3 and 2 more contributions are"
std::string subject_of(std::vector<Content> const& contributions, char const* of_one, char const* of_many) {
  std::string const first = name(contributions.front());
  if (contributions.size() == 1) return fmt::format("{} {}", first, of_one);
  return fmt::format("{} and {} {}", first, counted(contributions.size() - 1, "more contribution"), of_many);
}

/// Compares the contributions that entered a place with those that are owed there.
class Comparison {
 public:
  Comparison(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
             Findings& findings)
      : subject_(subject), rank_(rank), place_(place), owed_(owed), found_(found), findings_(findings) {}

  /// Order only matters if the contributions are right.
  void report() {
    ReductionRules const rules = reduction_rules(subject_.collective);
    Counts const asked = contributions_of(owed_), entered = findings_.log->contributions(found_);
    auto const [missing, foreign, doubled] = differences(asked, entered, rules.idempotent);
    if (!missing.empty()) report_missing(missing);
    if (!foreign.empty()) report_foreign(foreign);
    for (Content const& contribution : doubled) report_doubled(contribution, asked.at(contribution));
    if (rules.ordered && asked == entered) report_disorder();
  }

 private:
  /// Contributions that are owed and did not enter, or not often enough.
  void report_missing(std::vector<Content> const& missing) {
    findings_.add(Fault::missing, rank_, subject_.rounds, missing.front(), [&] {
      return fmt::format("{} missing from {}, where {} is owed", subject_of(missing, "is", "are"), name(place_),
                         name(owed_));
    });
  }

  /// Contributions that are not owed.
  void report_foreign(std::vector<Content> const& foreign) {
    findings_.add(Fault::foreign, rank_, subject_.rounds, foreign.front(), [&] {
      return fmt::format("{} entered {}, where {} is owed", subject_of(foreign, "has", "have"), name(place_),
                         name(owed_));
    });
  }

  /// Names the join by which a contribution entered a second time. Each such join is reported once, however many places
  /// its result has come to.
  void report_doubled(Content const& contribution, std::int64_t asked) {
    std::uint32_t const number = findings_.log->first_excess(found_, contribution, asked);
    if (number == 0 || !findings_.blame(number, contribution)) return;
    JoinLog::Join const& join = findings_.log->join(number);
    findings_.add(Fault::doubled, join.rank, join.round, contribution, [&] {
      return fmt::format("{} is joined with {}: {} is in both, and so doubled at rank {}", name(join.left, findings_),
                         name(join.right, findings_), name(contribution), rank_.value);
    });
  }

  /// The first join whose operands are in the wrong order.
  void report_disorder() {
    std::uint32_t const number = findings_.log->first_disorder(found_, owed_);
    if (number == 0) return;
    JoinLog::Join const& join = findings_.log->join(number);
    Content const first = findings_.log->first(join.right);
    if (!findings_.blame(number, first)) return;
    findings_.add(Fault::out_of_order, join.rank, join.round, first, [&] {
      return fmt::format("{} is joined with {} to its right, which does not follow it in order",
                         name(join.left, findings_), name(join.right, findings_));
    });
  }

  Subject const& subject_;
  Rank rank_;
  Place place_;
  Owed const& owed_;
  JoinLog::Part found_;
  Findings& findings_;
};

}  // namespace

void report_contributions(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
                          Findings& findings) {
  Comparison(subject, rank, place, owed, found, findings).report();
}

}  // namespace rondo::verification
