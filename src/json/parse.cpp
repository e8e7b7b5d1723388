// Reading JSON: the library parses, the listener below refuses what JSON lets pass but no file of Rondo's should have.

#include "json/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "json/collector.hpp"
#include "json/malformed.hpp"
#include "json/pointer.hpp"

namespace rondo::json {
namespace {

constexpr std::size_t deepest_nesting = 64;
constexpr std::size_t most_keys = 4096;
constexpr std::size_t longest_string = 65536;

/// Follows the parser from event to event, knows the place in the document, and collects the values.
class Listener : public nlohmann::json_sax<Json> {
 public:
  Listener(std::string_view text, std::string const& name) : text_(text), name_(name) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool v) override { return value(v); }
  bool number_integer(number_integer_t v) override { return value(v); }
  bool number_unsigned(number_unsigned_t v) override { return value(v); }
  bool number_float(number_float_t v, string_t const& /*text*/) override { return value(v); }
  bool string(string_t& v) override { return value(std::move(v)); }
  bool binary(binary_t& /*v*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return start(Json::object()); }
  bool start_array(std::size_t /*size*/) override { return start(Json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

  bool key(string_t& key) override {
    Open& object = open_.back();
    auto const refused = [&](std::string const& why) { return error_at(name_, place_of_open(open_.size() - 1), why); };
    if (!object.keys.insert(key).second) throw refused(fmt::format("duplicate key \"{}\"", excerpt(key)));
    if (object.keys.size() > most_keys) throw refused(fmt::format("more than {} keys", most_keys));
    object.key = key;
    collector_.key(key);
    return true;
  }

  bool parse_error(std::size_t /*position*/, std::string const& /*token*/,
                   nlohmann::detail::exception const& error) override {
    if (auto const* syntax = dynamic_cast<Json::parse_error const*>(&error)) throw malformed(name_, text_, *syntax);
    enter_value();
    throw error_at(name_, place(), fmt::format("expected a number below 2^63: {}", parser_words(error)));
  }

  Json& whole() { return collector_.whole(); }

 private:
  /// An object or a list whose end is still to come.
  struct Open {
    bool is_list;
    std::string key;    ///< of the member that is read
    std::size_t count;  ///< of the entries so far, with the one that is read
    std::set<std::string> keys;
  };

  /// The place of the open object or list at `depth`.
  std::string place_of_open(std::size_t depth) const {
    std::string pointer;
    for (std::size_t i = 0; i < depth; ++i) {
      pointer = child(pointer, open_[i].is_list ? std::to_string(open_[i].count - 1) : open_[i].key);
    }
    return pointer;
  }
  std::string place() const { return place_of_open(open_.size()); }

  void enter_value() {
    if (!open_.empty() && open_.back().is_list) ++open_.back().count;
  }

  bool start(Json container) {
    enter_value();
    if (open_.size() >= deepest_nesting)
      throw error_at(name_, place(), fmt::format("nested deeper than {}", deepest_nesting));
    open_.push_back({container.is_array(), {}, 0, {}});
    collector_.start(std::move(container));
    return true;
  }

  bool end() {
    open_.pop_back();
    collector_.end();
    return true;
  }

  bool value(Json v) {
    enter_value();
    expect_fit(v);
    collector_.add(std::move(v));
    return true;
  }

  void expect_fit(Json const& value) const {
    if (value.is_string() && value.get_ref<std::string const&>().size() > longest_string) {
      throw error_at(name_, place(),
                     fmt::format("expected a string of at most {} bytes, got {}", longest_string, shown(value)));
    }
    if (value.is_string() && value.get_ref<std::string const&>().find('\0') != std::string::npos)
      throw error_at(name_, place(), fmt::format("expected text without zero bytes, got {}", shown(value)));
    bool const too_large = value.is_number_unsigned()
                               ? value.get<std::uint64_t>() >> 63 != 0
                               : value.is_number_float() && std::abs(value.get<double>()) >= 0x1p63;
    if (too_large) throw error_at(name_, place(), fmt::format("expected a number below 2^63, got {}", shown(value)));
  }

  std::string_view text_;
  std::string const& name_;
  std::vector<Open> open_{};
  Collector collector_{};
};

/// The parser takes a zero byte for the end, and would leave out what follows.
void expect_no_zero_byte(std::string_view text, std::string const& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(fmt::format("{}: expected UTF-8, got UTF-16", name));
  std::size_t const at = text.find('\0');
  if (at == std::string_view::npos) return;
  auto const line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw InputError(fmt::format("{}:{}: expected text, got a zero byte", name, line));
}

/// Comments, // and /* */, are for people: they are no part of what is read.
constexpr bool with_comments = true;

}  // namespace

Json parse_json(std::string_view text, std::string const& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw error_at(name, "", "expected JSON, got an empty text");
  }
  expect_no_zero_byte(text, name);
  Listener listener(text, name);
  constexpr bool to_its_end = true;
  Json::sax_parse(text, &listener, nlohmann::json::input_format_t::json, to_its_end, with_comments);
  return std::move(listener.whole());
}

}  // namespace rondo::json
