// Reads selection files (selection.hpp). Unknown keys and impossible ranges are errors: a rule that never applies would
// go unnoticed.

#include "mpi_library/classical/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "base/text.hpp"
#include "json/pointer.hpp"
#include "json/value.hpp"

namespace rondo::mpi {
namespace {

using json::Json;

constexpr std::string_view keys_of_rule[] = {"collective", "ranks", "bytes", "schedule"};

/// Reads one rule, and keeps its place for error messages.
class RuleReader {
 public:
  RuleReader(Json const& rule, std::string const& file, std::string place)
      : rule_(rule), file_(file), place_(std::move(place)) {}

  /// Reads a rule. Throws InputError with its place in the file.
  SelectionRule read() const {
    if (!rule_.is_object()) throw error("", "expected an object, got " + json::shown(rule_));
    SelectionRule result;
    result.collective = collective();
    expect_known_keys();
    if (rule_.contains("algorithm") == rule_.contains("schedule")) {
      throw error("", fmt::format("expected either \"algorithm\" or \"schedule\", got {}",
                                  rule_.contains("schedule") ? "both" : "none"));
    }
    result.ranks = range("ranks", false);
    result.bytes = range("bytes", true);
    try {
      auto const of = [&](std::string const& option) { return word(option); };
      result.choice = rule_.contains("schedule") ? schedule() : *choice_by(result.collective, of);
    } catch (WrongChoice const& wrong) {
      throw InputError(wrong.what());
    }
    result.choice.for_these_ranks = true;
    return result;
  }

 private:
  json::PlacedError error(std::string const& key, std::string const& what) const {
    return json::error_at(file_, key.empty() ? place_ : json::child(place_, key), what);
  }

  /// The collective of a rule.
  ClassicalCollective collective() const {
    if (!rule_.contains("collective")) throw error("", "missing key \"collective\"");
    Json const& value = rule_["collective"];
    auto const kind = value.is_string() ? value_of<problem::Kind>(value.get<std::string>()) : std::nullopt;
    auto const known = kind ? problem::classical_collective(*kind) : std::nullopt;
    if (known) return *known;
    std::vector<std::string> words;
    for (std::string const& each : all_enum_names<problem::Kind>()) {
      if (problem::classical_collective(*value_of<problem::Kind>(each))) words.push_back(each);
    }
    throw error("collective", fmt::format("expected one of {}, got {}", json::quoted(words), json::shown(value)));
  }

  /// Unknown keys are errors: a misspelt key would silently apply the rule everywhere.
  void expect_known_keys() const {
    std::vector<std::string> known(std::begin(keys_of_rule), std::end(keys_of_rule));
    known.emplace_back("algorithm");
    for (std::string_view const each : options_of_algorithms()) known.emplace_back(each.substr(1));
    for (auto const& [key, value] : rule_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::string const hint = did_you_mean(key, known);
      throw error("",
                  fmt::format("unknown key \"{}\"{}", key, hint.empty() ? "; accepted: " + json::quoted(known) : hint));
    }
  }

  /// An end of a range: a number, a size with a unit, or null.
  std::int64_t end(char const* key, std::size_t i, bool sizes) const {
    Json const& value = rule_[key][i];
    if (value.is_null()) return i == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
    if (value.is_number_integer() && value.get<std::int64_t>() >= 0) return value.get<std::int64_t>();
    try {
      if (sizes && value.is_string()) return parse_bytes(value.get<std::string>()).value;
    } catch (InputError const&) {  // told below
    }
    char const* const accepted =
        sizes ? "bytes, a size such as \"8KiB\", or null for no limit" : "a number of ranks, or null for no limit";
    throw json::error_at(file_, json::child(json::child(place_, key), std::to_string(i)),
                         fmt::format("expected {}, got {}", accepted, json::shown(value)));
  }

  /// A range of sizes or ranks; a key that is absent sets no limit.
  Range range(char const* key, bool sizes) const {
    if (!rule_.contains(key)) return {};
    Json const& value = rule_[key];
    if (!value.is_array() || value.size() != 2) {
      throw error(key, "expected the least and the most, as in [1, 8], got " + json::shown(value));
    }
    Range const result{end(key, 0, sizes), end(key, 1, sizes)};
    if (result.from > result.to) throw error(key, "expected the least first, got " + json::shown(value));
    return result;
  }

  /// An option of an algorithm, as text.
  std::optional<Setting> word(std::string const& option) const {
    std::string const key = option.substr(1);
    if (!rule_.contains(key)) return std::nullopt;
    Json const& value = rule_[key];
    std::string const where = file_ + ": " + json::child(place_, key);
    if (value.is_string()) return Setting{where, value.get<std::string>()};
    if (value.is_number_integer()) return Setting{where, std::to_string(value.get<std::int64_t>())};
    throw error(key, "expected a word or a whole number, got " + json::shown(value));
  }

  /// The file of a schedule, relative to the folder of the selection file.
  Choice schedule() const {
    Json const& value = rule_["schedule"];
    if (!value.is_string() || value.get<std::string>().empty()) {
      throw error("schedule", "expected the name of a file, got " + json::shown(value));
    }
    Choice choice;
    auto const name = value.get<std::string>();
    std::size_t const folder = name.front() == '/' ? std::string::npos : file_.rfind('/');
    choice.schedule = folder == std::string::npos ? name : file_.substr(0, folder + 1) + name;
    choice.where = file_ + ": " + json::child(place_, "schedule");
    choice.origin = choice.where;
    return choice;
  }

  Json const& rule_;
  std::string const& file_;
  std::string place_;
};

}  // namespace

/// Rules keep their order, since the first one that fits is used.
Selection parse_selection(std::string_view text, std::string const& name) {
  Json const document = json::parse_json(text, name);
  if (!document.is_object() || !document.contains("format") || document["format"] != "rondo-selection") {
    throw json::error_at(name, "", "expected a selection, an object with \"format\": \"rondo-selection\"");
  }
  for (auto const& [key, value] : document.items()) {
    if (key == "format" || key == "format_version" || key == "$schema" || key == "rules") continue;
    throw json::error_at(name, "", fmt::format("unknown key \"{}\"; accepted: \"format\", \"rules\"", key));
  }
  if (!document.contains("rules") || !document["rules"].is_array()) {
    throw json::error_at(name, "/rules", "expected a list of rules");
  }
  Selection result;
  Json const& rules = document["rules"];
  for (std::size_t i = 0; i < rules.size(); ++i) {
    result.push_back(RuleReader(rules[i], name, fmt::format("/rules/{}", i)).read());
  }
  return result;
}

/// The first rule that fits. If ranks do not know the size of the call, only rules for all sizes fit.
Choice const* chosen_in(Selection const& selection, ClassicalCollective collective, int ranks,
                        std::optional<Bytes> bytes) {
  auto const fits = [&](SelectionRule const& rule) {
    if (rule.collective != collective || !rule.ranks.contains(ranks)) return false;
    return bytes ? rule.bytes.contains(bytes->value) : rule.bytes.unlimited();
  };
  auto const found = std::find_if(selection.begin(), selection.end(), fits);
  return found == selection.end() ? nullptr : &found->choice;
}

}  // namespace rondo::mpi
