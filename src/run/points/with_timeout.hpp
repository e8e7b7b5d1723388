#pragma once

// Limits the real time of work on a point.

#include <functional>
#include <string>

#include "base/units.hpp"

namespace rondo {

/// Calls `make` within this much real time, in a process of its own, and returns its text. When the time is over, the
/// process is killed, whatever it was doing (reading, generating, proving, simulating). Returns failed(why) then, and
/// also if the process ends without a text or cannot be made. Prints what the process has printed. With a timeout of 0,
/// `make` runs in this process. Throws the InputError that `make` throws.
std::string text_with_timeout(Seconds timeout, std::function<std::string()> const& make,
                              std::function<std::string(std::string why)> const& failed);

}  // namespace rondo
