// Reads JSON. The library parses; the listener below refuses texts that JSON allows but that no file of Rondo should
// have. The library's parser is compiled here, so that other sources need not compile it.

#include "json/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "json/events.hpp"

namespace rondo::json {

Json json_of(std::string_view text) { return Json::parse(text); }

bool is_json(std::string_view text) { return Json::accept(text); }

namespace {

constexpr std::size_t deepest_nesting = 64;
constexpr std::size_t most_keys = 4096;
constexpr std::size_t longest_string = 65536;

/// Follows the parser from event to event, keeps track of the place in the document, and collects the values.
class Listener : public SaxReader {
 public:
  using SaxReader::SaxReader;

  Json& whole() { return collector_.whole(); }

 private:
  /// An object or a list that has begun and not ended.
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

  void start(Json container) override {
    enter_value();
    if (open_.size() >= deepest_nesting)
      throw error_at(name(), place(), fmt::format("nested deeper than {}", deepest_nesting));
    open_.push_back({container.is_array(), {}, 0, {}});
    collector_.start(std::move(container));
  }

  void end() override {
    open_.pop_back();
    collector_.end();
  }

  void value(Json v) override {
    enter_value();
    expect_fit(v);
    collector_.add(std::move(v));
  }

  void member(std::string const& key) override {
    Open& object = open_.back();
    auto const refused = [&](std::string const& why) { return error_at(name(), place_of_open(open_.size() - 1), why); };
    if (!object.keys.insert(key).second) throw refused(fmt::format("duplicate key \"{}\"", excerpt(key)));
    if (object.keys.size() > most_keys) throw refused(fmt::format("more than {} keys", most_keys));
    object.key = key;
    collector_.key(key);
  }

  InputError overflow(Json::exception const& error) override {
    enter_value();
    return error_at(name(), place(), fmt::format("expected a number below 2^63: {}", parser_message(error)));
  }

  void expect_fit(Json const& value) const {
    if (value.is_string() && value.get_ref<std::string const&>().size() > longest_string) {
      throw error_at(name(), place(),
                     fmt::format("expected a string of at most {} bytes, got {}", longest_string, shown(value)));
    }
    if (value.is_string() && value.get_ref<std::string const&>().find('\0') != std::string::npos)
      throw error_at(name(), place(), fmt::format("expected text without zero bytes, got {}", shown(value)));
    bool const too_large = value.is_number_unsigned()
                               ? value.get<std::uint64_t>() >> 63 != 0
                               : value.is_number_float() && std::abs(value.get<double>()) >= 0x1p63;
    if (too_large) throw error_at(name(), place(), fmt::format("expected a number below 2^63, got {}", shown(value)));
  }

  std::vector<Open> open_{};
  Collector collector_{};
};

}  // namespace

Json parse_json(std::string_view text, std::string const& name) {
  Listener listener(text, name);
  listener.parse();
  return std::move(listener.whole());
}

}  // namespace rondo::json
