#pragma once

// Divides GOAL text into tokens, each with its line and column for error messages.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::goal {

/// line_end is a line's end or a semicolon; mark is any other single character.
enum class TokenKind : std::uint8_t { word, number, mark, line_end, end };

/// A token, and where it begins; lines and columns count from 1.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  int line = 1;
  int column = 1;
};

/// The tokens of GOAL text, without blanks and comments.
class Tokens {
 public:
  /// `name` stands before every error.
  Tokens(std::string_view text, std::string name);

  Token const& next() const { return next_; }
  Token take();
  bool is(std::string_view text) const { return next_.kind != TokenKind::end && next_.text == text; }
  /// Takes the token if it is this text.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  void skip_line_ends();
  /// The comments that begin with //@ among those passed since the last call, without that mark.
  std::vector<Token> take_notes() { return std::exchange(notes_, {}); }
  std::string_view word(char const* what);
  /// A whole number of at most `most`.
  std::int64_t number(char const* what, std::int64_t most);

  /// Throws InputError at the next token: "NAME:LINE:COLUMN: expected WHAT, got TOKEN".
  [[noreturn]] void fail(std::string const& expected) const;
  /// Throws InputError at a token.
  [[noreturn]] void fail_at(Token const& token, std::string const& what) const;

 private:
  Token scan();
  void skip_blanks();
  void skip_comment();
  void advance();
  bool at_end() const { return place_ >= text_.size(); }
  bool begins(std::string_view prefix) const { return text_.substr(place_).starts_with(prefix); }

  std::string_view text_;
  std::string name_;
  std::size_t place_ = 0;
  int line_ = 1, column_ = 1;
  std::vector<Token> notes_;
  Token next_;
};

}  // namespace rondo::goal
