#pragma once

// The keys `arrival` and `noise`. `arrival` says when ranks arrive at the collective. `noise` says which random times
// are added to calculations, to the work of CPUs and to start-ups of messages.

#include "base/enum_names.hpp"
#include "platform/noise.hpp"
#include "problem/run_options.hpp"
#include "scenario/key.hpp"

namespace rondo {

template <>
inline constexpr auto enum_names<NoiseKind> = value_names<NoiseKind>;

namespace scenario {

/// Returns the form for the noise of a machine, which has a distribution for each of its keys.
Form<MachineNoise> noise_form();
/// Returns the form for a single distribution. A step of a workload may have one for its calculations.
Form<NoiseLaw> noise_law_form();

/// Reads the noise that steps of a workload state themselves, by the steps of all jobs in turn. An entry is unset for a
/// step without noise. Empty if no step has any. Throws InputError with the place.
std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload);

}  // namespace scenario
}  // namespace rondo

namespace rondo::scenario {

Form<problem::Arrival> const& arrival_form();

/// Throws InputError with the place if a list or a file does not have one time for each rank.
problem::Arrival read_arrival(Place const& arrival, int ranks);

}  // namespace rondo::scenario
