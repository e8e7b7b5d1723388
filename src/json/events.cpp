// Makes the error for invalid JSON: the parser's own message, and a hint at the mistake that somebody who writes JSON
// by hand most likely made.

#include "json/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace rondo::json {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Returns the word to which the character at `position` belongs; empty if it is no letter and follows none.
std::string_view word_at(std::string_view text, std::size_t position) {
  auto const is_letter = [&](std::size_t i) { return std::isalpha(static_cast<unsigned char>(text[i])) != 0; };
  std::size_t begin = position;
  while (begin > 0 && is_letter(begin - 1)) --begin;
  std::size_t end = position;
  while (end < text.size() && is_letter(end)) ++end;
  return text.substr(begin, end - begin);
}

/// Returns JSON's literal for a literal of another language; empty if `word` is none of those.
std::string_view json_word(std::string_view word) {
  if (word == "True" || word == "TRUE" || word == "yes") return "true";
  if (word == "False" || word == "FALSE" || word == "no") return "false";
  return word == "None" || word == "nil" || word == "NULL" ? "null" : "";
}

/// Returns "; " and a hint at the most likely mistake, or an empty text if none is recognized. The parser stopped at
/// the character `position`, which may be the end of the text, with this message.
std::string hint(std::string_view text, std::size_t position, std::string_view message) {
  if (position >= text.size()) return "; a bracket, a brace or a quote is never closed";
  char const here = text[position];
  bool const ends = here == '}' || here == ']';
  std::size_t const before = position == 0 ? std::string_view::npos : text.find_last_not_of(blanks, position - 1);
  if (ends && before != std::string_view::npos && text[before] == ',') return "; remove the comma after the last value";
  bool const is_bare_key = std::isalpha(static_cast<unsigned char>(here)) != 0 &&
                           message.find("parsing object key") != std::string_view::npos;
  if (here == '\'' || is_bare_key) return "; strings and keys have double quotes";
  if (here == '{' && message.ends_with("expected end of input"))
    return "; records as JSON lines are for rondo report, rondo merge and rondo check --results";
  if (here == '#') return "; comments are // and /* */";
  if (std::string_view const word = json_word(word_at(text, position)); !word.empty())
    return fmt::format("; did you mean {}?", word);
  bool const awaits_end = message.ends_with("expected '}'") || message.ends_with("expected ']'");
  bool const begins = std::string_view("\"{[").find(here) != std::string_view::npos;
  return awaits_end && begins ? "; a comma is missing before it" : "";
}

}  // namespace

std::string parser_message(Json::exception const& error) {
  std::string const what = error.what();
  std::size_t const column = what.find(", column ");
  std::size_t const start = column == std::string::npos ? what.find("] ") : what.find(": ", column);
  constexpr std::size_t longest = 200;
  return excerpt(start == std::string::npos ? what : what.substr(start + 2), longest);
}

InputError malformed(std::string const& name, std::string_view text, Json::parse_error const& error) {
  // No JSON document of Rondo begins with a letter or a digit, so the text is of another kind.
  std::size_t const start = text.find_first_not_of(blanks);
  if (start != std::string_view::npos && std::isalnum(static_cast<unsigned char>(text[start])) != 0) {
    std::string_view const line = text.substr(start, text.find_first_of("\r\n", start) - start);
    return InputError(fmt::format("{}: expected JSON, an object in {{ }}, got text that begins with \"{}\"",
                                  excerpt(name, 1000), excerpt(line, 40)));
  }
  std::string_view const before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
  auto const line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t const end_of_last = before.rfind('\n');
  std::size_t const column = 1 + before.size() - (end_of_last == std::string_view::npos ? 0 : end_of_last + 1);
  std::string const message = parser_message(error);
  return InputError(
      fmt::format("{}:{}:{}: {}{}", excerpt(name, 1000), line, column, message, hint(text, before.size(), message)));
}

void expect_no_zero_byte(std::string_view text, std::string const& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(fmt::format("{}: expected UTF-8, got UTF-16", name));
  std::size_t const position = text.find('\0');
  if (position == std::string_view::npos) return;
  auto const line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n');
  throw InputError(fmt::format("{}:{}: expected text, got a zero byte", name, line));
}

}  // namespace rondo::json
