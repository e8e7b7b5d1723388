#pragma once

#include <functional>
#include <string>

#include "base/units.hpp"
#include "run/points/record.hpp"

namespace rondo {

/// What `make` returns, made within so much real time: in a process of its own, which is killed when that is over,
/// whatever it was at (reading, generating, proving, simulating). Then, and where that process ends without a record,
/// failed(why). Without a timeout, 0, it is made in this process.
Record within(Seconds timeout, std::function<Record()> const& make,
              std::function<Record(std::string why)> const& failed);

/// Makes any JSON value in the same way. Throws the InputError that `make` throws.
nlohmann::ordered_json json_within(Seconds timeout, std::function<nlohmann::ordered_json()> const& make,
                                   std::function<nlohmann::ordered_json(std::string why)> const& failed);

}  // namespace rondo
