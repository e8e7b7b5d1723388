#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <iterator>
#include <string>

#include "base/random.hpp"
#include "sample.hpp"

namespace rondo::scenario {
namespace {

Scenario parsed(std::string const& patch) { return parse(Sweep(sample(patch), "s.json")[0], "s.json"); }

TEST(Parse, gives_values_with_units) {
  Scenario const scenario = parsed(R"({
    "source": "a paper", "block": "1.5KiB", "payload": "timing", "seed": 7, "engine": "smpi", "algorithm": "straightforward",
    "machine": {"topology": {"kind": "torus", "hosts": null, "dims": [6, 4]}, "hop_latency": "100ns", "ports": 2,
                "neighbors_only": true, "envelope": "16B", "timing": "linear"}})");
  EXPECT_EQ(scenario.title, "27-point stencil");
  EXPECT_EQ(scenario.source, "a paper");
  EXPECT_EQ(scenario.block, Bytes(1536));
  EXPECT_EQ(scenario.payload, Payload::timing);
  EXPECT_EQ(scenario.seed, 7u);
  EXPECT_EQ(scenario.machine.latency, 1_us);
  EXPECT_EQ(scenario.machine.hop_latency, parse_seconds("100ns"));
  EXPECT_EQ(scenario.machine.bandwidth, 1_GBps);
  EXPECT_EQ(scenario.machine.ports, 2);
  EXPECT_TRUE(scenario.machine.neighbors_only);
  EXPECT_EQ(scenario.machine.envelope, 16_B);
  EXPECT_EQ(std::get<TorusMachine>(scenario.machine.topology).torus, Torus({6, 4}));
  EXPECT_EQ(kind(scenario.problem), "isomorphic_alltoall");
  EXPECT_EQ(algorithm(scenario.problem), "straightforward");
  EXPECT_EQ(ranks(scenario.problem), 24);
}

TEST(Parse, has_defaults) {
  Scenario const scenario = parsed(R"({"title": null, "schema_version": null})");
  EXPECT_EQ(scenario.title, "");
  EXPECT_EQ(scenario.source, "");
  EXPECT_EQ(scenario.engine, Engine::smpi);
  EXPECT_EQ(scenario.payload, Payload::automatic);
  EXPECT_EQ(scenario.seed, 1u);
  EXPECT_EQ(scenario.machine.hop_latency, Seconds(0));
  EXPECT_EQ(scenario.machine.ports, 1);
  EXPECT_FALSE(scenario.machine.neighbors_only);
  EXPECT_EQ(scenario.machine.envelope, 0_B);
  EXPECT_EQ(scenario.machine.timing, TimingModel::linear);
  auto const& problem = std::get<IsomorphicAlltoallProblem>(scenario.problem);
  EXPECT_EQ(problem.dimension_order, (std::vector<int>{0, 1, 2}));
}

TEST(Parse, takes_the_dimension_of_a_neighborhood_from_the_torus) {
  auto const neighborhood = [](std::string const& text) {
    Json scenario = sample();
    scenario["collective"]["neighborhood"] = Json::parse(text);
    return std::get<IsomorphicAlltoallProblem>(parse(Sweep(scenario, "s.json")[0], "s.json").problem).neighborhood;
  };
  EXPECT_EQ(neighborhood(R"({"kind": "moore", "radius": 2})"), moore(3, 2));
  EXPECT_EQ(neighborhood(R"({"kind": "von_neumann", "radius": 2})"), von_neumann(3, 2));
  EXPECT_EQ(neighborhood(R"({"kind": "octant", "radius": 3})"), octant(3, 3));
  EXPECT_EQ(neighborhood(R"({"kind": "shales", "radii": [3, 7]})"), shales(3, {3, 7}));
  EXPECT_EQ(neighborhood(R"({"kind": "offsets", "offsets": [[1, -2, 3], [0, 0, 0]]})"),
            Neighborhood(3, {{1, -2, 3}, {0, 0, 0}}));
  EXPECT_EQ(neighborhood(R"({"kind": "offsets", "offsets": []})"), Neighborhood(3, {}));
}

TEST(Parse, an_expanded_scenario_parses_to_itself) {
  Sweep const sweep(sample(R"({"sweep": {"/block": ["1B", "2B"]}})"), "s.json");
  Scenario const first = parse(sweep[1], "s.json");
  Scenario const again = parse(Sweep(first.expanded, "s.json")[0], "s.json");
  EXPECT_EQ(again.expanded, first.expanded);
  EXPECT_EQ(again.block, 2_B);
}

/// A value that has little to do with what is expected.
Json random_value(Random& random) {
  switch (random.below(10)) {
    case 0:
      return nullptr;
    case 1:
      return random.between(-3, 30);
    case 2:
      return random.between(INT64_MIN / 2, INT64_MAX / 2);
    case 3:
      return random.unit();
    case 4:
      return Json::array({1, 2, 3});
    case 5:
      return Json::object({{"kind", "torus"}, {"radius", 1}});
    case 6:
      return "1us";
    case 7:
      return std::string(random.below(200), '\n');
    case 8:
      return Json::array({Json::array({1, 0}), Json::array()});
    default:
      return random.below(2) == 0;
  }
}

/// Replaces, removes or adds a member somewhere in the document.
void mutate(Json& document, Random& random) {
  Json* place = &document;
  while (place->is_structured() && !place->empty()) {
    auto member = std::next(place->begin(), static_cast<std::ptrdiff_t>(random.below(place->size())));
    if (random.below(3) == 0) {
      if (random.below(2) == 0) {
        place->erase(member);
      } else if (place->is_object()) {
        (*place)[random.below(2) == 0 ? "kind" : "new\nkey"] = random_value(random);
      } else {
        place->push_back(random_value(random));
      }
      return;
    }
    place = &*member;
  }
  *place = random_value(random);
}

RC_GTEST_PROP(Parse, a_mutated_scenario_is_parsed_or_refused_in_one_line_that_names_the_file, (std::uint64_t seed)) {
  Random random(seed);
  Json document = sample(R"({"sweep": {"/block": ["1B", "2B"], "/collective/neighborhood/radius": [1, 2]},
                             "expect": [{"claim": "c", "that": "1", "over": "/block"}]})");
  for (std::uint64_t i = 0; i <= random.below(3); ++i) mutate(document, random);
  RC_PRE(document.is_object());
  std::string const message = refusal([&] { read_all(document, "s.json"); });
  RC_ASSERT(message == "accepted" || message.find("s.json: ") == 0);
  RC_ASSERT(message.find('\n') == std::string::npos);
  RC_ASSERT(message.size() < 2000u);
}

}  // namespace
}  // namespace rondo::scenario
