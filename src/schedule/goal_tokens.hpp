#pragma once

// Divides GOAL text into tokens, each with its line and column for error messages.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::goal {

/// word: letters, digits and underscores, no digit in front. number: digits. line_end: a line's end or a semicolon.
/// mark: any other single character. end: the end of the text.
enum class TokenKind : std::uint8_t { word, number, mark, line_end, end };

/// A token, and where it begins; lines and columns count from 1.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< a part of the whole text; empty at its end
  int line = 1;
  int column = 1;
};

/// The tokens of GOAL text, without blanks and comments. Any function that moves on throws InputError if a comment that
/// begins with /* does not end.
class Tokens {
 public:
  /// `name` stands before every error. The text must outlive this object and its tokens.
  Tokens(std::string_view text, std::string name);

  /// The token that take() will return.
  Token const& next() const { return next_; }
  /// Returns the next token and moves on. At the end of the text it returns the token `end` again and again.
  Token take();
  /// Whether the next token is this text.
  bool is(std::string_view text) const { return next_.kind != TokenKind::end && next_.text == text; }
  /// Takes the next token if it is this text, and returns whether it was.
  bool accept(std::string_view text);
  /// Takes the next token. Throws InputError unless it is this text.
  void expect(std::string_view text);
  /// Moves on to the next token that is no line end.
  void skip_line_ends();
  /// The comments that begin with //@ among those passed since the last call, without that mark.
  std::vector<Token> take_notes() { return std::exchange(notes_, {}); }
  /// Takes a word. Throws InputError for any other token; `what` names what was expected.
  std::string_view word(char const* what);
  /// Takes an integer from 0 to `most`. Throws InputError for any other token; `what` names the number.
  std::int64_t number(char const* what, std::int64_t most);

  /// Throws InputError at the next token: "NAME:LINE:COLUMN: expected WHAT, got TOKEN".
  [[noreturn]] void fail(std::string const& expected) const;
  /// Throws InputError at a token: "NAME:LINE:COLUMN: WHAT".
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
  std::size_t place_ = 0;      ///< the index of the first character behind next_
  int line_ = 1, column_ = 1;  ///< of this character
  std::vector<Token> notes_;   ///< for take_notes()
  Token next_;
};

}  // namespace rondo::goal
