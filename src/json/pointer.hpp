#pragma once

// JSON pointers [RFC 6901], which name places in a document, and error messages that begin with one.

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

/// The value at this place; null if the document has no such place.
Json const* find(Json const& document, Tokens const& tokens);
/// Puts a value at this place. Its parent must exist, otherwise the function returns false; a list does not grow.
bool put(Json& document, Tokens const& tokens, Json value);

/// An error in the input, with its place in a JSON document.
class PlacedError : public InputError {
 public:
  PlacedError(std::string const& text, std::string pointer) : InputError(text), pointer_(std::move(pointer)) {}
  std::string const& pointer() const { return pointer_; }  ///< "" for the whole document

 private:
  std::string pointer_;
};

/// A pointer in the form of messages: a key with a / or ~ stands in quotes, as in /sweep/"/block".
std::string readable(std::string const& pointer);
/// "FILE: /pointer: what" on one line; "FILE: what" for the whole document.
PlacedError error_at(std::string const& file, std::string const& pointer, std::string_view what);
/// A value in the form of messages: JSON, cut short.
std::string shown(Json const& value);
/// A list of words in the form of messages: "a", "b".
std::string quoted(std::vector<std::string> const& words);

}  // namespace rondo::json
