#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sample.hpp"

namespace rondo::scenario {
namespace {

Sweep sweep_of(std::string const& sweep) { return {sample(R"({"sweep": )" + sweep + "}"), "s.json"}; }

/// The values of each point, as JSON: "torus 1B".
std::vector<std::string> values(Sweep const& sweep) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    std::string line;
    for (auto const& [pointer, value] : sweep[i].axes) {
      line += (line.empty() ? "" : " ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    result.push_back(line);
  }
  return result;
}

TEST(Sweep, without_a_sweep_there_is_one_point) {
  Sweep const sweep(sample(R"({"expect": [{"claim": "c", "that": "1"}]})"), "s.json");
  EXPECT_EQ(sweep.size(), 1u);
  EXPECT_EQ(sweep[0].number, 1);
  EXPECT_TRUE(sweep[0].axes.empty());
  EXPECT_EQ(sweep[0].expanded, sample());
}

TEST(Sweep, a_map_is_a_product_with_the_first_key_slowest) {
  Sweep const sweep = sweep_of(R"({"/block": ["1B", "2B", "3B"], "/algorithm": ["torus", "straightforward"]})");
  EXPECT_EQ(values(sweep), (std::vector<std::string>{"1B torus", "1B straightforward", "2B torus", "2B straightforward",
                                                     "3B torus", "3B straightforward"}));
  EXPECT_EQ(sweep.pointers(), (std::vector<std::string>{"/block", "/algorithm"}));
}

TEST(Sweep, a_list_of_maps_is_zipped_and_the_maps_are_combined) {
  Sweep const sweep =
      sweep_of(R"([{"/block": ["1B", "2B"], "/seed": [7, 8]}, {"/algorithm": ["torus", "straightforward"]}])");
  EXPECT_EQ(values(sweep),
            (std::vector<std::string>{"1B 7 torus", "1B 7 straightforward", "2B 8 torus", "2B 8 straightforward"}));
}

TEST(Sweep, points_hold_their_values_and_neither_sweep_nor_claims) {
  Sweep const sweep = sweep_of(R"({"/collective/neighborhood/radius": [1, 2], "/title": ["a", "b"]})");
  Point const point = sweep[3];
  EXPECT_EQ(point.number, 4);
  EXPECT_EQ(point.expanded, sample(R"({"title": "b", "collective": {"neighborhood": {"radius": 2}}})"));
}

TEST(Sweep, a_key_that_only_the_schema_knows_is_added) {
  Sweep const sweep = sweep_of(R"({"/machine/ports": [1, 2], "/collective/dimension_order": [[2, 1, 0], "given"]})");
  EXPECT_EQ(parse(sweep[2], "s.json").machine.ports, 2);
  auto const problem = std::get<problem::Isomorphic>(parse(sweep[0], "s.json").problem);
  EXPECT_EQ(problem.dimension_order.stated, (std::vector<int>{2, 1, 0}));
}

TEST(Sweep, whole_objects_may_be_replaced_and_then_refined) {
  Sweep const sweep =
      sweep_of(R"([{"/machine/topology": [{"kind": "ring", "hosts": 1}, {"kind": "fully_connected", "hosts": 1}]},
                                   {"/machine/topology/hosts": [24, 12], "/collective/torus": [[24], [3, 4]]}])");
  ASSERT_EQ(sweep.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<Ring>(parse(sweep[1], "s.json").machine.topology));
  EXPECT_EQ(hosts(parse(sweep[1], "s.json").machine), 12);
  EXPECT_TRUE(std::holds_alternative<FullyConnected>(parse(sweep[2], "s.json").machine.topology));
}

TEST(Sweep, elements_of_lists_and_escaped_keys_are_reached) {
  Sweep const sweep = sweep_of(R"({"/collective/torus/0": [4, 8], "/machine/topology/hosts": [24, 48]})");
  EXPECT_EQ(sweep[2].expanded["collective"]["torus"], Json::parse("[8, 3, 2]"));
  EXPECT_EQ(refusal([] { sweep_of(R"({"/a~1b~0c": [1]})"); }),
            R"(s.json: /sweep: "/a~1b~0c" matches nothing: the scenario has no "a/b~c")");
}

TEST(Sweep, a_wrong_point_names_its_values) {
  Sweep const sweep = sweep_of(R"({"/algorithm": ["torus"], "/block": ["1B", "2"]})");
  EXPECT_NO_THROW(parse(sweep[0], "s.json"));
  EXPECT_EQ(refusal([&] { parse(sweep[1], "s.json"); }),
            "s.json: /block: expected a size such as \"64KiB\", got \"2\": the unit is missing (one of B, kB, MB, GB, "
            "TB, KiB, "
            "MiB, GiB, TiB) (point 2: /algorithm = \"torus\", /block = \"2\")");
}

TEST(Sweep, refusals) {
  struct Case {
    std::string sweep;
    std::string message;
  };
  for (
      Case const& c : {
          Case{"3",
               "/sweep: expected an object of JSON pointers with lists of values, or a list of such objects, got 3"},
          Case{R"({"/block": "1B"})", R"(/sweep/"/block": expected a list of one or more values, got "1B")"},
          Case{R"({"/block": []})", R"(/sweep/"/block": expected a list of one or more values, got [])"},
          Case{R"([["/block"]])",
               R"(/sweep/0: expected an object of JSON pointers with lists of values, got ["/block"])"},
          Case{"[{}]", "/sweep/0: expected an object of JSON pointers with lists of values, got {}"},
          Case{R"([{"/block": 1}])", R"(/sweep/0/"/block": expected a list of one or more values, got 1)"},
          Case{R"({"block": ["1B"]})",
               R"(/sweep: expected a JSON pointer, which begins with /, got "block"; did you mean "/block"?)"},
          Case{R"({"": [{}]})", R"(/sweep: expected a JSON pointer, which begins with /, got "")"},
          Case{R"({"/a~2": [1]})", R"(/sweep: a ~ in a JSON pointer is written ~0, a / in a key ~1, got "/a~2")"},
          Case{R"({"/blok": ["1B"]})",
               R"(/sweep: "/blok" matches nothing: the scenario has no "blok"; did you mean "block"?)"},
          Case{R"({"/machin/latency": ["1us"]})",
               R"(/sweep: "/machin/latency" matches nothing: the scenario has no "machin"; did you mean "machine"?)"},
          Case{
              R"({"/machine/topology/host": [1]})",
              R"(/sweep: "/machine/topology/host" matches nothing: /machine/topology has no "host"; did you mean "hosts"?)"},
          Case{R"({"/collective/torus/3": [1]})",
               R"(/sweep: "/collective/torus/3" matches nothing: /collective/torus has no "3")"},
          Case{R"({"/collective/torus/-": [1]})",
               R"(/sweep: "/collective/torus/-" matches nothing: /collective/torus has no "-")"},
          Case{R"({"/collective/torus/00": [1]})",
               R"(/sweep: "/collective/torus/00" matches nothing: /collective/torus has no "00")"},
          Case{R"({"/block/unit": ["B"]})", R"(/sweep: "/block/unit" matches nothing: /block has no "unit")"},
          Case{R"({"/sweep": [{}]})", "/sweep: /sweep cannot be swept"},
          Case{R"({"/expect": [[]]})", "/sweep: /expect cannot be swept"},
          Case{R"({"/schema_version": [1]})", "/sweep: /schema_version cannot be swept"},
          Case{R"([{"/block": ["1B"]}, {"/block": ["2B"]}])", R"(/sweep/1/"/block": "/block" is swept twice)"},
          Case{R"([{"/algorithm": ["torus", "straightforward"], "/block": ["1B", "2B", "3B"]}])",
               R"(/sweep/0/"/block": expected 2 values, as many as "/algorithm" has, got 3)"},
          Case{R"({"/algorithm": ["torus", "straightforward"], "/block": ["1B", "2B", "1B"]})",
               "/sweep: points 1 and 3 are equal"},
          Case{R"({"/block": ["1KiB", "1kB", "1024B"]})", "/sweep: points 1 and 3 are equal"},
          Case{R"({"/machine/latency": ["1us", "1000ns"]})", "/sweep: points 1 and 2 are equal"},
          Case{R"({"/machine": [{"topology": {"kind": "ring", "hosts": 24}, "latency": "1us", "bandwidth": "1GBps"},
                                {"topology": {"kind": "ring", "hosts": 24}, "latency": "1us", "bandwidth": "1000MBps"}]})",
               "/sweep: points 1 and 2 are equal"},
          Case{R"({"/machine/topology": [{"kind": "ring", "hosts": 1}, {"kind": "ring", "hosts": 2}],
                    "/machine/topology/hosts": [24]})",
               "/sweep: points 1 and 2 are equal"},
          Case{
              R"([{"/machine/topology": [{"kind": "ring", "hosts": 1}, "file.xml"]}, {"/machine/topology/hosts": [24]}])",
              R"(/sweep: "/machine/topology/hosts" matches nothing at point 2)"},
      }) {
    EXPECT_EQ(refusal([&] { sweep_of(c.sweep); }), "s.json: " + c.message) << c.sweep;
  }
}

TEST(Sweep, what_programs_get_is_equal_only_as_it_is_written) {
  Json document = sample(R"({"sweep": {"/collective/arguments/0": ["1KiB", "1024B"]}})");
  document["collective"] = {{"kind", "program"}, {"source", "p.c"}, {"arguments", {"1KiB"}}};
  EXPECT_EQ(Sweep(document, "s.json").size(), 2U);
  Json const whole = document["collective"];
  document["sweep"] = {{"/collective", {whole, whole}}};
  document["sweep"]["/collective"][1]["arguments"][0] = "1024B";
  EXPECT_EQ(Sweep(document, "s.json").size(), 2U);
  document["sweep"]["/collective"][1] = whole;
  EXPECT_EQ(refusal([&] { Sweep(document, "s.json"); }), "s.json: /sweep: points 1 and 2 are equal");
}

TEST(Sweep, has_a_largest_number_of_points) {
  Json thousand = Json::array();
  for (int i = 0; i < 1000; ++i) thousand.push_back(i);
  Json document = sample();
  document["sweep"] = {{"/seed", thousand}, {"/collective/neighborhood/radius", thousand}, {"/title", {"a", "b"}}};
  EXPECT_EQ(refusal([&] { Sweep(document, "s.json"); }), "s.json: /sweep: expected at most 1000000 points, got more");
}

}  // namespace
}  // namespace rondo::scenario
