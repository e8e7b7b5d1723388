#include "scenario/pointer.hpp"

#include <fmt/format.h>

#include <charconv>

namespace rondo::scenario {
namespace {

std::string unescape(std::string_view token) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      result += token[i];
      continue;
    }
    char const code = ++i < token.size() ? token[i] : '\0';
    if (code != '0' && code != '1') throw InputError("a ~ in a JSON pointer is written ~0, a / in a key ~1");
    result += code == '0' ? '~' : '/';
  }
  return result;
}

/// The index that a token names in a list of `size`; `size` where it names none.
std::size_t index_of(std::string const& token, std::size_t size) {
  std::size_t index = 0;
  auto const [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  bool const canonical = end == token.data() + token.size() && (token.size() == 1 || token[0] != '0');
  return error == std::errc() && canonical && index < size ? index : size;
}

}  // namespace

Tokens split(std::string_view pointer) {
  if (pointer.empty()) return {};
  if (pointer[0] != '/') throw InputError("expected a JSON pointer, which begins with /");
  Tokens tokens;
  std::size_t from = 1;
  while (true) {
    std::size_t const to = pointer.find('/', from);
    tokens.push_back(unescape(pointer.substr(from, to - from)));
    if (to == std::string_view::npos) return tokens;
    from = to + 1;
  }
}

std::string child(std::string const& pointer, std::string_view token) {
  std::string result = pointer + "/";
  for (char const c : token) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string join(Tokens const& tokens) {
  std::string pointer;
  for (std::string const& token : tokens) pointer = child(pointer, token);
  return pointer;
}

Json const* find(Json const& document, Tokens const& tokens) {
  Json const* place = &document;
  for (std::string const& token : tokens) {
    if (place->is_object()) {
      auto const member = place->find(token);
      if (member == place->end()) return nullptr;
      place = &*member;
    } else if (place->is_array()) {
      std::size_t const index = index_of(token, place->size());
      if (index == place->size()) return nullptr;
      place = &(*place)[index];
    } else {
      return nullptr;
    }
  }
  return place;
}

bool put(Json& document, Tokens const& tokens, Json value) {
  if (tokens.empty()) {
    document = std::move(value);
    return true;
  }
  // find() gives what is ours to change: the document is not const here.
  auto* parent = const_cast<Json*>(find(document, Tokens(tokens.begin(), tokens.end() - 1)));
  if (parent == nullptr) return false;
  if (parent->is_object()) {
    (*parent)[tokens.back()] = std::move(value);
    return true;
  }
  if (!parent->is_array()) return false;
  std::size_t const index = index_of(tokens.back(), parent->size());
  if (index == parent->size()) return false;
  (*parent)[index] = std::move(value);
  return true;
}

InputError error_at(std::string const& file, std::string const& pointer, std::string_view what) {
  constexpr std::size_t longest_name = 1000;
  constexpr std::size_t longest_pointer = 200;
  std::string const name = excerpt(file, longest_name);
  if (pointer.empty()) return InputError(fmt::format("{}: {}", name, what));
  return InputError(fmt::format("{}: {}: {}", name, excerpt(pointer, longest_pointer), what));
}

std::string shown(Json const& value) { return excerpt(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

std::string quoted(std::vector<std::string> const& words) {
  std::vector<std::string> result;
  for (std::string const& word : words) result.push_back(fmt::format("\"{}\"", word));
  return fmt::format("{}", fmt::join(result, ", "));
}

}  // namespace rondo::scenario
