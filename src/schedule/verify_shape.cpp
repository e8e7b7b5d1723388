// Checks that indices and sizes are sound, so that the other parts of `verify` can use them without checks.

#include <algorithm>

#include "schedule/verify_parts.hpp"

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
