#pragma once

// A first scenario of each kind of collective, to be changed.

#include <string>

namespace rondo::scenario {

/// A scenario of this kind that runs as it is (but for `program`, whose source is the user's), as JSON with comments
/// that say what each key means, and which keys there are besides. Throws InputError, without a place, for another
/// word.
std::string starter(std::string const& kind);

}  // namespace rondo::scenario
