// The rules file of Open MPI 6's coll_tuned in JSON.
//
//   {"rule_file_version": 3, "module": "tuned", "collectives": {"bcast": [{"comm_size_min": 0, "comm_size_max": 7,
//     "rules": [{"msg_size_min": 0, "msg_size_max": 511, "alg": "binomial", "faninout": 4, "seg_size": 8192}]}]}}
//
// [Open MPI 6.0, ompi/mca/coll/tuned/coll_tuned_dynamic_file.c]: the first rule that fits holds; what is not stated is
// 0 below and unlimited above; "inf" is known for sizes alone; the code reads "reduce_scatter" and "seg_size", which
// the schema in its documentation does not list. "comm_rank_distribution" of a group is "any", "one-per-node" or
// "single-node"; another value is "any". A rule whose algorithm the library does not have is passed over.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "json/pointer.hpp"
#include "run/rules/rules.hpp"
#include "scenario/load.hpp"

namespace rondo::rules {
namespace {

using scenario::child;
using scenario::error_at;
using scenario::Json;

Json size_rule(Rule const& rule) {
  Json json = {{"msg_size_min", rule.from.value}};
  if (rule.to != any_size) json["msg_size_max"] = rule.to.value;
  json["alg"] = rule.algorithm->name;
  if (rule.algorithm->fan > 0) json["faninout"] = rule.algorithm->fan;
  if (rule.segment > Bytes(0)) json["seg_size"] = rule.segment.value;
  return json;
}

Json ranks_rule(std::span<Rule const> rules) {
  Json json = {{"comm_size_min", rules.front().from_ranks}};
  if (rules.front().to_ranks != any_ranks) json["comm_size_max"] = rules.front().to_ranks;
  json["rules"] = Json::array();
  for (Rule const& rule : rules) json["rules"].push_back(size_rule(rule));
  return json;
}

/// Reads a whole document. Throws InputError with the pointer of a wrong value.
class OmpiJsonReader {
 public:
  OmpiJsonReader(std::string const& text, std::string const& file)
      : file_(file), document_(scenario::parse_json(text, file)) {}

  Rules read() {
    std::string const other = document_.contains("collectives") ? "" : scenario::other_kind(document_);
    if (!other.empty()) {
      throw InputError(fmt::format("{}: expected rules of Open MPI, MPICH or NCCL, got {}", file_, other));
    }
    if (!document_.contains("collectives") && document_.contains("version")) {
      throw error_at(
          file_, "/version",
          "expected \"collectives\" of Open MPI or \"collective=NAME\" of MPICH 4.0, got a \"version\", which "
          "looks like a selection file of a newer MPICH");
    }
    Json const& collectives = member(document_, "", "collectives");
    expect(collectives.is_object(), "/collectives", "an object with a member for each collective", collectives);
    for (auto const& [name, groups] : collectives.items()) rules_.collectives.push_back(collective(name, groups));
    return std::move(rules_);
  }

 private:
  void expect(bool fits, std::string const& place, std::string const& accepted, Json const& got) const {
    if (!fits) throw error_at(file_, place, fmt::format("expected {}, got {}", accepted, excerpt(got.dump())));
  }

  Json const& member(Json const& object, std::string const& place, char const* key) const {
    expect(object.is_object(), place, "an object", object);
    if (!object.contains(key)) throw error_at(file_, place, fmt::format("missing key \"{}\"", key));
    return object[key];
  }

  /// A number of bytes or ranks; "inf" is unlimited.
  std::int64_t number(Json const& object, std::string const& place, char const* key, std::int64_t otherwise) const {
    if (!object.contains(key)) return otherwise;
    Json const& value = object[key];
    if (value == "inf" || value == "Inf" || value == "INF") return any_size.value;
    bool const fits = value.is_number_integer() && value.get<std::int64_t>() >= 0;
    expect(fits, child(place, key), "a whole number of at least 0", value);
    return value.get<std::int64_t>();
  }

  int ranks(Json const& object, std::string const& place, char const* key, int otherwise) const {
    std::int64_t const value = number(object, place, key, otherwise);
    bool const fits = value <= otherwise || otherwise == 0;
    expect(fits && value <= any_ranks, child(place, key), fmt::format("a number of ranks, at most {}", any_ranks),
           object.value(key, Json()));
    return static_cast<int>(value);
  }

  CollectiveRules collective(std::string const& name, Json const& groups) {
    std::string const place = child("/collectives", name);
    std::vector<std::string> const& names = names_of_ompi();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw error_at(file_, place,
                     fmt::format("expected one of {}, got \"{}\"{}", listed(names, ", "), excerpt(name),
                                 did_you_mean(name, names)));
    }
    expect(groups.is_array(), place, "a list", groups);
    CollectiveRules rules{name, named(RulesFormat::ompi_json, name)};
    for (std::size_t i = 0; i < groups.size(); ++i) add_group(rules, groups[i], child(place, std::to_string(i)));
    return rules;
  }

  /// The placement of ranks that a group of rules requires.
  HostRequirement asked_hosts(Json const& group, std::string const& place) {
    std::string const key = "comm_rank_distribution";
    if (!group.contains(key)) return {};
    Json const& word = group[key];
    expect(word.is_string(), child(place, key), "any, one-per-node or single-node", word);
    if (word == "one-per-node") return {.one_rank_each = true};
    if (word == "single-node") return {.one_host = true};
    if (word != "any") {
      rules_.remarks.push_back(fmt::format("{}: {}: Open MPI takes \"{}\" for \"any\"", file_, child(place, key),
                                           excerpt(word.get<std::string>())));
    }
    return {};
  }

  /// Adds the rules of a group. Open MPI uses the first one that fits.
  void add_group(CollectiveRules& rules, Json const& group, std::string const& place) {
    Json const& sizes = member(group, place, "rules");
    expect(sizes.is_array(), place + "/rules", "a list", sizes);
    int const from = ranks(group, place, "comm_size_min", 0), to = ranks(group, place, "comm_size_max", any_ranks);
    HostRequirement const asked = asked_hosts(group, place);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::string const here = child(place + "/rules", std::to_string(i));
      Rule rule{from, to};
      rule.place = fmt::format("{}: {}", file_, here);
      rule.hosts = asked;
      choose(rule, rules, member(sizes[i], here, "alg"), here + "/alg");
      set_fan(rule, number(sizes[i], here, "faninout", 0));
      rule.from = Bytes(number(sizes[i], here, "msg_size_min", 0));
      rule.to = Bytes(number(sizes[i], here, "msg_size_max", any_size.value));
      rule.segment = Bytes(number(sizes[i], here, "seg_size", 0));
      rules.rules.push_back(rule);
    }
  }

  void choose(Rule& rule, CollectiveRules const& rules, Json const& word, std::string const& place) {
    expect(word.is_string() || word.is_number_integer(), place, "the name or the number of an algorithm", word);
    if (rules.collective == nullptr || word == 0 || word == "ignore") return;
    for (LibraryAlgorithm const& each : rules.collective->algorithms) {
      if (word == each.name || word == each.number) rule.algorithm = &each;
    }
    if (rule.algorithm != nullptr) return;
    name_algorithm(rules_, rule, *rules.collective, word.is_string() ? word.get<std::string>() : word.dump());
    rule.asks = "an Open MPI that has it";
  }

  std::string const& file_;
  Json document_;
  Rules rules_{RulesFormat::ompi_json};
};

}  // namespace

std::string ompi_json_text(Rules const& rules) {
  Json json = {{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", Json::object()}};
  for (CollectiveRules const& each : rules.collectives) {
    Json groups = Json::array();
    for (auto const& group : by_ranks(each.rules)) groups.push_back(ranks_rule(group));
    json["collectives"][each.name] = std::move(groups);
  }
  return json.dump(2) + "\n";
}

Rules read_ompi_json(std::string const& text, std::string const& file) { return OmpiJsonReader(text, file).read(); }

}  // namespace rondo::rules
