#pragma once

// What a reader of JSON is told by the parser, in three events: a value without parts, the start of a container, its
// end. Both readers derive from it: parse.cpp makes a document, schedule/file/schedule_events.cpp walks through a file
// that is too large for one.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "json/malformed.hpp"
#include "json/pointer.hpp"
#include "json/value.hpp"

namespace rondo::json {

/// The library asks for an answer to each event: whether it goes on. It always does, since errors are thrown.
class Events : public nlohmann::json_sax<Json> {
 public:
  Events(std::string_view text, std::string const& name) : text_(text), name_(name) {}

  /// Parses the text, in which comments may stand, from event to event.
  void follow() {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      throw error_at(name_, "", "expected JSON, got an empty text");
    }
    constexpr bool to_its_end = true;
    constexpr bool with_comments = true;
    Json::sax_parse(text_, this, nlohmann::json::input_format_t::json, to_its_end, with_comments);
  }

  bool null() final { return told(nullptr); }
  bool boolean(bool v) final { return told(v); }
  bool number_integer(number_integer_t v) final { return told(v); }
  bool number_unsigned(number_unsigned_t v) final { return told(v); }
  bool number_float(number_float_t v, string_t const& /*text*/) final { return told(v); }
  bool string(string_t& v) final { return told(std::move(v)); }
  bool binary(binary_t& /*v*/) final { return false; }
  bool start_object(std::size_t /*size*/) final { return start(Json::object()), true; }
  bool start_array(std::size_t /*size*/) final { return start(Json::array()), true; }
  bool end_object() final { return end(), true; }
  bool end_array() final { return end(), true; }
  bool key(string_t& key) final { return member(key), true; }
  bool parse_error(std::size_t /*position*/, std::string const& /*token*/,
                   nlohmann::detail::exception const& error) final {
    if (auto const* syntax = dynamic_cast<Json::parse_error const*>(&error)) throw malformed(name_, text_, *syntax);
    throw overflow(error);
  }

 protected:
  virtual void value(Json value) = 0;
  virtual void start(Json empty) = 0;
  virtual void end() = 0;
  virtual void member(std::string const& key) = 0;
  /// The error for a number that no double holds.
  virtual InputError overflow(Json::exception const& error) = 0;

  std::string const& name() const { return name_; }

 private:
  bool told(Json v) { return value(std::move(v)), true; }

  std::string_view text_;
  std::string const& name_;
};

}  // namespace rondo::json
