#pragma once

// The events that the JSON library reports while it parses a text (SAX): a value without parts, the start of an object
// or array, its end, and a key. Two classes derive from this one: Listener (parse.cpp) makes a document, and the reader
// in schedule/file/schedule_events.cpp reads a file that is too large for one.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/malformed.hpp"
#include "json/pointer.hpp"
#include "json/value.hpp"

namespace rondo::json {

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
