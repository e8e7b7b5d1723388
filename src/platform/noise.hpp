#pragma once

// Noise: random times that are added to the works of CPUs, to calculations and to start-ups (docs/model.md, Noise).
// Here are the distributions; which draw belongs to which work is engine/noise.hpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/units.hpp"

namespace rondo {

/// uniform: from 0 to `spread`. normal: with this mean and the deviation `spread`, values below 0 become 0.
/// exponential: with this mean. trace: from a file.
enum class NoiseKind : std::uint8_t { uniform, normal, exponential, trace };

/// Interruptions that were measured on a CPU, in seconds: each begins at a time, ascending, and lasts for some time.
/// They come again after each period. Without begins, durations alone.
/// Measured interruptions.
struct NoiseTrace {
  std::vector<double> begins = {}, durations = {};
  std::vector<double> sums = {};  ///< of the durations before each begin, with a closing one
  double period = 0;
};

/// The lines of a trace: two numbers of nanoseconds in each, a begin and a duration, as LogGOPSim reads them, or a
/// duration alone; `#` begins a comment. With begins the last line is no interruption: it ends the period. Throws
/// InputError with the number of the line.
NoiseTrace noise_trace(std::string const& text);

/// A distribution of the times that are added, with its parameters.
struct NoiseLaw {
  NoiseKind kind = NoiseKind::exponential;
  Seconds mean{0}, spread{0};
  std::shared_ptr<NoiseTrace const> trace = {};
};

/// Draws the time that is added to work of this length; it is never negative. A start-up has length 0.
Seconds drawn(NoiseLaw const& law, Random& random, Seconds work);

/// The noise of a machine, by the kind of work. If nothing is set, no time is added.
struct MachineNoise {
  std::optional<NoiseLaw> cpu = {}, compute = {}, latency = {};
  /// By step of a workload the distribution that replaces `compute`; empty if no step has one of its own.
  std::vector<std::optional<NoiseLaw>> of_steps = {};

  bool any() const { return cpu || compute || latency || !of_steps.empty(); }
  std::optional<NoiseLaw> const& of_step(std::size_t step) const {
    return step < of_steps.size() && of_steps[step] ? of_steps[step] : compute;
  }
};

}  // namespace rondo
