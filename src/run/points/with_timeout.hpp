#pragma once

// Limits the real time of work on a point.

#include <functional>
#include <string>

#include "base/units.hpp"

namespace rondo {

/// Calls `make` within this much real time, in a process of its own. When the time is over, the process is killed,
/// whatever it was doing (reading, generating, proving, simulating). Then, and if the process ends without a text,
/// failed(why) is returned. With a timeout of 0, `make` runs in this process. Throws the InputError that `make` throws.
std::string text_with_timeout(Seconds timeout, std::function<std::string()> const& make,
                              std::function<std::string(std::string why)> const& failed);

}  // namespace rondo
