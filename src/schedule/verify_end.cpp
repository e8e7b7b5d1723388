// Compares what lies in each receive buffer with what is owed, and says why it is wrong: lost, elsewhere, overwritten,
// or joined wrongly.

#include "schedule/verify_end.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace rondo::verification {
namespace {

/// Compares the receive buffers of the followed ranks with what they are owed.
class EndCheck {
 public:
  EndCheck(ReplayEnd const& end, Findings& findings)
      : subject_(end.subject),
        fingerprints_(end.fingerprints),
        cells_(end.cells),
        passed_(end.passed),
        findings_(findings) {}

  bool run() {
    for (int r = 0; r < subject_.followed(); ++r) check(Rank(r));
    return delivered_;
  }

 private:
  /// Checks every owed slot of one rank. A reduction with another fingerprint is right all the same if contributions
  /// may enter several times and the same ones enter.
  void check(Rank rank) {
    int const r = subject_.scope == Scope::representative ? 0 : rank.value;
    std::vector<Owed> owed_slots;  // asked for where a reduction is wrong
    for (std::uint32_t slot = 0; slot < cells_.owed_slots(r); ++slot) {
      Place const place = receive_slot(slot);
      Packed const owed = cells_.owed(r, place);
      Cell const* const cell = cells_.find(r, place);
      Packed const found = cell != nullptr ? cell->content : nothing;
      if (owed == nothing) continue;
      if (found == owed) {
        if (!is_block(owed) && fingerprints_.rules().same_bits) check_bits(rank, place, owed, cells_.mark(cell).shape);
        continue;
      }
      if (owed_slots.empty()) owed_slots = rondo::owed(subject_.collective, rank);
      if (forgives_doubles() && is_content(found) && knows_all(part(*cell), owed_slots[slot])) continue;
      delivered_ = false;
      auto const passed = passed_.find({rank, slot});
      if (passed != passed_.end()) {
        report_overwritten(findings_, rank, passed->second, place, owed, " where it was owed");
      }
      report_wrong(rank, place, owed_slots[slot], cell);
    }
  }

  /// Checks that the content of a place was made in the same way as at the first rank that is owed it.
  void check_bits(Rank rank, Place place, Packed owed, std::uint64_t shape) {
    auto const [found, is_first] = made_.try_emplace(owed, ResultShape{rank, shape});
    ResultShape const& first = found->second;
    if (is_first || first.shape == shape) return;
    delivered_ = false;
    findings_.add(Fault::differing_bits, rank, subject_.rounds, content_of(owed, findings_), [&] {
      return fmt::format("{} in {} is joined in another way than at rank {}, and so may differ in bits",
                         name(owed, findings_), name(place), first.rank.value);
    });
  }

  /// Whether the promise lets contributions enter several times. Only the log can tell then whether a content is right.
  bool forgives_doubles() const { return fingerprints_.rules().idempotent && findings_.log != nullptr; }

  /// Whether the same contributions enter, however often each of them does.
  bool knows_all(JoinLog::Part const& found, Owed const& owed) const {
    std::set<Content> asked;
    for (std::size_t i = 0; i < owed.contributions(); ++i) asked.insert(owed.contribution(i));
    auto const entered = findings_.log->contributions(found);
    return std::equal(asked.begin(), asked.end(), entered.begin(), entered.end(),
                      [](Content const& a, auto const& b) { return a == b.first; });
  }

  JoinLog::Part part(Cell const& cell) { return {cell.content, fingerprints_.marked() ? cells_.mark(&cell).made : 0}; }

  /// Reports that a place does not hold what it is owed. `cell` is null if the place is outside its buffer.
  void report_wrong(Rank rank, Place place, Owed const& owed, Cell const* cell) {
    Packed const found = cell != nullptr ? cell->content : nothing;
    if (!is_content(found)) {
      findings_.add(Fault::lost_block, rank, subject_.rounds, owed.contribution(0),
                    [&] { return fmt::format("{} is lost, it is owed in {}", name(owed), name(place)); });
    } else if ((owed.whole() && is_block(found)) || findings_.log == nullptr) {
      report_other(rank, place, owed, found);
    } else {
      report_contributions(subject_, rank, place, owed, part(*cell), findings_);
    }
  }

  void report_other(Rank rank, Place place, Owed const& owed, Packed found) {
    findings_.add(Fault::wrong_place, rank, subject_.rounds, content_of(found, findings_), [&] {
      return fmt::format("{} lies in {}, where {} is owed", name(found, findings_), name(place), name(owed));
    });
  }

  /// How a reduction was joined at the first rank that got it.
  struct ResultShape {
    Rank rank;
    std::uint64_t shape = 0;
  };

  Subject const& subject_;
  Fingerprints const& fingerprints_;
  Cells& cells_;
  Passed const& passed_;
  Findings& findings_;
  std::unordered_map<Packed, ResultShape> made_;  ///< by reduction, where it was found first
  bool delivered_ = true;
};

}  // namespace

bool check_end(ReplayEnd const& end, Findings& findings) { return EndCheck(end, findings).run(); }

/// A place whose content was lost before it was used.
void report_overwritten(Findings& findings, Rank rank, int round, Place place, Packed block, char const* why,
                        char const* how) {
  findings.add(Fault::overwritten, rank, round, content_of(block, findings), [&] {
    std::string const what = is_content(block) ? name(block, findings) : std::string("nothing");
    return fmt::format("{} is{} {}{}", what, how, name(place), why);
  });
}

}  // namespace rondo::verification
