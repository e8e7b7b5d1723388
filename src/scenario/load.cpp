// Reading JSON: the library parses, the listener below refuses what JSON lets pass but a scenario does not.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <set>

#include "base/file.hpp"
#include "base/inputs.hpp"
#include "scenario/collector.hpp"
#include "scenario/load.hpp"
#include "scenario/named_file.hpp"
#include "scenario/noise.hpp"
#include "scenario/pointer.hpp"
#include "scenario/read.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

constexpr std::size_t deepest_nesting = 64;
constexpr std::uint64_t largest_file = std::uint64_t{64} << 20;
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

bool has_keys(Json const& document, std::initializer_list<char const*> keys) {
  return document.is_object() && std::ranges::all_of(keys, [&](char const* key) { return document.contains(key); });
}

/// Refuses a file whose name says that it contains no JSON.
void expect_json_by_name(std::string_view text, std::string const& name) {
  std::size_t const begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] == '{') return;
  constexpr char const* program = "a program, which a scenario of the kind program names as \"source\"";
  static std::vector<std::pair<char const*, char const*>> const contents{
      {".md", "a page of Markdown"},
      {".html", "a page of HTML"},
      {".yaml", "YAML"},
      {".yml", "YAML"},
      {".c", program},
      {".cc", program},
      {".cpp", program},
      {".f90", program},
      {".csv", "CSV; rondo report, rondo merge and rondo check --results take records"}};
  for (auto const& [ending, content] : contents) {
    if (name.ends_with(ending)) throw InputError(fmt::format("{}: expected JSON, got {}", name, content));
  }
}

/// A machine in a file of its own, or what wants to be one: not a scenario, which has one.
bool is_machine(Json const& document) {
  return document.is_object() && document.contains("topology") && !document.contains("machine");
}

}  // namespace

std::string other_kind(Json const& document) {
  if (has_keys(document, {"machine", "collective"})) return "a scenario, which rondo run and rondo check take";
  bool const is_format = has_keys(document, {"format"});
  if (is_format && document["format"] == "rondo-promise") return "a promise, which rondo prove --promise takes";
  if (has_keys(document, {"ranks", "programs"}) || (is_format && document["format"] == "rondo-schedule"))
    return "a schedule, which rondo prove takes, and which a scenario of the kind custom names as \"schedule\"";
  if (has_keys(document, {"scenario", "expanded"})) return "records, which rondo report and check --results take";
  if (has_keys(document, {"decisions"})) return "decisions of rondo tune, which rondo merge takes";
  if (has_keys(document, {"collectives"})) return "rules of Open MPI, which rondo check-rules takes";
  return is_machine(document) ? "a machine, which scenarios and --machine name" : "";
}

namespace {

/// {"machine": what the file holds}, checked against the schema.
Json wrapped_machine(std::string const& file) {
  Json wrapped = Json::object();
  wrapped["machine"] = load_json(file);
  if (!wrapped["machine"].is_object()) throw error_at(file, "", "expected an object, got " + shown(wrapped["machine"]));
  if (!is_machine(wrapped["machine"])) {
    std::string const other = other_kind(wrapped["machine"]);
    if (!other.empty()) throw InputError(fmt::format("{}: expected a machine, got {}", file, other));
  }
  validate(wrapped, file, Extent::part, "/machine");
  return wrapped;
}

}  // namespace

/// Comments, // and /* */, are for people: they are no part of what is read.
constexpr bool with_comments = true;

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

Json load_json(std::string const& file) {
  note_input(file);
  return parse_json(read_file(file, largest_file), file);
}

std::string folder_of(std::string const& file) { return std::filesystem::path(file).parent_path().string(); }

std::string resolve(std::string const& folder, std::string const& name) {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

void inline_machine(Json& document, std::string const& scenario) {
  if (!document.is_object() || !document.contains("machine") || !document["machine"].is_string()) return;
  auto const name = document["machine"].get<std::string>();
  std::string const file =
      scenario == command_line ? resolve("", name) : named_file({document["machine"], scenario, "/machine"});
  std::error_code ignored;
  if (name.empty() || !std::filesystem::exists(file, ignored)) {
    throw error_at(scenario, "/machine",
                   fmt::format("expected an object, or the name of a file that holds one, got {}: no such file{}",
                               shown(document["machine"]), nearest_file(file)));
  }
  Json wrapped = wrapped_machine(file);
  std::vector<Tokens> paths{{"machine", "topology", "path"}};
  for (char const* key : noise_keys) paths.push_back({"machine", "noise", key, "path"});
  for (Tokens const& place : paths) {
    if (Json const* path = find(wrapped, place))
      put(wrapped, place, resolve(folder_of(name), path->get<std::string>()));
  }
  document["machine"] = std::move(wrapped["machine"]);
}

bool holds_machine(std::string const& file) { return is_machine(load_json(file)); }

Platform load_machine(std::string const& file) {
  Json const wrapped = wrapped_machine(file);
  return read_machine({wrapped["machine"], file, ""});
}

Document load_text(std::string_view text, std::string const& name) {
  expect_json_by_name(text, name);
  Json document = parse_json(text, name);
  if (!document.is_object())
    throw error_at(name, "", "expected an object that describes a scenario, got " + shown(document));
  // Else the first thing to be said of it would be that "topology" is an unknown key.
  if (is_machine(document) && !document.contains("collective")) {
    throw InputError(fmt::format("{}: expected a scenario, got a machine, which scenarios name: \"machine\": \"{}\"",
                                 name, std::filesystem::path(name).filename().string()));
  }
  if (!document.contains("machine") || document.contains("programs")) {
    std::string const other = other_kind(document);
    if (!other.empty()) throw InputError(fmt::format("{}: expected a scenario, got {}", name, other));
  }
  bool const names_machine = document.contains("machine") && document["machine"].is_string();
  inline_machine(document, name);
  return {std::move(document), names_machine};
}

Document load_document(std::string const& file) {
  note_input(file);
  return load_text(read_file(file, largest_file), file);
}

Json load(std::string const& file) { return load_document(file).json; }

}  // namespace rondo::scenario
