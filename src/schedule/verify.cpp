#include "schedule/verify.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "schedule/verify_parts.hpp"

namespace rondo {
namespace {

using namespace verification;

/// Below this number of block moves a broken isomorphic schedule is replayed for every rank, to name them all.
constexpr std::int64_t most_moves_replayed_twice = 20'000'000;

/// Whether all ranks do the same under the translations of the torus, in the schedule and in the collective. Then what
/// holds for rank 0 holds for each: its partner at offset C does what it does itself, seen from C.
bool one_speaks_for_all(Schedule const& schedule, Collective const& collective) {
  if (!schedule.isomorphic() || !schedule.torus) return false;
  auto const dimensions = static_cast<std::size_t>(schedule.torus->dimensions());
  if (dimensions == 0 || schedule.offsets.size() % dimensions != 0) return false;
  if (!schedule.program_of.empty()) return false;
  return same_from_every_rank(collective, *schedule.torus);
}

std::int64_t moves(Schedule const& schedule) {
  Program const& program = schedule.programs.front();
  std::int64_t blocks = 0;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) blocks += send.count + std::int64_t{1};
  }
  return blocks * schedule.ranks;
}

}  // namespace

Verdict verification::judge(Subject const& subject) {
  Findings findings;
  check_shape(subject, findings);
  std::vector<Message> const messages = match(subject);
  bool const ended = check_waits(subject, messages, findings);
  Replayed const result = replay(subject, messages, findings);
  check_machine_for_all(subject, findings);
  Verdict verdict;
  verdict.delivered = ended && result.delivered;
  verdict.violation_count = findings.count();
  verdict.violations = std::move(findings).take();
  // In the representative's scope every rank received what rank 0 did.
  std::int64_t const alike = subject.scope == Scope::representative ? subject.schedule.ranks : 1;
  verdict.redundant_blocks =
      unit_layout(subject.schedule).blocks(alike * result.redundant.slots, alike * result.redundant.bytes);
  return verdict;
}

Verdict verify(Schedule const& schedule, Collective const& collective, Allowed const& allowed) {
  expects(ranks(collective) == schedule.ranks, "a schedule and a collective of the same ranks");
  Subject subject{schedule, collective, allowed, Scope::representative, schedule.rounds()};
  if (one_speaks_for_all(schedule, collective)) {
    Verdict verdict = judge(subject);
    if (verdict.valid() || moves(schedule) > most_moves_replayed_twice) return verdict;
  }
  subject.scope = Scope::every_rank;
  return judge(subject);
}

}  // namespace rondo
