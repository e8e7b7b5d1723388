#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The name among `known` that `word` was most likely meant to be (edit distance at most a third of its length, at
/// least 1), or an empty string.
std::string nearest_name(std::string_view word, std::vector<std::string> const& known);

/// The same as `; did you mean "name"?`, or an empty string.
std::string did_you_mean(std::string_view word, std::vector<std::string> const& known);

}  // namespace rondo
