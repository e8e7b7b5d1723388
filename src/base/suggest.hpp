#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The names among `known` that `word` was most likely meant to be, whatever the case of letters: the one at the least
/// edit distance, if that is at most 1 or a third of the word's length, to a letter none; else, of a word of at least
/// three letters, the first three that begin with it or have it as a whole part between underscores.
std::vector<std::string> near_names(std::string_view word, std::vector<std::string> const& known);

/// The first of them, or an empty string.
std::string nearest_name(std::string_view word, std::vector<std::string> const& known);

/// The near names as `; did you mean "name"?` or `; did you mean "name", "name" or "name"?`, or an empty string.
std::string did_you_mean(std::string_view word, std::vector<std::string> const& known);
/// The same text for names that are found already, of which it takes the first three.
std::string did_you_mean(std::vector<std::string> const& names);

}  // namespace rondo
