#pragma once

#include <string_view>

namespace rondo {

/// What this program was built from: "0.2.0" out of a release, "0.2.0+g21c2c6c" out of a clone (the commit), with
/// ".changed" behind it when the sources differed from that commit. Library rondo_version.
std::string_view version();

}  // namespace rondo
