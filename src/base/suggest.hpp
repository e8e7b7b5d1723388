#pragma once

// Suggestions for misspelled words in errors: "did you mean".

#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The names among `candidates` that `word` was probably meant to be, whatever the case of letters. This is the name at
/// the smallest edit distance, if that is at most 1 or a third of the word's length; no name is near a single letter.
/// Else, for a word of at least three letters, these are the first three names that begin with it or contain it as a
/// whole part between underscores.
std::vector<std::string> near_names(std::string_view word, std::vector<std::string> const& candidates);

/// The near names as `; did you mean "name"?` or `; did you mean "name", "name" or "name"?`, or an empty string.
std::string did_you_mean(std::string_view word, std::vector<std::string> const& candidates);
/// The same text for names that have already been found; it uses the first three.
std::string did_you_mean(std::vector<std::string> const& names);

}  // namespace rondo
