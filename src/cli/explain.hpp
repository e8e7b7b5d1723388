#pragma once

// Explanations of words from pages of docs/. The pages are part of the program, and `rondo explain` prints from
// their tables.

#include <string>
#include <vector>

namespace rondo::cli {

/// The row of docs/terms.md; empty if the word is not there.
std::string explained_term(std::string const& word);

/// The algorithm with this name: for each collective that has it, what it does, when to choose it, its costs and its
/// source (docs/algorithms.md, docs/neighborhoods.md). Empty for any other word.
std::string explained_algorithm(std::string const& word);

/// Which of Rondo's algorithms sends the same messages as SMPI's algorithm with this name, or how it differs
/// (docs/witness.md). Empty for any other word.
std::string explained_smpi_name(std::string const& word);

/// All words that one of these three functions knows.
std::vector<std::string> names_in_pages();

}  // namespace rondo::cli
