// Runs the parts of `verify` in their order. If all ranks do the same, one rank stands for all; only if it fails, every
// rank is replayed for a complete list.

#include "schedule/verify.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {
namespace {

using namespace verification;

/// A broken isomorphic schedule with fewer block moves than this is replayed for every rank, so that the faults of all
/// ranks are named.
constexpr std::int64_t most_moves_replayed_twice = 20'000'000;

/// A broken schedule with at most this many joins is replayed once more with a log that names contributions.
constexpr std::int64_t most_joins_logged = 10'000'000;

/// All joins of all ranks: without any, a replay needs no fingerprints.
std::int64_t joins(Schedule const& schedule) {
  std::int64_t all = 0;
  for (int r = 0; r < schedule.ranks; ++r) {
    auto const rank = static_cast<std::size_t>(r);
    std::size_t const program = schedule.program_of.empty()         ? 0
                                : rank < schedule.program_of.size() ? schedule.program_of[rank]
                                                                    : schedule.programs.size();
    if (program < schedule.programs.size()) all += schedule.programs[program].joins();
  }
  return all;
}

/// Whether the schedule and the collective look the same from all ranks under the translations of the torus. If so, a
/// statement about rank 0 holds for each rank: its partner at offset C does what rank 0 does itself, seen from C.
bool one_speaks_for_all(Schedule const& schedule, Collective const& collective) {
  if (!schedule.isomorphic() || !schedule.torus || schedule.joins()) return false;
  auto const dimensions = static_cast<std::size_t>(schedule.torus->dimensions());
  if (dimensions == 0 || schedule.offsets.size() % dimensions != 0) return false;
  if (!schedule.program_of.empty()) return false;
  return same_from_every_rank(collective, *schedule.torus);
}

/// Blocks and messages that a replay of all ranks would move.
std::int64_t moves(Schedule const& schedule) {
  Program const& program = schedule.programs.front();
  std::int64_t blocks = 0;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) blocks += send.count + std::int64_t{1};
  }
  return blocks * schedule.ranks;
}

}  // namespace

/// Runs all parts, whatever the first ones find, so that all faults are listed.
Verdict verification::judge(Subject const& subject) {
  JoinLog log;
  Findings findings;
  // Without joins the log is empty and complete.
  if (subject.joins != Joins::fingerprinted) findings.log = &log;
  check_shape(subject, findings);
  std::vector<Message> const messages = match(subject);
  bool const ended = check_waits(subject, messages, findings);
  Replayed const result = replay(subject, messages, findings);
  check_machine_for_all(subject, findings);
  Verdict verdict;
  verdict.delivered = ended && result.delivered;
  verdict.violation_count = findings.count();
  verdict.violations = std::move(findings).take();
  // If rank 0 stands for all, every rank received what rank 0 did.
  std::int64_t const alike = subject.scope == Scope::representative ? subject.schedule.ranks : 1;
  verdict.redundant_blocks =
      unit_layout(subject.schedule).blocks(alike * result.redundant.slots, alike * result.redundant.bytes);
  return verdict;
}

/// The replay of one rank decides if the schedule looks the same from every rank.
Verdict verify(Schedule const& schedule, Collective const& collective, MachineLimits const& allowed) {
  expects(ranks(collective) == schedule.ranks, "a schedule and a collective of the same ranks");
  Subject subject{schedule, collective, allowed, Scope::representative, schedule.rounds()};
  if (one_speaks_for_all(schedule, collective)) {
    Verdict verdict = judge(subject);
    if (verdict.valid() || moves(schedule) > most_moves_replayed_twice) return verdict;
  }
  subject.scope = Scope::every_rank;
  if (!schedule.joins()) return judge(subject);
  if (!reduction_rules(collective).idempotent) {
    subject.joins = Joins::fingerprinted;
    Verdict verdict = judge(subject);
    if (verdict.valid() || joins(schedule) > most_joins_logged) return verdict;
  }
  subject.joins = Joins::logged;
  return judge(subject);
}

}  // namespace rondo
