#pragma once

// The syntax of expressions (run/families/expression.hpp explains their meaning). The evaluation walks this tree,
// and so do the checks of a claim before anything is measured.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// A node of the tree.
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
  std::string_view text;   ///< its text without spaces, in the memory of its Expression
  std::size_t begin, end;  ///< its first character and the one after its last, in the expression as written
  std::string word = {};
  std::vector<ExpressionNode> parts = {};
  double value = 0;
};

/// An expression that was read, to be evaluated with many values.
struct Expression {
  /// Throws InputError with the position (from 1) and what is expected there if the text is no expression, nests more
  /// than 64 deep, is longer than 20,000 characters, or has a number that is too large.
  Expression(std::string written);
  Expression(char const* written) : Expression(std::string(written)) {}

  std::string text;                          ///< as it is written
  std::shared_ptr<std::string const> plain;  ///< without spaces
  ExpressionNode root;
};

/// Throws InputError for the first word by which other languages express something that is written differently here,
/// such as `and` for &&. If such a word is a name all the same, the caller has to know that.
void refuse_foreign_operators(std::string const& expression);

}  // namespace rondo
