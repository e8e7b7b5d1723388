#pragma once

// One point of a sweep, from its problem to its record: generate -> verify -> simulate -> compare.

#include <string>
#include <string_view>

#include "base/units.hpp"
#include "engine/engine.hpp"
#include "run/families/plan.hpp"
#include "run/points/record.hpp"
#include "run/points/replications.hpp"
#include "scenario/scenario.hpp"
#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// Whether a schedule is proved before it is simulated. automatic: if the proof replays at most `most_moves_proved`
/// block moves. If all ranks do the same, only one rank is replayed.
enum class Proof : std::uint8_t { automatic, on, off };
inline constexpr std::int64_t most_moves_proved = 100'000'000;

struct PointOptions {
  Proof proof = Proof::automatic;
  Seconds timeout{0};    ///< limit on the wall time of one point, from its generation to its record; 0 means no limit
  bool profile = false;  ///< whether the collective calls of a user program are noted
  Statistic by = Statistic::mean;  ///< which time counts where points are compared
};

/// Whether the schedule is proved.
bool proves(Proof proof, Schedule const& schedule);

/// The word for the proof in a record; and whether a record with one word can be used if another one was asked for:
/// more proof is always enough.
char const* proof_word(Proof asked, bool proved);
bool proved_enough(std::string_view word, Proof asked);

/// What the machine allows to a schedule, in addition to the schedule's own promises.
Allowed allowed_by(Platform const& machine, Schedule const& schedule);

/// The record of a point about which only this is known.
Record failed_record(scenario::Scenario const& scenario, std::string const& file, int number, std::string error);

/// Runs one point. An invalid schedule is not simulated. A failed simulation, and any disagreement between theory,
/// schedule and simulation, becomes the record's `error`. Throws InputError if the machine cannot carry the problem.
Record run_point(scenario::Scenario const& scenario, std::string const& file, int number, PointOptions const& options);
/// Runs a plan that is made already.
Record run_point(Plan const& plan, scenario::Scenario const& scenario, std::string const& file,
                 PointOptions const& options);

}  // namespace rondo
