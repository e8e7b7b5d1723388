#pragma once

// The parts of `verify`; no code outside of this folder uses them. Each part reports to one Findings; verify.cpp has
// their order.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "schedule/verify.hpp"
#include "schedule/verify_reductions.hpp"

namespace rondo::verification {

/// Which ranks are followed: all, or only rank 0 as a representative if all ranks do the same.
enum class Scope : std::uint8_t { every_rank, representative };

/// The schedule that is checked, with everything that the check needs to know.
struct Subject {
  Schedule const& schedule;
  Collective const& collective;
  MachineLimits const& allowed;
  Scope scope = Scope::every_rank;
  int rounds = 0;  ///< those of the schedule
  Joins joins = Joins::none;

  int followed() const { return scope == Scope::representative ? 1 : schedule.ranks; }
  /// The program of a rank. If the schedule names none for it, an empty program without rounds and slots.
  Program const& program(Rank rank) const {
    auto const r = static_cast<std::size_t>(rank.value);
    if (schedule.program_of.empty()) return schedule.programs.empty() ? no_program() : schedule.programs.front();
    if (r >= schedule.program_of.size() || schedule.program_of[r] >= schedule.programs.size()) return no_program();
    return schedule.programs[schedule.program_of[r]];
  }
  /// The other rank of a transfer of `rank`; unset if it does not exist or is `rank` itself.
  std::optional<Rank> partner(Rank rank, Transfer const& transfer) const;

 private:
  static Program const& no_program();
};

/// Collects violations. It counts all of them, and keeps the first ones by (round, rank) and then by the order of their
/// report.
class Findings {
 public:
  /// `text` makes the line behind "rank 3, round 2: "; it is called only if the violation is kept.
  template <typename Text>
  void add(Fault fault, Rank rank, int round, std::optional<Content> block, Text const& text) {
    ++counts_[static_cast<std::size_t>(fault)];
    if (!kept(rank, round)) return;
    violations_.push_back({fault, rank, round, block, fmt::format("rank {}, round {}: {}", rank.value, round, text())});
    if (violations_.size() >= 2 * capacity) shorten();
  }
  /// The log that knows the contributions of reductions by name; null if there is none.
  JoinLog* log = nullptr;

  /// Whether this join is blamed for this contribution for the first time.
  bool blame(std::uint32_t join, Content const& contribution) { return blamed_.insert({join, contribution}).second; }

  std::int64_t count(Fault fault) const { return counts_[static_cast<std::size_t>(fault)]; }
  std::int64_t count() const;
  std::vector<Violation> take() &&;

 private:
  static constexpr auto capacity = static_cast<std::size_t>(Verdict::most_violations);
  bool kept(Rank rank, int round) const;
  void shorten();

  std::vector<Violation> violations_;
  std::set<std::pair<std::uint32_t, Content>> blamed_;  ///< joins by their numbers
  bool full_ = false;  ///< the first `capacity` violations are the smallest so far, in order
  std::array<std::int64_t, static_cast<std::size_t>(Fault::malformed) + 1> counts_{};
};

/// "intermediate[5]"
std::string name(Place place);
/// "block 5 of rank 1"
std::string name(Content const& block);
/// "block 5 of rank 1", "the join of block 5 of ranks 0 to 3"
std::string name(Owed const& owed);
/// The name of a block; for a reduction the words that are known about it: "the join of block 5 of ranks 0 to 3".
std::string name(Packed content, Findings const& findings);
/// The words for a content that the log knows.
std::string name(JoinLog::Part const& content, Findings const& findings);
/// A block, or the first contribution of a reduction; unset if it is unknown.
std::optional<Content> content_of(Packed content, Findings const& findings);

/// A send together with the receive that it meets, or one of them alone. If rank 0 stands for all, one of the two ranks
/// is rank 0, and the other one does what rank 0 does.
struct Message {
  Rank source, target;
  int sent = 0;                 ///< the round of the send; 0: no send meets the receive
  int received = 0;             ///< the round of the receive; 0: no receive meets the send
  std::span<Place const> from;  ///< the places of the send
  std::span<Place const> into;  ///< the places of the receive
  bool quiet = false;           ///< a consequence of a fault that is reported elsewhere
  Join join = Join::none;       ///< what the receive makes of it
  std::int32_t stated = 0;      ///< the partner as it is stated, where source or target is -1: it is no other rank

  bool whole() const { return sent > 0 && received > 0; }
  /// The round in which it is delivered: the later of the two.
  int round() const { return sent > received ? sent : received; }
};

/// Reports faults that make a schedule unreadable: programs, buffers and places that do not exist.
void check_shape(Subject const& subject, Findings& findings);

/// The messages by (round, target, order of posting). Between two ranks the k-th send meets the k-th receive.
/// Operations that do not match, and partners that are no ranks, are kept for the replay to report, because it knows
/// the blocks.
std::vector<Message> match(Subject const& subject);

/// Returns whether every rank ends if sends are eager. Reports a circular wait.
bool check_waits(Subject const& subject, std::vector<Message> const& messages, Findings& findings);

/// The blocks that ranks received although they held them already.
struct Redundant {
  std::int64_t slots = 0;
  Bytes bytes;
};
/// The result of a replay: whether every owed block lies in its place at the end, and the redundant receives of the
/// followed ranks.
struct Replayed {
  bool delivered = false;
  Redundant redundant;
};
/// Reports the faults of messages, their links and ports, and of blocks.
Replayed replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings);

/// Reports the contributions of a reduction that are missing, doubled, foreign or out of order in a place to which it
/// is owed. `found` is a content that the log of the findings knows.
void report_contributions(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
                          Findings& findings);

/// If rank 0 stands for all, reports the messages of all ranks over links that the machine does not have. A machine
/// such as a mesh looks different from each rank, so rank 0 cannot stand for all here.
void check_machine_for_all(Subject const& subject, Findings& findings);

/// Runs all parts. If rank 0 stands for all, schedule and collective must look the same from every rank. The violations
/// are then those of rank 0, except that those about links of the machine are those of all ranks.
Verdict judge(Subject const& subject);

}  // namespace rondo::verification
