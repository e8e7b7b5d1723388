#pragma once

// The syntax of a claim's expression, for what is said about the claim before anything is measured. muParser, which
// computes the values, keeps no tree.

#include <cstdint>
#include <string>
#include <vector>

namespace rondo {

struct ExpressionNode {
  enum class Kind : std::uint8_t {
    number,       ///< as it is written
    name,         ///< `word`
    arithmetic,   ///< + - * / ^ and every function but near
    near,         ///< near(a, b) or near(a, b, r)
    comparison,   ///< `word` is one of < <= == != >= >
    conjunction,  ///< a && b
    disjunction,  ///< a || b
    negation,     ///< !a
    conditional   ///< a ? b : c
  };
  Kind kind = Kind::number;
  std::string text;  ///< all of it, without spaces
  std::string word = {};
  std::vector<ExpressionNode> parts = {};
};

/// Throws InputError on what is no expression, with the position (from 1) and what is expected there, and on one that
/// nests more than 64 deep.
ExpressionNode parse_expression(std::string const& expression);

/// Throws InputError on the first of the words that other languages have for what is written otherwise here, as `and`
/// for &&; what is a name nevertheless is for the caller to know.
void refuse_words_of_others(std::string const& expression);

}  // namespace rondo
