// Walks documents by pointers (RFC 6901), and makes errors that name places.

#include "json/pointer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/text.hpp"

namespace rondo::json {
namespace {

using Pointer = Json::json_pointer;

Pointer pointer_of(Tokens const& tokens) {
  Pointer pointer;
  for (std::string const& token : tokens) pointer.push_back(token);
  return pointer;
}

/// Translates an error of nlohmann's json_pointer by its id: one id for a pointer without / in front, another for a ~
/// without 0 or 1 behind it.
[[noreturn]] void refuse(Json::parse_error const& error) {
  constexpr int begins_otherwise = 107;
  if (error.id == begins_otherwise) throw InputError("expected a JSON pointer, which begins with /");
  throw InputError("a ~ in a JSON pointer is written ~0, a / in a key ~1");
}

/// The entry of an array that a token names (RFC 6901: digits without a leading zero); null if there is none.
Json const* entry(Json const& array, std::string const& token) {
  bool const is_index = !token.empty() && (token[0] != '0' || token.size() == 1) &&
                        token.find_first_not_of("0123456789") == std::string::npos;
  std::size_t index = 0;
  if (!is_index || std::from_chars(token.data(), token.data() + token.size(), index).ec != std::errc()) return nullptr;
  return index < array.size() ? &array[index] : nullptr;
}

/// The member of an object with this key; null if there is none.
Json const* member(Json const& object, std::string const& key) {
  auto const found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

Tokens split(std::string_view pointer) try {
  Tokens tokens;
  for (Pointer rest{std::string(pointer)}; !rest.empty(); rest.pop_back()) tokens.push_back(rest.back());
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
} catch (Json::parse_error const& error) {
  refuse(error);
}

std::string child(std::string const& pointer, std::string_view token) {
  return pointer + pointer_of({std::string(token)}).to_string();
}

std::string join(Tokens const& tokens) { return pointer_of(tokens).to_string(); }

Json const* find(Json const& document, Tokens const& tokens) {
  Json const* place = &document;
  for (std::string const& token : tokens) {
    place = place->is_object() ? member(*place, token) : place->is_array() ? entry(*place, token) : nullptr;
    if (place == nullptr) break;
  }
  return place;
}

/// Sets a value. A member may be new; an entry of a list must exist.
bool put(Json& document, Tokens const& tokens, Json value) {
  Pointer const place = pointer_of(tokens);
  bool const is_there = find(document, tokens) != nullptr;
  Json const* const parent = place.empty() ? nullptr : find(document, Tokens(tokens.begin(), tokens.end() - 1));
  bool const is_new_member = parent != nullptr && parent->is_object();
  if (!is_there && !is_new_member) return false;
  document[place] = std::move(value);
  return true;
}

/// The pointer with ~0 and ~1 written as the characters that they stand for.
std::string readable(std::string const& pointer) {
  if (pointer.find('~') == std::string::npos) return pointer;
  std::string text;
  for (std::string const& token : split(pointer)) {
    bool const is_plain = token.find_first_of("/~") == std::string::npos;
    text += is_plain ? "/" + token : fmt::format("/\"{}\"", token);
  }
  return text;
}

PlacedError error_at(std::string const& file, std::string const& pointer, std::string_view what) {
  constexpr std::size_t longest_name = 1000;
  constexpr std::size_t longest_pointer = 200;
  std::string const name = excerpt(file, longest_name);
  if (pointer.empty()) return {fmt::format("{}: {}", name, what), pointer};
  return {fmt::format("{}: {}: {}", name, excerpt(readable(pointer), longest_pointer), what), pointer};
}

std::string shown(Json const& value) { return excerpt(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

std::string quoted(std::vector<std::string> const& words) {
  std::vector<std::string> result;
  for (std::string const& word : words) result.push_back(fmt::format("\"{}\"", word));
  return listed(result, ", ");
}

}  // namespace rondo::json
