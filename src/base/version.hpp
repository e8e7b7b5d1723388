#pragma once

// The version of this build, which records contain.

#include <string_view>

namespace rondo {

/// The version from which this program was built: "0.2.0" from a release, "0.2.0+g21c2c6c" from a clone (with the
/// commit), and with ".changed" if the sources differed from that commit. Library rondo_version.
std::string_view version();

}  // namespace rondo
