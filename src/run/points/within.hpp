#pragma once

// Limits the real time of work on a point.

#include <functional>
#include <string>

#include "base/units.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// Calls `make` within this much real time, in a process of its own. When the time is over, the process is killed,
/// whatever it was doing (reading, generating, proving, simulating). Then, and if the process ends without a record,
/// failed(why) is returned. With a timeout of 0, `make` runs in this process.
Record within(Seconds timeout, std::function<Record()> const& make,
              std::function<Record(std::string why)> const& failed);

/// Makes any JSON value in the same way. Throws the InputError that `make` throws.
nlohmann::ordered_json json_within(Seconds timeout, std::function<nlohmann::ordered_json()> const& make,
                                   std::function<nlohmann::ordered_json(std::string why)> const& failed);

}  // namespace rondo
