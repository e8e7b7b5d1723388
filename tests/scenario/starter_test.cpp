#include "scenario/starter.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "problem/enums.hpp"
#include "scenario/load.hpp"
#include "scenario/scenario.hpp"

namespace rondo::scenario {
namespace {

TEST(Starter, of_each_kind_is_a_scenario) {
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    std::string const name(word);
    Json const document = parse_json(starter(name), name);
    EXPECT_EQ(document["collective"]["kind"], name);
    if (kind == problem::Kind::program) continue;  // its source is the user's
    for (auto const& algorithm : document["sweep"]["/algorithm"]) {
      if (algorithm == "custom") continue;  // and so is the file of its schedule
      Json point = document;
      point.erase("sweep");
      point["algorithm"] = algorithm;
      EXPECT_NO_THROW(parse({1, point, {}}, name)) << algorithm;
    }
  }
}

TEST(Starter, is_written_for_each_machine_of_16_hosts) {
  for (char const* topology : {"fully_connected", "ring", "torus", "mesh", "dragonfly", "fat_tree"}) {
    for (auto const& [kind, word] : enum_names<problem::Kind>) {
      if (kind == problem::Kind::program || kind == problem::Kind::custom) continue;  // which name files
      Json document = parse_json(starter(std::string(word), topology), "s.json");
      EXPECT_EQ(document["machine"]["topology"]["kind"], topology);
      EXPECT_EQ(document["machine"].contains("hop_latency"), topology != std::string("fully_connected"));
      document.erase("sweep");
      EXPECT_NO_THROW(parse({1, document, {}}, "s.json")) << word << " on " << topology;
    }
  }
  EXPECT_THROW(starter("bcast", "rign"), InputError);
}

TEST(Starter, says_what_each_key_means) {
  std::string const text = starter("intergroup_allgather");
  EXPECT_NE(text.find("// senders: an integer from 1 to 16777215; the number of senders, the first ranks; on a torus "
                      "they fill places along "
                      "its first dimension\n    \"senders\": 8"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("// \"allgather\": one of \"bruck\""), std::string::npos) << text;
}

TEST(Starter, comments_are_no_part_of_a_scenario) {
  EXPECT_EQ(parse_json("{ // a word\n \"block\": /* another */ \"1B // no comment\"}", "s.json")["block"],
            "1B // no comment");
  EXPECT_THROW(parse_json("{ /* without end", "s.json"), InputError);
}

}  // namespace
}  // namespace rondo::scenario
