// Runs the parts of `verify` in their order. If all ranks do the same, one rank stands for all; only if it fails,
// every rank is replayed for a complete list. The first part checks that indices and sizes are sound, so that the
// other parts can use them without checks.

#include "schedule/verify.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
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

namespace rondo::verification {
namespace {

/// Whether relative peers and links have a meaning at all.
bool torus_fits(Schedule const& schedule) { return schedule.torus && schedule.torus->size() == schedule.ranks; }

/// Checks what concerns all ranks.
void check_schedule(Subject const& subject, Findings& findings) {
  Schedule const& schedule = subject.schedule;
  auto const malformed = [&](std::string const& what) {
    findings.add(Fault::malformed, Rank(0), 0, std::nullopt, [&] { return "malformed: " + what; });
  };
  if (!schedule.program_of.empty() && schedule.program_of.size() != static_cast<std::size_t>(schedule.ranks)) {
    malformed(fmt::format("{} ranks, but programs for {}", schedule.ranks, schedule.program_of.size()));
  }
  if (schedule.torus && schedule.torus->size() != schedule.ranks) {
    malformed(fmt::format("{} on a torus of {}", counted(static_cast<std::size_t>(schedule.ranks), "rank"),
                          schedule.torus->size()));
  }
  if (!schedule.torus && !schedule.offsets.empty()) malformed("relative peers without a torus");
  if (!schedule.torus && schedule.promises.links != Links::any) malformed("promised links without a torus");
}

/// The last round belongs to a schedule only if it has a message.
void check_last_round(Subject const& subject, Findings& findings) {
  if (subject.rounds == 0) return;
  for (int r = 0; r < subject.followed(); ++r) {
    Program const& program = subject.program(Rank(r));
    if (program.rounds() < subject.rounds) continue;
    if (!program.sends(subject.rounds).empty() || !program.receives(subject.rounds).empty()) return;
  }
  findings.add(Fault::malformed, Rank(0), subject.rounds, std::nullopt,
               [] { return std::string("malformed: no rank sends or receives in the last round"); });
}

/// Reports the places of one rank's program that are outside their buffers.
class Places {
 public:
  Places(Rank rank, Program const& program, Findings& findings) : rank_(rank), program_(program), findings_(findings) {}

  /// Checks all places of a program.
  void check() {
    check_layout();
    for (int round = 0; round <= program_.rounds(); ++round) {
      for (Transfer const& send : program_.sends(round)) check(round, program_.places(send), "sent from");
      for (Transfer const& receive : program_.receives(round)) {
        check(round, program_.places(receive), "received into");
      }
      for (Copy const& copy : program_.copies(round)) {
        check(round, std::span(&copy.from, 1), "copied from");
        check(round, std::span(&copy.into, 1), "copied into");
      }
    }
  }

 private:
  /// A layout has no sizes or one for each slot.
  void check_layout() {
    for (int b = 0; b < buffer_count; ++b) {
      BufferLayout const& layout = program_.layout()[static_cast<Buffer>(b)];
      if (layout.sizes.empty() || layout.sizes.size() == layout.slots) continue;
      findings_.add(Fault::malformed, rank_, 0, std::nullopt, [&] {
        return fmt::format("malformed: the {} buffer has {} and {}", buffer_name(b), counted(layout.slots, "slot"),
                           counted(layout.sizes.size(), "size"));
      });
    }
  }
  void check(int round, std::span<Place const> places, char const* use) {
    for (Place const place : places) {
      auto const b = static_cast<int>(place.buffer());
      if (b < buffer_count && program_.layout().holds(place)) continue;
      std::uint32_t const slots = b < buffer_count ? program_.layout()[place.buffer()].slots : 0;
      findings_.add(Fault::malformed, rank_, round, std::nullopt, [&] {
        return fmt::format("malformed: {} {}, outside the buffer of {}", use, name(place), counted(slots, "slot"));
      });
    }
  }
  static char const* buffer_name(int buffer) {
    constexpr std::array<char const*, buffer_count> names{"send", "receive", "intermediate"};
    return names[static_cast<std::size_t>(buffer)];
  }

  Rank rank_;
  Program const& program_;
  Findings& findings_;
};

bool well_formed(Program const& program) {
  Findings findings;
  Places(Rank(0), program, findings).check();
  return findings.count() == 0;
}

/// The program of a rank; unset if there is none.
std::optional<std::uint32_t> program_index(Schedule const& schedule, Rank rank) {
  auto const r = static_cast<std::size_t>(rank.value);
  if (!schedule.program_of.empty() && r >= schedule.program_of.size()) return std::nullopt;
  std::uint32_t const index = schedule.program_of.empty() ? 0 : schedule.program_of[r];
  return index < schedule.programs.size() ? std::optional(index) : std::nullopt;
}

}  // namespace

Program const& Subject::no_program() {
  static Program const none;
  return none;
}

/// The partner of a transfer; unset if it is no rank of the schedule.
std::optional<Rank> Subject::partner(Rank rank, Transfer const& transfer) const {
  Rank partner(transfer.peer);
  if (!schedule.offsets.empty()) {
    if (!torus_fits(schedule) || transfer.peer < 0) return std::nullopt;
    auto const dimensions = static_cast<std::size_t>(schedule.torus->dimensions());
    if ((static_cast<std::size_t>(transfer.peer) + 1) * dimensions > schedule.offsets.size()) return std::nullopt;
    partner = schedule.peer(rank, transfer);
  }
  bool const other = 0 <= partner.value && partner.value < schedule.ranks && partner != rank;
  return other ? std::optional(partner) : std::nullopt;
}

/// Each sound program is checked once; a broken one for each of its ranks, so that each is reported.
void check_shape(Subject const& subject, Findings& findings) {
  check_schedule(subject, findings);
  check_last_round(subject, findings);
  std::vector<bool> sound;  // each program is read once, and once more for each of its ranks only if it is broken
  for (Program const& program : subject.schedule.programs) sound.push_back(well_formed(program));
  for (int r = 0; r < subject.followed(); ++r) {
    auto const index = program_index(subject.schedule, Rank(r));
    if (!index) {
      findings.add(Fault::malformed, Rank(r), 0, std::nullopt,
                   [] { return std::string("malformed: the rank follows no program of the schedule"); });
    } else if (!sound[*index]) {
      Places(Rank(r), subject.schedule.programs[*index], findings).check();
    }
  }
}

}  // namespace rondo::verification
