#pragma once

// The events that the JSON library reports while it parses a text (SAX): a value without parts, the start of an
// object or array, its end, and a key. Two classes derive from SaxReader: Listener (json/value.cpp) makes a document,
// and the reader in schedule/file reads a file that is too large for one. A collector builds a value from the events,
// so that values can be handled and dropped while a text is read. The library's own means for this, a callback,
// searches a whole list at the end of each object in the list, so its time grows as the square of the length.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "json/pointer.hpp"
#include "json/value.hpp"

namespace rondo::json {

/// Returns the JSON parser's message without its code and position, cut to 200 characters: "[...] parse error at line
/// 3, column 14: syntax error" -> "syntax error"; "[...] number overflow" -> "number overflow".
std::string parser_message(Json::exception const& error);
/// Makes the error "NAME:LINE:COLUMN: why", with the most likely mistake if Rondo recognizes it. If the text begins
/// with a letter or a digit, the error is "NAME: expected JSON, ..." without a position.
InputError malformed(std::string const& name, std::string_view text, Json::parse_error const& error);

/// Throws InputError for UTF-16 and for a zero byte, which the parser would take for the end of the text.
void expect_no_zero_byte(std::string_view text, std::string const& name);

/// Builds a value whose parts arrive one by one.
class Collector {
 public:
  /// Whether a container is open.
  bool busy() const { return !open_.empty(); }
  /// How many containers are open.
  std::size_t depth() const { return open_.size(); }
  /// How many values it has collected since the outermost container began, with the containers themselves.
  std::int64_t values() const { return values_; }
  /// Sets the key of the next value, if the innermost open container is an object.
  void key(std::string const& key) { key_ = key; }
  /// Whether the innermost open container has this key already. A container must be open.
  bool has(std::string const& key) const { return open_.back()->contains(key); }

  /// Begins a container; the values that follow, up to its `end`, go into it.
  void start(Json container) {
    if (open_.empty()) values_ = 0;
    open_.push_back(&add(std::move(container)));
  }
  /// Adds a value to the innermost open container, and returns its place there. If none is open, it becomes the whole
  /// value.
  Json& add(Json value) {
    ++values_;
    if (open_.empty()) return root_ = std::move(value);
    Json& into = *open_.back();
    if (into.is_object()) return into[key_] = std::move(value);
    into.push_back(std::move(value));
    return into.back();
  }
  /// Ends the innermost open container.
  void end() { open_.pop_back(); }
  /// The value so far; null before the first one.
  Json& whole() { return root_; }

 private:
  Json root_{};
  /// The open containers, from the outermost one. Only the innermost one grows, so the pointers to the others stay
  /// valid.
  std::vector<Json*> open_{};
  std::string key_{};  ///< of the next member
  std::int64_t values_ = 0;
};

/// The library's callbacks return whether parsing goes on. Here they always do, because errors are thrown.
class SaxReader : public nlohmann::json_sax<Json> {
 public:
  /// `name` stands for the text in errors. Both must outlive this object.
  SaxReader(std::string_view text, std::string const& name) : text_(text), name_(name) {}

  /// Parses the whole text, which may contain comments. Throws InputError.
  void parse() {
    expect_no_zero_byte(text_, name_);
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      throw error_at(name_, "", "expected JSON, got an empty text");
    }
    constexpr bool strict = true;
    constexpr bool with_comments = true;
    Json::sax_parse(text_, this, nlohmann::json::input_format_t::json, strict, with_comments);
  }

  bool null() final { return report(nullptr); }
  bool boolean(bool v) final { return report(v); }
  bool number_integer(number_integer_t v) final { return report(v); }
  bool number_unsigned(number_unsigned_t v) final { return report(v); }
  bool number_float(number_float_t v, string_t const& /*text*/) final { return report(v); }
  bool string(string_t& v) final { return report(std::move(v)); }
  /// Only binary formats have such values.
  bool binary(binary_t& /*v*/) final { return false; }
  bool start_object(std::size_t /*size*/) final {
    start(Json::object());
    return true;
  }
  bool start_array(std::size_t /*size*/) final {
    start(Json::array());
    return true;
  }
  bool end_object() final {
    end();
    return true;
  }
  bool end_array() final {
    end();
    return true;
  }
  bool key(string_t& key) final {
    member(key);
    return true;
  }
  bool parse_error(std::size_t /*position*/, std::string const& /*token*/,
                   nlohmann::detail::exception const& error) final {
    if (auto const* syntax = dynamic_cast<Json::parse_error const*>(&error)) throw malformed(name_, text_, *syntax);
    throw overflow(error);
  }

 protected:
  /// A string, a number, true, false or null.
  virtual void value(Json value) = 0;
  /// An object or array begins; `empty` has its kind.
  virtual void start(Json empty) = 0;
  /// The innermost open object or array ends.
  virtual void end() = 0;
  /// The key of the next value.
  virtual void member(std::string const& key) = 0;
  /// Makes the error for a number that is too large for a double. Derived classes know its place.
  virtual InputError overflow(Json::exception const& error) = 0;

  std::string const& name() const { return name_; }

 private:
  bool report(Json v) {
    value(std::move(v));
    return true;
  }

  std::string_view text_;
  std::string const& name_;
};

}  // namespace rondo::json
