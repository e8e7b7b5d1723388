// simulate_smpi for schedules: the entry of the SMPI engine.

#include "base/error.hpp"
#include "engine/smpi/schedule_programs.hpp"
#include "engine/smpi/simulation.hpp"

namespace rondo {

Outcome<Timing> simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                              EngineOptions const& options) {
  expects(ranks(collective) == schedule.ranks, "as many ranks in the collective as in the schedule");
  auto const make = [&](SmpiMachine const& machine) {
    return std::make_unique<SchedulePrograms>(schedule, collective, machine, options.payload);
  };
  return timing_of(simulate_in_child(schedule.ranks, make, platform, options));
}

}  // namespace rondo
