// Every key of the schema: a scenario in which another value of it changes what Rondo finds, and one in which it
// changes nothing and is refused. What a record merely repeats of its scenario does not count. The scenarios are in
// tests/data/keys.json.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "families.hpp"
#include "folder.hpp"
#include "json/pointer.hpp"
#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "scenario/effects.hpp"

namespace rondo {
namespace {

using scenario::Json;

Json const& key_data() {
  static Json const data = Json::parse(std::ifstream(RONDO_TEST_DATA "/keys.json"));
  return data;
}

/// A row, for one kind of collective: `key` is a pointer in which the kind of an object may stand in brackets.
struct KeyRow {
  std::string kind, key;
  Json values, with;
  std::optional<Json> idle = {};
};

Json patch_of(Json const& said) { return said.is_string() ? key_data()["machines"][said.get<std::string>()] : said; }

/// The kind of collective that has such objects, where a row names none.
std::string kind_for(std::string const& key) {
  if (key.find("/neighborhood(") != std::string::npos) return "isomorphic_alltoall";
  if (key.find("/graph(") != std::string::npos) return "neighbor_allgather";
  if (key.find("/pattern(") != std::string::npos) return "sparse_exchange";
  return "alltoall";
}

std::vector<KeyRow> key_rows() {
  std::vector<KeyRow> rows;
  for (Json const& said : key_data()["rows"]) {
    auto const key = said["key"].get<std::string>();
    for (Json const& kind : said.value("kinds", Json::array({kind_for(key)}))) {
      KeyRow row{kind, key, said["values"], patch_of(said.value("with", Json::object()))};
      bool const of_kind = said.contains("kinds") && !key.starts_with("/machine");
      if (of_kind) row.key = "/collective(" + row.kind + ")" + key;
      if (said.contains("idle")) row.idle = patch_of(said["idle"]);
      if (said.contains("idle_of") && said["idle_of"].contains(row.kind)) row.idle = said["idle_of"][row.kind];
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string without_brackets(std::string const& key) {
  std::string pointer;
  bool inside = false;
  for (char const c : key) {
    inside = (inside || c == '(') && c != ')';
    if (!inside && c != ')') pointer += c;
  }
  return pointer;
}

/// The scenario of a row under a patch, with a value of its key.
Json with_value(KeyRow const& row, Json const& patch, Json const& value) {
  Json document = key_data()["base"];
  document["collective"]["kind"] = row.kind;
  document.merge_patch(key_data()["bases"][row.kind]);
  document.merge_patch(patch);
  Json at_key = value;
  scenario::Tokens tokens = scenario::split(without_brackets(row.key));
  if (scenario::find(document, {tokens.begin(), tokens.end() - 1}) == nullptr) {
    at_key = {{tokens.back(), value}};
    tokens.pop_back();
  }
  EXPECT_TRUE(scenario::put(document, tokens, at_key)) << row.key;
  return document;
}

/// A broadcast from rank 0 to 1, and then to 2 from `between`.
std::string schedule(int between) {
  Json const kept = {{"slots", 1}};
  Json const block = Json::array({Json::array({"receive", 0})}), own = Json::array({Json::array({"send", 0})});
  Json programs = Json::array();
  for (int rank = 0; rank < 3; ++rank) {
    Json rounds = Json::array({Json::object(), Json::object()});
    if (rank == 0) rounds[0]["sends"] = {{{"rank", 1}, {"places", own}}};
    if (rank == 1) rounds[0]["receives"] = {{{"rank", 0}, {"places", block}}};
    if (rank == between) rounds[1]["sends"] = {{{"rank", 2}, {"places", rank == 0 ? own : block}}};
    if (rank == 2) rounds[1]["receives"] = {{{"rank", between}, {"places", block}}};
    programs.push_back(
        {{"ranks", Json::array({rank})}, {"buffers", {{rank == 0 ? "send" : "receive", kept}}}, {"rounds", rounds}});
  }
  return Json{{"format", "rondo-schedule"}, {"ranks", 3}, {"programs", programs}}.dump();
}

/// The files that the rows name.
struct KeyFiles : test::Folder {
  KeyFiles() {
    auto const cluster = [](char const* hosts) {
      return std::string(R"(<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">)"
                         R"(<platform version="4.1"><cluster id="c" prefix="h" suffix="" speed="1Gf" bw="1GBps" )"
                         R"(lat="1us" radical=")") +
             hosts + R"("/></platform>)";
    };
    write("sixteen.xml", cluster("0-15"));
    write("eight.xml", cluster("0-7"));
    write("a.txt", "0 1\n");
    write("b.txt", "0 1\n1 2\n");
    std::string many;
    for (int i = 0; i < 15; ++i) many += "0us\n";
    write("early.txt", many + "500us\n");
    write("late.txt", many + "700us\n");
    write("short.txt", "100 4000\n5000 3000\n9000 0\n");
    write("long.txt", "2000\n9000\n");
    write("chain.json", schedule(1));
    write("star.json", schedule(0));
    write("two.goal", "num_ranks 2\nrank 0 {\nl0: send 8b to 1\n}\nrank 1 {\nl0: recv 8b from 0\n}\n");
  }
};

/// What Rondo finds: the record without what it repeats of the scenario and without wall times; or why it refuses.
std::string found(Json const& document, std::string const& file) {
  try {
    scenario::Scenario const parsed = scenario::parse(scenario::Sweep(document, file)[0], file);
    Json record = to_json(run_point(parsed, file, 1, {}));
    for (char const* repeated : {"expanded", "replications"}) record.erase(repeated);
    for (char const* wall : {"wall_s", "setup_wall_s"}) record.erase(wall);
    return record.dump();
  } catch (InputError const& refused) {
    return refused.what();
  }
}

std::string refusal_of(Json const& document, std::string const& file) {
  try {
    load_job_text(document.dump(), file, {});
  } catch (InputError const& refused) {
    return refused.what();
  }
  return "accepted";
}

/// The keys of the schema, as rows name them: those of objects that are told apart by their kind have it in brackets.
class KeysOfSchema {
 public:
  std::set<std::string> all() {
    look_at(scenario::schema(), "");
    return std::move(keys_);
  }

 private:
  void look_at(Json const& object, std::string const& place) {
    Json const properties = object.value("properties", Json::object());
    for (auto const& [key, value] : properties.items()) {
      std::string const here = place + "/" + key;
      if (key == "kind" || here == "/sweep" || here == "/expect") continue;
      bool const whole = value.contains("properties") && key != "island" && key != "flow" && key != "loggp" &&
                         key != "failed_links" && key != "island";
      bool const counts_whole = !of_kinds(value) || key == "island";
      if (!whole && counts_whole) keys_.insert(here);
      look_at(value, here);
      if (key == "pieces") look_at(value["items"], here + "/0");
    }
    for (Json const& branch : object.value("allOf", Json::array())) {
      std::string const pointer = "/if/properties/kind/const";
      auto const kind = Json::json_pointer(pointer);
      if (branch.contains(kind)) look_at(branch["then"], place + "(" + branch[kind].get<std::string>() + ")");
    }
  }
  static bool of_kinds(Json const& value) {
    return value.contains("allOf") && value["allOf"][0].contains(Json::json_pointer("/if/properties/kind/const"));
  }
  std::set<std::string> keys_;
};

/// Graphs, patterns and neighborhoods are the same objects in all collectives that have them, edges in both of the
/// former, and a promise is the object of another collective.
std::string once(std::string key) {
  for (char const* part : {"/graph(", "/pattern(", "/neighborhood("}) {
    std::size_t const at = key.find(part);
    if (at != std::string::npos) key = "/collective" + key.substr(at);
  }
  for (char const* kind : {"(moore)", "(geometric)", "(edges)"}) {
    std::string const pattern = std::string("/pattern") + kind;
    std::size_t const at = key.find(pattern);
    if (at != std::string::npos) key = "/collective/graph" + key.substr(at + std::string("/pattern").size());
  }
  return key;
}

TEST(Keys, all_of_the_schema_are_in_the_table_of_this_test) {
  std::set<std::string> known;
  for (KeyRow const& row : key_rows()) known.insert(row.key);
  for (char const* list : {"labels", "kept by all algorithms", "in other tests"}) {
    for (Json const& key : key_data()[list]) known.insert(key.get<std::string>());
  }
  std::set<std::string> schema;
  for (std::string const& key : KeysOfSchema().all()) schema.insert(once(key));
  for (std::string const& key : schema) EXPECT_TRUE(known.contains(key)) << key << ": a key without a row";
  // A row may be of an object, whose keys the schema has.
  auto const has_keys = [&](std::string const& key) {
    auto const begins_one = [&](std::string const& beginning) {
      auto const first = schema.lower_bound(beginning);
      return first != schema.end() && first->starts_with(beginning);
    };
    return begins_one(key + "/") || begins_one(key + "(");
  };
  for (std::string const& key : known) {
    EXPECT_TRUE(schema.contains(key) || has_keys(key) || key.starts_with("/machine/loggp/"))
        << key << ": no key of the schema";
  }
}

TEST(Keys, change_what_rondo_finds) {
  KeyFiles const files;
  std::string const file = files.file("s.json");
  for (KeyRow const& row : key_rows()) {
    if (row.with.is_null()) continue;
    Json const first = with_value(row, row.with, row.values[0]), second = with_value(row, row.with, row.values[1]);
    EXPECT_NE(found(first, file), found(second, file)) << row.key << " " << first;
    for (Json const& document : {first, second}) {
      EXPECT_EQ(refusal_of(document, file).find("has an effect only"), std::string::npos) << row.key << " " << document;
    }
  }
}

TEST(Keys, without_effect_change_nothing_and_are_refused) {
  KeyFiles const files;
  std::string const file = files.file("s.json");
  std::set<std::string> refused;
  for (KeyRow const& row : key_rows()) {
    if (!row.idle) continue;
    std::string const pointer = without_brackets(row.key);
    refused.insert(pointer);
    std::set<std::string> all;
    for (Json const& value : row.values) {
      Json const document = with_value(row, *row.idle, value);
      all.insert(found(document, file));
      std::string const line = refusal_of(document, file);
      std::string const expected = file + ": " + pointer + ": expected nothing, since it has an effect only ";
      EXPECT_TRUE(line.starts_with(expected)) << line << "\n" << document;
      EXPECT_NE(line.find(", got " + scenario::shown(value)), std::string::npos) << line;
    }
    EXPECT_EQ(all.size(), 1U) << row.key << " has an effect: " << *row.idle << "\n" << *all.begin() << *all.rbegin();
    EXPECT_EQ(all.begin()->find("expected"), std::string::npos) << row.key << ": " << *all.begin();
  }
  for (scenario::ConditionalKey const& key : scenario::conditional_keys()) {
    if (key.pointer.starts_with("/collective/promise/")) continue;
    EXPECT_TRUE(refused.contains(key.pointer)) << key.pointer << ": a condition that no row shows";
  }
}

/// The options of the classical collectives, by each algorithm: the table says what the generators read.
TEST(Keys, of_classical_algorithms_are_read_where_the_table_says_so) {
  std::map<std::string, std::pair<problem::ClassicalOption, std::vector<Json>>> const options = {
      {"radix", {problem::ClassicalOption::radix, {2, 3, 5}}},
      {"group_size", {problem::ClassicalOption::group_size, {4, 8}}},
      {"distances", {problem::ClassicalOption::distances, {"falling", "rising"}}},
      {"children", {problem::ClassicalOption::children, {"in_turn", "at_once"}}},
      {"segment", {problem::ClassicalOption::segment, {"64KiB", "1KiB", "100B"}}},
      {"extents", {problem::ClassicalOption::extents, {{4, 4}, {2, 8}}}},
  };
  Json const& of_kinds = scenario::schema()["properties"]["collective"]["allOf"];
  for (Json const& branch : of_kinds) {
    auto const kind = known_value<problem::Kind>(branch["if"]["properties"]["kind"]["const"].get<std::string>());
    auto const collective = problem::classical_collective(kind);
    if (!collective) continue;
    for (problem::ClassicalAlgorithm const algorithm : problem::classical_algorithms(*collective)) {
      for (auto const& [key, values] : options) {
        if (!branch["then"]["properties"].contains(key)) continue;
        std::set<std::string> all;
        for (Json const& value : values.second) {
          int const p = algorithm == "two_process" ? 2 : 16;
          Json collective_json = {{"kind", enum_name(kind)}, {"ranks", p}};
          if (algorithm == "locality_bruck") collective_json["group_size"] = 2;
          collective_json[key] = value;
          Json document = {{"machine", key_data()["base"]["machine"]},
                           {"collective", collective_json},
                           {"algorithm", enum_name(algorithm)},
                           {"block", kind == problem::Kind::barrier ? "0B" : "48KiB"},
                           {"engine", "native"}};
          std::string records = found(document, "s.json");
          document["machine"]["ports"] = 4;
          all.insert(records + found(document, "s.json"));
        }
        EXPECT_EQ(all.size() > 1, problem::reads(*collective, algorithm, values.first))
            << enum_name(kind) << " " << enum_name(algorithm) << " " << key;
      }
    }
  }
}

/// A broadcast with a key, by several algorithms.
Json broadcast(Json const& more, Json const& algorithms) {
  Json document = key_data()["base"];
  document["collective"] = {{"kind", "bcast"}, {"ranks", 16}};
  document["sweep"] = {{"/algorithm", algorithms}};
  document.merge_patch(more);
  return document;
}

using Remarks = std::vector<std::string>;

Overrides set(std::string assignment) {
  Overrides overrides;
  overrides.sets.push_back(std::move(assignment));
  return overrides;
}

TEST(Keys, with_an_effect_at_some_points_are_remarked_once) {
  Json const radix = {{"collective", {{"radix", 3}}}};
  Json const both = broadcast(radix, {"linear", "knomial", "binomial"});
  EXPECT_EQ(
      load_job_text(both.dump(), "s.json", {}).remarks.keys,
      Remarks{R"(s.json: /collective/radix: without effect at 2 of 3 points; it has one only with the algorithms )"
              R"("chain", "knomial")"});
  EXPECT_EQ(load_job_text(broadcast(radix, {"chain", "knomial"}).dump(), "s.json", {}).remarks.keys, Remarks{});
  EXPECT_EQ(refusal_of(broadcast(radix, {"linear", "binomial"}), "s.json"),
            R"(s.json: /collective/radix: expected nothing, since it has an effect only with the algorithms "chain", )"
            R"("knomial", got 3)");
}

/// A search leaves the algorithm of the file out and tries all.
TEST(Keys, have_an_effect_in_a_search_if_one_algorithm_reads_them) {
  Overrides searched;
  searched.searched = true;
  Json document = broadcast({{"collective", {{"radix", 3}}}}, {"linear"});
  EXPECT_EQ(load_job_text(document.dump(), "s.json", searched).remarks.keys, Remarks{});
  document = broadcast({{"machine", {{"link_bandwidth", "1GBps"}}}}, {"linear"});
  EXPECT_THROW(load_job_text(document.dump(), "s.json", searched), InputError);
}

TEST(Keys, that_the_command_line_leaves_without_effect_are_remarked_and_those_it_sets_are_refused) {
  Json const document =
      broadcast({{"collective", {{"radix", 3}}}, {"sweep", {{"/algorithm", {"knomial"}}}}}, {"knomial"});
  std::string const text = document.dump();
  EXPECT_EQ(load_job_text(text, "s.json", set("/sweep/~1algorithm=[\"linear\"]")).remarks.keys.size(), 1U);
  EXPECT_EQ(load_job_text(text, "s.json", set("/machine/ports=2")).remarks.keys.size(), 0U);
  EXPECT_THROW(load_job_text(text, "s.json", set("/machine/link_bandwidth=1GBps")), InputError);
  EXPECT_THROW(load_job_text(text, "s.json", set("/machine/flow={\"o_send\": \"1us\"}")), InputError);
}

/// A machine's own file serves many scenarios: what it knows more than one of them needs is not worth a word, but for
/// the costs of another timing model, which may be a mistake.
TEST(Keys, of_a_machine_in_a_file_of_its_own_are_never_refused) {
  test::Folder const folder;
  Json machine = key_data()["base"]["machine"];
  machine["link_bandwidth"] = "1GBps";
  machine["intra_latency"] = "100ns";
  folder.write("m.json", machine.dump());
  std::string const file = folder.file("s.json");
  Json document = broadcast({{"machine", "m.json"}}, {"linear"});
  EXPECT_EQ(load_job_text(document.dump(), file, {}).remarks.keys, Remarks{});
  // A key of the scenario's own is judged.
  EXPECT_THROW(load_job_text(document.dump(), file, set("/machine/intra_bandwidth=1GBps")), InputError);
  document["sweep"]["/machine/routing_seed"] = {1, 2};
  EXPECT_THROW(load_job_text(document.dump(), file, {}), InputError);
  document["sweep"].erase("/machine/routing_seed");
  machine["flow"] = {{"o_send", "1us"}};
  folder.write("m.json", machine.dump());
  EXPECT_EQ(
      load_job_text(document.dump(), file, {}).remarks.keys,
      Remarks{file + R"(: /machine/flow: without effect at 1 of 1 point; it has one only with "timing": "flow")"});
  EXPECT_EQ(scenario::remark_on_machine(folder.file("m.json"), scenario::load_machine(folder.file("m.json"))),
            folder.file("m.json") + R"(: without effect: /flow (only with "timing": "flow"))");
}

/// It is the object of another collective as a whole; `rondo export` writes it so.
TEST(Keys, of_a_promise_are_never_refused) {
  test::Folder const folder;
  folder.write("chain.json", R"json({"format": "rondo-schedule", "ranks": 2, "programs": [
    {"ranks": [0], "buffers": {"send": {"slots": 1}}, "rounds": [{"sends": [{"rank": 1, "places": [["send", 0]]}]}]},
    {"ranks": [1], "buffers": {"receive": {"slots": 1}},
     "rounds": [{"receives": [{"rank": 0, "places": [["receive", 0]]}]}]}]})json");
  Json document = key_data()["base"];
  document["collective"] = {{"kind", "custom"},
                            {"schedules", {{"mine", "chain.json"}}},
                            {"promise", {{"kind", "bcast"}, {"ranks", 2}, {"radix", 3}}}};
  document["algorithm"] = "mine";
  std::string const file = folder.file("s.json");
  EXPECT_EQ(load_job_text(document.dump(), file, {}).remarks.keys.size(), 1U);
  document["algorithm"] = "knomial";
  EXPECT_EQ(load_job_text(document.dump(), file, {}).remarks.keys, Remarks{});
}

}  // namespace
}  // namespace rondo
