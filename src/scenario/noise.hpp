#pragma once

// The key `noise` of a machine: what is added to works and latencies at random.

#include "base/words.hpp"
#include "platform/noise.hpp"
#include "scenario/read.hpp"

namespace rondo {

template <>
inline constexpr auto words<NoiseKind> = own_names<NoiseKind>;

namespace scenario {

/// The keys of `noise`, each with a distribution.
inline constexpr std::array noise_keys = {"cpu", "compute", "latency"};

/// The schema of `noise`, and of one distribution.
Json noise_schema();
Json distribution_schema(std::string const& description);

/// Throws InputError, with the place, for a trace that cannot be read.
MachineNoise read_noise(Place const& noise);

/// The noise that steps of a workload have of their own, by step of all jobs; empty if none has.
std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload);

}  // namespace scenario
}  // namespace rondo
