#pragma once

// The syntax of an expression (run/families/expression.hpp says what it may hold): what computes its value walks this
// tree, and so does what is said about a claim before anything is measured.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

struct ExpressionNode {
  enum class Kind : std::uint8_t {
    number,       ///< `value`
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
  std::string_view text;   ///< all of it, without spaces, in the memory of its Expression
  std::size_t begin, end;  ///< where it stands in the expression
  std::string word = {};
  std::vector<ExpressionNode> parts = {};
  double value = 0;
};

/// An expression that was read, to be evaluated with many values.
struct Expression {
  /// Throws InputError on what is no expression, with the position (from 1) and what is expected there, on one that
  /// nests more than 64 deep or is longer than 20,000 characters, and on a number that is too large.
  Expression(std::string written);
  Expression(char const* written) : Expression(std::string(written)) {}

  std::string text;                          ///< as it is written
  std::shared_ptr<std::string const> plain;  ///< without spaces
  ExpressionNode root;
};

/// Throws InputError on the first of the words that other languages have for what is written otherwise here, as `and`
/// for &&; what is a name nevertheless is for the caller to know.
void refuse_words_of_others(std::string const& expression);

}  // namespace rondo
