// Explains a wrong reduction, contribution by contribution.

#include <algorithm>
#include <vector>

#include "schedule/verify_parts.hpp"

namespace rondo::verification {
namespace {

using Counts = std::map<Content, std::int64_t>;

/// "block 0 of rank 3 is", "block 0 of rank 3 and 2 more contributions are"
std::string subject_of(std::vector<Content> const& contributions, char const* of_one, char const* of_many) {
  std::string const first = name(contributions.front());
  if (contributions.size() == 1) return fmt::format("{} {}", first, of_one);
  return fmt::format("{} and {} {}", first, counted(contributions.size() - 1, "more contribution"), of_many);
}

std::int64_t times(Counts const& counts, Content const& contribution) {
  auto const found = counts.find(contribution);
  return found == counts.end() ? 0 : found->second;
}

/// Compares the contributions that entered a place with those that are owed there.
class Comparison {
 public:
  /// Counts both sides.
  Comparison(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
             Findings& findings)
      : subject_(subject), rank_(rank), place_(place), owed_(owed), found_(found), findings_(findings) {
    for (std::size_t i = 0; i < owed.contributions(); ++i) ++asked_[owed.contribution(i)];
    entered_ = findings.log->contributions(found);
  }

  /// Order only matters if the contributions are right.
  void report() {
    report_missing();
    report_foreign();
    if (!subject_rules().idempotent) report_doubled();
    if (subject_rules().ordered && asked_ == entered_) report_disorder();
  }

 private:
  ReductionRules subject_rules() const { return reduction_rules(subject_.collective); }

  /// Contributions that are owed and did not enter, or not often enough.
  void report_missing() {
    std::vector<Content> missing;
    for (auto const& [contribution, asked] : asked_) {
      bool const is_complete =
          subject_rules().idempotent ? times(entered_, contribution) > 0 : times(entered_, contribution) >= asked;
      if (!is_complete) missing.push_back(contribution);
    }
    if (missing.empty()) return;
    findings_.add(Fault::missing, rank_, subject_.rounds, missing.front(), [&] {
      return fmt::format("{} missing from {}, where {} is owed", subject_of(missing, "is", "are"), name(place_),
                         name(owed_));
    });
  }

  /// Contributions that are not owed.
  void report_foreign() {
    std::vector<Content> foreign;
    for (auto const& [contribution, entered] : entered_) {
      if (asked_.count(contribution) == 0) foreign.push_back(contribution);
    }
    if (foreign.empty()) return;
    findings_.add(Fault::foreign, rank_, subject_.rounds, foreign.front(), [&] {
      return fmt::format("{} entered {}, where {} is owed", subject_of(foreign, "has", "have"), name(place_),
                         name(owed_));
    });
  }

  /// Names the join by which a contribution entered a second time. Each such join is reported once, however many places
  /// its result has come to.
  void report_doubled() {
    for (auto const& each : asked_) {
      Content const& contribution = each.first;
      if (times(entered_, contribution) <= each.second) continue;
      std::uint32_t const number = findings_.log->first_excess(found_, contribution, each.second);
      if (number == 0 || !findings_.blame(number, contribution)) continue;
      JoinLog::Join const& join = findings_.log->join(number);
      findings_.add(Fault::doubled, join.rank, join.round, contribution, [&] {
        return fmt::format("{} is joined with {}: {} is in both, and so doubled at rank {}", name(join.left, findings_),
                           name(join.right, findings_), name(contribution), rank_.value);
      });
    }
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
  Counts asked_, entered_;
};

}  // namespace

void report_contributions(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
                          Findings& findings) {
  Comparison(subject, rank, place, owed, found, findings).report();
}

}  // namespace rondo::verification
