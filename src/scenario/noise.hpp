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

/// The schema of `noise`.
Json noise_schema();

/// Throws InputError, with the place, for a trace that cannot be read.
MachineNoise read_noise(Place const& noise);

}  // namespace scenario
}  // namespace rondo
