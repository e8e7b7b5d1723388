#pragma once

// JSON pointers [RFC 6901] and messages that begin with one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace rondo::json {

using Tokens = std::vector<std::string>;

/// "/a~1b/0" -> {"a/b", "0"}; "" is the whole document. Throws InputError without a place on a pointer that does not
/// begin with '/' or has a '~' that is neither ~0 nor ~1.
Tokens split(std::string_view pointer);
/// The inverse of split.
std::string join(Tokens const& tokens);
/// `pointer` with one more token.
std::string child(std::string const& pointer, std::string_view token);

/// The value at the place; null if the document has no such place.
Json const* find(Json const& document, Tokens const& tokens);
/// Puts a value at the place, whose parent exists; false where it does not. Lists do not grow.
bool put(Json& document, Tokens const& tokens, Json value);

/// Bad input at a place of a JSON document.
class PlacedError : public InputError {
 public:
  PlacedError(std::string const& text, std::string pointer) : InputError(text), pointer_(std::move(pointer)) {}
  std::string const& pointer() const { return pointer_; }  ///< "" for the whole document

 private:
  std::string pointer_;
};

/// A pointer as messages show it: a key that has a / or ~ in quotes, /sweep/"/block".
std::string readable(std::string const& pointer);
/// "FILE: /pointer: what" on one line; "FILE: what" for the whole document.
PlacedError error_at(std::string const& file, std::string const& pointer, std::string_view what);
/// A value as messages show it: JSON, cut short.
std::string shown(Json const& value);
/// Words as messages list them: "a", "b".
std::string quoted(std::vector<std::string> const& words);

}  // namespace rondo::json
