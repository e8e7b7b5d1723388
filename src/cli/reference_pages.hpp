#pragma once

// What pages of docs/ say of a word: they are part of the program, and their tables are what `rondo explain` prints.

#include <string>
#include <vector>

namespace rondo::cli {

/// The row of docs/terms.md; empty for another word.
std::string explained_term(std::string const& word);

/// What the algorithm of this name does for each collective that has it, when to choose it, what it costs and where it
/// comes from (docs/algorithms.md, docs/neighborhoods.md); empty for another word.
std::string explained_algorithm(std::string const& word);

/// Which of our algorithms sends the messages of SMPI's algorithm of this name, or how it differs (docs/witness.md);
/// empty for another word.
std::string explained_smpi_name(std::string const& word);

/// Every word of the three.
std::vector<std::string> words_of_pages();

}  // namespace rondo::cli
