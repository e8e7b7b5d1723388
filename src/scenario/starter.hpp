#pragma once

// A first scenario of each kind of collective, to be changed.

#include <optional>
#include <string>
#include <utility>

namespace rondo::scenario {

/// A scenario of this kind that runs as it is, as JSON with comments that say what each key means, and which keys there
/// are besides; those of `program` and `custom` name a file that starter_file writes. `topology` is one of those that
/// are said in numbers, for 16 hosts. Throws InputError, without a place, for another word.
std::string starter(std::string const& kind, std::string const& topology = "fully_connected");

/// Name and text of the file that the first scenario of this kind names, if it does: a small one that works.
std::optional<std::pair<std::string, std::string>> starter_file(std::string const& kind);

}  // namespace rondo::scenario
