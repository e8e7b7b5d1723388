#pragma once

// Makes a first scenario for each kind of collective, which users then change (`rondo new`).

#include <optional>
#include <string>
#include <utility>

namespace rondo::scenario {

/// A scenario of this kind that runs as it is: JSON whose comments explain each key of the collective and list its
/// optional keys. Those of `program` and `custom` name a file that starter_file makes. `topology` is a topology that
/// numbers describe; the machine has 16 hosts. Throws InputError, without a place, for an unknown kind or topology.
std::string starter(std::string const& kind, std::string const& topology = "fully_connected");

/// Name and text of the small working file that the first scenario of this kind names; unset if it names none.
std::optional<std::pair<std::string, std::string>> starter_file(std::string const& kind);

}  // namespace rondo::scenario
