#pragma once

// The parts of verify, for this folder alone. Each part reports to one Findings; verify.cpp says in which order.

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

/// Which ranks are followed: every one or, where all do the same, rank 0 on behalf of all.
enum class Scope : std::uint8_t { every_rank, representative };

struct Subject {
  Schedule const& schedule;
  Collective const& collective;
  Allowed const& allowed;
  Scope scope = Scope::every_rank;
  int rounds = 0;  ///< those of the schedule
  Joins joins = Joins::none;

  int followed() const { return scope == Scope::representative ? 1 : schedule.ranks; }
  /// The program of a rank; an empty one, without rounds and slots, where the schedule names no program for it.
  Program const& program(Rank rank) const {
    auto const r = static_cast<std::size_t>(rank.value);
    if (schedule.program_of.empty()) return schedule.programs.empty() ? no_program() : schedule.programs.front();
    if (r >= schedule.program_of.size() || schedule.program_of[r] >= schedule.programs.size()) return no_program();
    return schedule.programs[schedule.program_of[r]];
  }
  /// The rank that a transfer of `rank` goes to or comes from; unset if it is no other rank.
  std::optional<Rank> partner(Rank rank, Transfer const& transfer) const;

 private:
  static Program const& no_program();
};

/// Collects violations: counts all, keeps the first by (round, rank) and, among those, by the order of their report.
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
  /// Where contents are reductions, what knows their contributions by name; null: nobody does.
  JoinLog* log = nullptr;

  /// Whether a join is blamed for a contribution for the first time.
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
/// A block by its name; of a reduction what is known of it: "the join of block 5 of ranks 0 to 3".
std::string name(Packed content, Findings const& findings);
/// A content that the log knows.
std::string name(JoinLog::Part const& content, Findings const& findings);
/// A block, or the first contribution of a reduction; unset if that is not known.
std::optional<Content> content_of(Packed content, Findings const& findings);
/// "1 send", "2 sends"
std::string counted(std::size_t number, char const* noun);

/// A send and the receive that it meets, or one of them alone. In the representative's scope one of the two ranks is
/// rank 0, and the other one does what rank 0 does.
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

/// Reports what makes a schedule unreadable: programs, buffers and places that are not there.
void check_shape(Subject const& subject, Findings& findings);

/// The messages by (round, target, order of posting): of two ranks, the k-th send meets the k-th receive.
/// What does not match, and partners that are no ranks, are for replay to report, which knows the blocks.
std::vector<Message> match(Subject const& subject);

/// Whether every rank comes to its end if sends are eager. Reports a circular wait.
bool check_waits(Subject const& subject, std::vector<Message> const& messages, Findings& findings);

/// Blocks received by ranks that held them already.
struct Redundant {
  std::int64_t slots = 0;
  Bytes bytes;
};
/// Whether every owed block lies in its place at the end, and how many blocks the followed ranks received that they
/// held already.
struct Replayed {
  bool delivered = false;
  Redundant redundant;
};
/// Reports the faults of messages, their links and ports, and of blocks.
Replayed replay(Subject const& subject, std::vector<Message> const& messages, Findings& findings);

/// Reports which contributions to a reduction are missing, doubled, foreign or out of order in a place where it is
/// owed. `found`: a content that the log of the findings knows.
void report_contributions(Subject const& subject, Rank rank, Place place, Owed const& owed, JoinLog::Part const& found,
                          Findings& findings);

/// In the representative's scope: reports the messages of all ranks over links that the machine does not have. It need
/// not look the same from each rank, as a mesh does not, so that rank 0 cannot speak for all.
void check_machine_for_all(Subject const& subject, Findings& findings);

/// All parts together. In the representative's scope schedule and collective must look the same from every rank; the
/// violations are then those of rank 0, but for links of the machine, which are those of all ranks.
Verdict judge(Subject const& subject);

}  // namespace rondo::verification
