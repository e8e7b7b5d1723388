#pragma once

// The proofs before a simulation: the rules say whether a schedule is proved, how its record names the proof, and
// which limits the machine sets. A workload is proved step by step, and the tasks of its jobs are proved too.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/platform.hpp"
#include "run/families/plan.hpp"
#include "scenario/scenario.hpp"
#include "schedule/schedule.hpp"
#include "schedule/verify.hpp"

namespace rondo {

/// Whether a schedule is proved before it is simulated. automatic: if the proof replays at most 10^8 block moves. If
/// all ranks do the same, only one rank is replayed.
enum class Proof : std::uint8_t { automatic, on, off };

/// The block moves of a program: what its rank sends and copies.
std::int64_t moves_of(Program const& program);
/// Whether the schedule is proved.
bool proves(Proof proof, Schedule const& schedule);

/// The name of the proof in a record; and whether a record with one name can be used if another one was asked for:
/// more proof is always enough.
char const* proof_name(Proof asked, bool proved);
bool proved_enough(std::string_view name, Proof asked);

/// What the machine allows to a schedule, in addition to the schedule's own promises.
MachineLimits machine_limits(Platform const& machine, Schedule const& schedule);

/// The result of proving the schedules of all steps and the tasks of all jobs.
struct ProvedSteps {
  bool all = true;                 ///< whether each schedule was proved
  std::int64_t violations = 0;     ///< of all groups
  double redundant = 0;            ///< blocks that ranks received although they held them
  bool needs_buffers = false;      ///< whether tasks of a job end only if sends are buffered
  std::vector<std::string> lines;  ///< a line for each violation, at most 1000
};

/// Proves the schedule of each group, except those that `proof` leaves out. Groups with the same schedule share a
/// proof, unless only neighbors on the machine may talk, because then the ranks of the group matter.
ProvedSteps proved(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

/// Returns the line on the first violation of a step or of tasks, among the schedules that `proof` selects; empty if
/// there is none.
std::string first_violation(WorkloadPlan const& plan, scenario::Scenario const& scenario, Proof proof);

}  // namespace rondo
