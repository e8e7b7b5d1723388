// Scans GOAL text, one token ahead of the reader.

#include "schedule/goal_tokens.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"

namespace rondo::goal {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string describe(Token const& token) {
  if (token.kind == TokenKind::end) return "the end of the text";
  if (token.kind == TokenKind::line_end && token.text != ";") return "the end of the line";
  return fmt::format("\"{}\"", excerpt(token.text));
}

}  // namespace

Tokens::Tokens(std::string_view text, std::string name) : text_(text), name_(std::move(name)), next_(scan()) {}

Token Tokens::take() {
  Token const token = next_;
  next_ = scan();
  return token;
}

bool Tokens::accept(std::string_view text) {
  bool const found = is(text);
  if (found) take();
  return found;
}

void Tokens::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("\"{}\"", text));
}

void Tokens::skip_line_ends() {
  while (next_.kind == TokenKind::line_end) take();
}

std::string_view Tokens::word(char const* what) {
  if (next_.kind != TokenKind::word) fail(what);
  return take().text;
}

std::int64_t Tokens::number(char const* what, std::int64_t most) {
  std::int64_t value = -1;
  if (next_.kind == TokenKind::number) {
    auto const [end, error] = std::from_chars(next_.text.data(), next_.text.data() + next_.text.size(), value);
    if (error != std::errc()) value = -1;
  }
  if (value < 0 || value > most) fail(fmt::format("{}, an integer from 0 to {}", what, most));
  take();
  return value;
}

void Tokens::fail(std::string const& expected) const {
  fail_at(next_, fmt::format("expected {}, got {}", expected, describe(next_)));
}

void Tokens::fail_at(Token const& token, std::string const& what) const {
  throw InputError(fmt::format("{}:{}:{}: {}", name_, token.line, token.column, what));
}

/// Steps over a character, and counts lines and columns.
void Tokens::advance() {
  if (text_[place_++] == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
}

/// Steps over blanks and comments; comments with notes are kept.
void Tokens::skip_blanks() {
  while (!at_end()) {
    char const c = text_[place_];
    if (c == ' ' || c == '\t' || c == '\r') {
      advance();
    } else if (begins("//")) {
      Token comment{TokenKind::mark, {}, line_, column_};
      std::size_t const begin = place_;
      while (!at_end() && text_[place_] != '\n') advance();
      comment.text = text_.substr(begin, place_ - begin);
      if (!comment.text.starts_with("//@")) continue;
      comment.text.remove_prefix(3);
      comment.column += 3;
      notes_.push_back(comment);
    } else if (begins("/*")) {
      skip_comment();
    } else {
      return;
    }
  }
}

/// Steps over a comment between /* and */.
void Tokens::skip_comment() {
  Token const start{TokenKind::mark, text_.substr(place_, 2), line_, column_};
  advance();
  advance();
  while (!begins("*/")) {
    if (at_end()) fail_at(start, "expected \"*/\" after this \"/*\", got the end of the text");
    advance();
  }
  advance();
  advance();
}

/// The token that begins here.
Token Tokens::scan() {
  skip_blanks();
  Token token{TokenKind::end, {}, line_, column_};
  if (at_end()) return token;
  std::size_t const begin = place_;
  char const c = text_[place_];
  if (is_letter(c)) {
    token.kind = TokenKind::word;
    while (!at_end() && (is_letter(text_[place_]) || is_digit(text_[place_]))) advance();
  } else if (is_digit(c)) {
    token.kind = TokenKind::number;
    while (!at_end() && is_digit(text_[place_])) advance();
  } else {
    token.kind = c == '\n' || c == ';' ? TokenKind::line_end : TokenKind::mark;
    advance();
  }
  token.text = text_.substr(begin, place_ - begin);
  return token;
}

}  // namespace rondo::goal
