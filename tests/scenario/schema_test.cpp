#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "sample.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo::scenario {
namespace {

/// Calls `visit` for the schema itself and for each schema in it.
void walk(Json const& schema, std::string const& place,
          std::function<void(Json const&, std::string const&)> const& visit) {
  visit(schema, place);
  for (char const* keyword : {"items", "additionalProperties", "then"}) {
    if (schema.contains(keyword) && schema[keyword].is_object()) walk(schema[keyword], place + "/" + keyword, visit);
  }
  if (schema.contains("properties")) {
    for (auto const& [key, property] : schema["properties"].items()) walk(property, place + "/" + key, visit);
  }
  for (Json const& part : schema.value("allOf", Json::array())) walk(part, place + "/allOf", visit);
}

TEST(Schema, every_key_but_kind_says_what_it_means) {
  walk(schema(), "", [](Json const& part, std::string const& place) {
    if (!part.contains("properties")) return;
    for (auto const& [key, property] : part["properties"].items()) {
      bool const refined = property.empty() || !property.contains("type");
      EXPECT_TRUE(key == "kind" || refined || property.contains("description")) << place << "/" << key;
    }
  });
}

TEST(Schema, what_has_several_types_has_a_title) {
  walk(schema(), "", [](Json const& part, std::string const& place) {
    bool const several = part.contains("type") && part["type"].is_array();
    EXPECT_TRUE(!several || part.contains("title")) << place;
  });
}

TEST(Schema, every_kind_has_one_branch) {
  walk(schema(), "", [](Json const& part, std::string const& place) {
    if (!part.contains("properties") || !part["properties"].contains("kind") || !part.contains("allOf")) return;
    std::vector<std::string> branches;
    for (Json const& branch : part["allOf"]) branches.push_back(branch["if"]["properties"]["kind"]["const"]);
    EXPECT_EQ(part["properties"]["kind"]["enum"].get<std::vector<std::string>>(), branches) << place;
  });
}

TEST(Schema, every_word_is_read) {
  for (auto const* key : {"engine", "payload", "algorithm"}) {
    Json const words = schema_at(schema(), sample(), {key}).value()["enum"];
    for (Json const& word : words) {
      Json scenario = sample();
      scenario[key] = word;
      Scenario const parsed = parse(Sweep(scenario, "s.json")[0], "s.json");
      std::string const read = key == std::string("engine")    ? to_string(parsed.engine)
                               : key == std::string("payload") ? to_string(parsed.payload)
                                                               : algorithm(parsed.problem);
      EXPECT_EQ(read, word.get<std::string>());
    }
  }
  EXPECT_EQ(to_string(TimingModel::linear), "linear");
}

TEST(Describe, names_every_kind_and_every_parameter) {
  std::string const text = describe();
  walk(schema(), "", [&](Json const& part, std::string const& place) {
    if (!part.contains("properties") || !part["properties"].contains("kind")) return;
    for (auto const& [key, property] : part["properties"].items()) {
      if (key == "kind") {
        for (Json const& word : property.value("enum", Json::array())) {
          EXPECT_NE(text.find("  " + word.get<std::string>() + ": "), std::string::npos) << place << " " << word;
        }
      } else {
        EXPECT_NE(text.find("    " + key), std::string::npos) << place << " " << key;
      }
    }
  });
  EXPECT_NE(text.find("  isomorphic_alltoall: straightforward, posted, torus, direct, basis, parity\n"),
            std::string::npos);
  EXPECT_NE(text.find("    radius: an integer from 0 to 1048576; the largest L1 norm\n"), std::string::npos);
}

}  // namespace
}  // namespace rondo::scenario
