#include <gtest/gtest.h>

#include <string>

#include "sample.hpp"

namespace rondo::scenario {
namespace {

std::string set(std::string const& assignment, std::string const& patch = "{}") {
  Json document = sample(patch);
  return refusal([&] { apply_set(document, assignment); });
}

TEST(Set, takes_json_and_else_a_string) {
  Json document = sample();
  apply_set(document, "/block=1KiB");
  apply_set(document, "/collective/torus=[2, 12]");
  apply_set(document, "/collective/torus/0=2");
  apply_set(document, "/title=\"3\"");
  apply_set(document, "/source=a = b");
  apply_set(document, "/machine/ports=2");
  apply_set(document, "/payload=");
  EXPECT_EQ(document, sample(R"({"block": "1KiB", "collective": {"torus": [2, 12]}, "title": "3", "source": "a = b",
                                 "machine": {"ports": 2}, "payload": ""})"));
}

TEST(Set, reaches_the_sweep_before_it_is_expanded) {
  Json document = sample(R"({"sweep": {"/block": ["1B", "2B"]}})");
  apply_set(document, R"(/sweep/~1block=["3B"])");
  Sweep const sweep(document, "s.json");
  EXPECT_EQ(sweep.size(), 1u);
  EXPECT_EQ(sweep[0].expanded["block"], "3B");
}

TEST(Set, refusals) {
  EXPECT_EQ(set("block"), R"(--set: expected /pointer=value, got "block")");
  EXPECT_EQ(set("=1"), R"(--set: expected /pointer=value, got "=1")");
  EXPECT_EQ(set("block=1B"),
            R"(--set: expected a JSON pointer, which begins with /, got "block"; did you mean "/block"?)");
  EXPECT_EQ(set("/blok=1B"), R"(--set: "/blok" matches nothing: the scenario has no "blok"; did you mean "block"?)");
  EXPECT_EQ(set("/machine/topology/kin=ring"),
            R"(--set: "/machine/topology/kin" matches nothing: /machine/topology has no "kin"; did you mean "kind"?)");
  EXPECT_EQ(set("/seed=9223372036854775808"), "--set: expected a number below 2^63, got 9223372036854775808");
  EXPECT_EQ(set("/title=\xff"), R"(--set: expected UTF-8 text, got "\xff")");
  EXPECT_EQ(
      set("/machine=/nowhere.json"),
      "--set: /machine: expected an object, or the name of a file that holds one, got \"/nowhere.json\": no such file");
}

TEST(Set, a_swept_value_is_not_overwritten_silently) {
  EXPECT_EQ(set("/block=1B", R"({"sweep": {"/block": ["2B"]}})"),
            "--set: /block: it is swept; set its values instead: /sweep/~1block=[...]");
  EXPECT_EQ(set("/block=1B", R"({"sweep": [{"/seed": [1]}, {"/block": ["2B"]}]})"),
            "--set: /block: it is swept; set its values instead: /sweep/1/~1block=[...]");
}

}  // namespace
}  // namespace rondo::scenario
