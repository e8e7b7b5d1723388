// Upper bounds of optima: no answer is worse than a schedule that Rondo generates.

#include "run/points/optimum.hpp"

#include <map>

#include "families.hpp"
#include "run/points/job.hpp"

namespace rondo::testing {
namespace {

/// The first answer after so many looks at the clock, which end the search for a formula early.
OptimumLine first_of(scenario::Scenario const& scenario, OptimumOptions options = {}, int looks = 100) {
  options.stop = [&, count = 0]() mutable { return std::string(++count > looks ? "timeout" : ""); };
  std::optional<OptimumLine> first;
  optimum_of(scenario, "s.json", options, [&](OptimumLine const& line) {
    if (!first) first = line;
  });
  return *first;
}

struct Asked {
  char const* name;
  Given given;
  std::string algorithm;
  int at_most;  ///< of a schedule that is known from elsewhere
};

std::vector<Asked> const questions = {
    // [Kang19]: an allgather of 5 blocks in 3 rounds, and a broadcast of them to a receiver of each sender.
    {"groups",
     {.collective = R"({"kind": "intergroup_allgather", "senders": 5, "receivers": 5})"},
     "root_gathering",
     4},
    // [Traeff16]: a round for each hop of each dimension and direction.
    {"stencil",
     {.topology = R"({"kind": "torus", "dims": [4, 4]})",
      .collective = R"({"kind": "isomorphic_alltoall", "torus": [4, 4], "neighborhood": {"kind": "moore",
                        "radius": 1}})",
      .more = R"({"machine": {"neighbors_only": true}})"},
     "torus",
     4},
    {"basis",
     {.topology = R"({"kind": "fully_connected", "hosts": 27})",
      .collective = R"({"kind": "isomorphic_allgather", "torus": [3, 3, 3], "neighborhood": {"kind": "moore",
                        "radius": 1}})"},
     "torus",
     6},
    // Rounds of 4 times as many blocks on 3 ports.
    {"ports",
     {.collective = R"({"kind": "allgather", "ranks": 16})", .more = R"({"machine": {"ports": 3}})"},
     "ring",
     2},
    {"reduce", {.collective = R"({"kind": "reduce", "ranks": 21, "root": 3})"}, "linear", 5},
    {"reduce_scatter", {.collective = R"({"kind": "reduce_scatter", "ranks": 24})"}, "ring", 5},
    // A pipeline of 4 segments along a chain of 6 ranks takes 8 rounds; double_tree is better.
    {"segments",
     {.collective = R"({"kind": "bcast", "ranks": 6, "segment": "16B"})", .more = R"({"block": "64B"})"},
     "pipeline",
     8},
    {"graph",
     {.collective = R"({"kind": "neighbor_allgather", "graph": {"kind": "moore", "torus": [4, 5], "radius": 1}})"},
     "naive",
     8},
};

std::map<std::string, int> rounds_by_algorithm(Asked const& asked) {
  scenario::Scenario const point = parsed(asked.given, asked.algorithm);
  scenario::Point again;
  again.expanded = point.expanded;
  std::map<std::string, int> rounds;
  for (scenario::Scenario const& each : with_all_algorithms(again, "s.json")) {
    std::string const word = problem::algorithm(each.problem);
    if (word == "forest") continue;
    try {
      SchedulePlan const plan = schedule_plan(plan_of(each, "s.json"), "s.json");
      MachineLimits const allowed = machine_limits(each.machine, plan.schedule);
      bool const fits = plan.schedule.promises.ports > 0 && plan.schedule.promises.ports <= each.machine.ports;
      if (fits && verify(plan.schedule, plan.collective, allowed).valid()) rounds[word] = plan.schedule.rounds();
    } catch (InputError const&) {
      // The generator refuses the problem.
    }
  }
  return rounds;
}

TEST(OptimumOf, is_no_worse_than_any_algorithm) {
  for (Asked const& asked : questions) {
    OptimumLine const line = first_of(parsed(asked.given, asked.algorithm));
    ASSERT_TRUE(line.at_most) << asked.name;
    EXPECT_LE(line.at_least, *line.at_most) << asked.name;
    EXPECT_LE(*line.at_most, asked.at_most) << asked.name;
    auto const known = rounds_by_algorithm(asked);
    EXPECT_EQ(known.empty(), asked.algorithm == "naive") << asked.name << ": it posts all messages at once";
    for (auto const& [word, rounds] : known) EXPECT_LE(*line.at_most, rounds) << asked.name << " by " << word;
  }
}

/// Algorithms cut vectors and blocks in pieces of their own, which the question knows nothing of.
TEST(OptimumOf, does_not_depend_on_the_algorithm) {
  Given const bcast{.collective = R"({"kind": "bcast", "ranks": 9})"};
  Given const scatter{.collective = R"({"kind": "reduce_scatter", "ranks": 6})", .more = R"({"block": "1MiB"})"};
  auto const is_same = [](OptimumLine const& a, OptimumLine const& b) {
    EXPECT_EQ(optimum_json(a), optimum_json(b));
    EXPECT_LT(a.critical_blocks, 9);
  };
  is_same(first_of(parsed(bcast, "linear")), first_of(parsed(bcast, "scatter_allgather")));
  is_same(first_of(parsed(scatter, "ring")), first_of(parsed(scatter, "forest")));
}

TEST(OptimumOf, cuts_and_divides_the_messages_of_algorithms_as_is_asked) {
  scenario::Scenario const groups = parsed(questions[0].given, "root_gathering");
  // A receiver gets 5 blocks, one in a round. In the last round of group_allgather messages of 5 blocks pass.
  OptimumLine const small = first_of(groups, {.message_blocks = 1});
  EXPECT_GE(small.at_least, 5);
  EXPECT_LE(*small.at_most, 8);
  OptimumLine const long_enough = first_of(groups, {.rounds = 50});
  EXPECT_EQ(long_enough.of, "critical_blocks") << "more rounds than blocks are an answer, too";
  EXPECT_EQ(long_enough.at_least, 5);
  OptimumLine const cut = first_of(groups, {.pieces = 3});
  EXPECT_EQ(cut.at_most, 4) << "pieces travel together";
}

}  // namespace
}  // namespace rondo::testing
