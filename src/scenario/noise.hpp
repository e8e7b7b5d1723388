#pragma once

// The key `noise` of a machine: random times that are added to work and to latencies.

#include "base/enum_names.hpp"
#include "platform/noise.hpp"
#include "scenario/key.hpp"

namespace rondo {

template <>
inline constexpr auto enum_names<NoiseKind> = value_names<NoiseKind>;

namespace scenario {

Form<MachineNoise> noise_form();
/// One distribution, which a step of a workload may have too.
Form<NoiseLaw> noise_law_form();

/// The noise that steps of a workload have of their own, by step of all jobs; empty if no step has any.
std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload);

}  // namespace scenario
}  // namespace rondo
