// What tune tries of collectives put together from others: that bounds exclude none that could win, and that the search
// finds the best of all.

#include "run/points/compositions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "compositions.hpp"
#include "run/points/composition_search.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// On hosts of several ranks, between which a message takes 1 us and a byte 0.1 ns.
Json on_several_hosts(int hosts, int ranks_of_a_host, std::string const& kind, int ranks) {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected"}, "latency": "1us",
    "bandwidth": "10GBps", "intra_latency": "200ns", "intra_bandwidth": "40GBps"}, "algorithm": "linear",
    "block": "1B", "engine": "native"})");
  document["machine"]["topology"]["hosts"] = hosts;
  document["machine"]["ranks_per_host"] = ranks_of_a_host;
  document["collective"] = {{"kind", kind}, {"ranks", ranks}};
  // Any that the collective has will do: it is not looked at.
  if (kind == "reduce_scatter") document["algorithm"] = "pairwise";
  return document;
}

scenario::Scenario composed_scenario(Json const& document) {
  scenario::Point point;
  point.expanded = document;
  return scenario::parse(point, "s.json");
}

Simulations simulations_of_all(Json const& document, std::vector<Composition> const& compositions) {
  std::vector<Candidate> candidates;
  for (Composition const& each : compositions) {
    candidates.push_back(candidate_of(key_of(each.problem), each.problem));
  }
  PointOptions options;
  options.proof = Proof::off;
  return {document, "s.json", candidates, options, 1};
}

/// Hosts, ranks, roots, ports, NICs, placements, timing and sizes of any kind.
Json random_composed_document(Random& random) {
  auto const number = [&](int least, int most) { return static_cast<int>(random.between(least, most)); };
  int const hosts = number(2, 5), each = number(2, 4);
  ClassicalCollective const collective = test::composed_collectives[random.below(9)];
  std::string const kind = enum_name(problem::kind_of(collective));
  int const ranks = random.below(3) == 0 ? number(each + 1, hosts * each) : hosts * each;
  Json document = on_several_hosts(hosts, each, kind, ranks);
  Json& machine = document["machine"];
  machine["ports"] = number(1, 2);
  machine["placement"] = random.below(2) == 0 ? "block" : "cyclic";
  if (random.below(3) == 0) machine["nics"] = each;
  if (random.below(4) == 0) machine["envelope"] = "16B";
  if (random.below(3) == 0) {
    machine["timing"] = "flow";
    machine["flow"] = {{"o_send", "150ns"}, {"o_recv", "100ns"}, {"eager", "1KiB"}};
  }
  if (has_root(collective)) document["collective"]["root"] = number(0, ranks - 1);
  document["block"] = collective == ClassicalCollective::barrier ? "0B" : fmt::format("{}B", number(1, 1 << 14));
  return document;
}

void expect_sound_bounds(int machines, std::uint64_t seed) {
  Random random(seed);
  int looked_at = 0;
  for (int i = 0; i < machines; ++i) {
    Json const document = random_composed_document(random);
    scenario::Scenario const scenario = composed_scenario(document);
    if (!has_compositions(scenario)) continue;
    Compositions const all(scenario, {Bytes(0), Bytes(1000)});
    std::vector<Composition> some =
        all.below(random.below(3) == 0 ? Segmented::yes : Segmented::no, Seconds(1), {}, 20000);
    if (some.empty()) continue;
    // The lowest ones, and any.
    for (std::size_t k = 5; k < some.size() && k < 12; ++k) std::swap(some[k], some[k + random.below(some.size() - k)]);
    if (some.size() > 12) some.erase(some.begin() + 12, some.end());
    Simulations simulations = simulations_of_all(document, some);
    for (Composition const& each : some) {
      std::string const name = key_of(each.problem);
      Seconds const time = simulations.time(name, scenario.block);
      ASSERT_LE(each.least.value, time.value * (1 + 1e-9)) << document << "\n" << name;
      ++looked_at;
    }
  }
  EXPECT_GT(looked_at, machines);
}

TEST(Compositions, take_no_less_than_their_bounds_on_forty_random_machines) { expect_sound_bounds(40, 57); }

TEST(LongCompositions, take_no_less_than_their_bounds_on_a_thousand_random_machines) { expect_sound_bounds(1000, 576); }

/// All compositions without segments, alike or not.
std::vector<Composition> all_compositions_of(problem::Classical problem) {
  std::vector<Composition> all;
  for (auto const& form : problem::composition_forms(problem, {{1, 2}, {Bytes(0)}})) {
    std::vector<std::vector<problem::ClassicalAlgorithm>> chosen{{}};
    for (auto const& choice : form.choices) {
      std::vector<std::vector<problem::ClassicalAlgorithm>> longer;
      for (auto const& so_far : chosen) {
        for (auto const algorithm : choice.algorithms) {
          longer.push_back(so_far);
          longer.back().push_back(algorithm);
        }
      }
      chosen = std::move(longer);
    }
    for (auto const& each : chosen) all.push_back({form.with(each), Seconds(0)});
  }
  return all;
}

TEST(Compositions, that_the_search_finds_are_the_best_of_all) {
  for (std::string const block : {"20KiB", "64B"}) {
    if (block == "64B" && !test::whole) continue;
    Json document = on_several_hosts(4, 2, "reduce", 8);
    document["block"] = block;
    scenario::Scenario const scenario = composed_scenario(document);
    auto problem = std::get<problem::Classical>(scenario.problem);
    problem.hierarchy.group_of = {0, 0, 1, 1, 2, 2, 3, 3};
    std::vector<Composition> const all = all_compositions_of(problem);
    ASSERT_GT(all.size(), 1000u);
    Simulations simulations = simulations_of_all(document, all);
    Seconds best(1);
    for (Composition const& each : all) {
      best = std::min(best, simulations.time(key_of(each.problem), scenario.block));
    }
    TuneOptions options;
    options.algorithms = {"hierarchical"};
    options.sizes = {.from = scenario.block, .to = scenario.block};
    Decisions const found = tune({"s.json", scenario::Sweep(document, "s.json"), {}}, options).at(0);
    ASSERT_EQ(found.choices.size(), 1u);
    EXPECT_NEAR(found.choices[0].time_at_from.value / best.value, 1, 1e-9) << block;
    // Less than a twentieth of them was simulated.
    EXPECT_LT(found.tally->simulated, all.size() / 20) << block;
    EXPECT_TRUE(found.tally->cut_short.empty()) << block;
  }
}

TEST(Compositions, are_tuned_beside_flat_algorithms_and_name_their_variables) {
  TuneOptions options;
  options.sizes = {.from = Bytes(4096), .to = Bytes(4096)};
  Decisions const found =
      tune({"s.json", scenario::Sweep(on_several_hosts(8, 4, "allreduce", 32), "s.json"), {}}, options).at(0);
  // Of flat recursive doubling, 3 rounds have 4 messages of 4 KiB over each NIC, 2 us each and more: 3 * 2.6 us at
  // least. With a quarter of the vector for each rank of a host these are 3 * 1.4 us, and 4 rounds of 250 ns within the
  // host.
  ASSERT_EQ(found.compositions.size(), 1u);
  EXPECT_EQ(found.choices.at(0).algorithm, "hierarchical#1");
  ASSERT_TRUE(found.choices[0].flat_at_from.has_value());
  EXPECT_GT(found.choices[0].flat_at_from->time, found.choices[0].time_at_from);
  auto const variables = variables_of(found.compositions[0].problem);
  EXPECT_EQ(variables.at(0), (std::pair<std::string, std::string>("RONDO_ALLREDUCE_ALGORITHM", "hierarchical")));
  EXPECT_EQ(variables.at(1).first, "RONDO_ALLREDUCE_INTRA");
  EXPECT_EQ(variables.at(2).first, "RONDO_ALLREDUCE_INTER");
  EXPECT_EQ(variables.at(3).first, "RONDO_ALLREDUCE_LANES");
}

TEST(Compositions, are_not_searched_where_hosts_have_one_rank_or_a_hierarchy_is_stated) {
  TuneOptions options;
  options.sizes = {.from = Bytes(64), .to = Bytes(64)};
  Json stated = on_several_hosts(4, 2, "allreduce", 8);
  stated["collective"]["hierarchy"] = Json::parse(R"({"groups": "host", "intra": "linear", "inter": "ring"})");
  stated["algorithm"] = "hierarchical";
  for (Json const& document : {on_several_hosts(8, 1, "allreduce", 8), on_several_hosts(8, 2, "scan", 16), stated}) {
    Decisions const found = tune({"s.json", scenario::Sweep(document, "s.json"), {}}, options).at(0);
    EXPECT_FALSE(found.tally.has_value());
    EXPECT_TRUE(found.compositions.empty());
    bool const named = std::count(found.algorithms.begin(), found.algorithms.end(), "hierarchical") == 1;
    EXPECT_EQ(named, document == stated);
  }
  options.algorithms = {"hierarchical"};
  EXPECT_THROW(tune({"s.json", scenario::Sweep(on_several_hosts(8, 1, "allreduce", 8), "s.json"), {}}, options),
               InputError);
}

TEST(Compositions, say_what_each_level_does) {
  problem::Classical composition{ClassicalCollective::allreduce, 16, Bytes(1), "hierarchical"};
  problem::Hierarchy& hierarchy = composition.hierarchy;
  hierarchy.levels.resize(2);
  hierarchy.levels[0].exceptions = {{ClassicalCollective::reduce, problem::ClassicalAlgorithm("binomial")},
                                    {ClassicalCollective::bcast, problem::ClassicalAlgorithm("chain")}};
  hierarchy.levels[1].exceptions = {{ClassicalCollective::allreduce, problem::ClassicalAlgorithm("ring")}};
  hierarchy.segment = Bytes(8192);
  EXPECT_EQ(composition_text(composition),
            "in a host: reduce by binomial, bcast by chain; between hosts: allreduce by ring; by leaders; segments of "
            "8KiB");
  hierarchy.lanes = 0;
  std::vector<std::pair<std::string, std::string>> const expected{
      {"RONDO_ALLREDUCE_ALGORITHM", "hierarchical"},
      {"RONDO_ALLREDUCE_INTRA", "reduce:binomial,bcast:chain"},
      {"RONDO_ALLREDUCE_INTER", "ring"},
      {"RONDO_ALLREDUCE_LANES", "all"},
      {"RONDO_ALLREDUCE_SEGMENT", "8KiB"}};
  EXPECT_EQ(variables_of(composition), expected);
  problem::Classical rings{ClassicalCollective::allreduce, 16, Bytes(1), "ring"};
  rings.rings = 4;
  EXPECT_EQ(composition_text(rings), "allreduce by ring, 4 at once, each with a part of the data");
  EXPECT_TRUE(variables_of(rings).empty());
}

// Each of two hosts has a NIC for each of its four ranks: four rings take a quarter of the time of one.
TEST(Compositions, have_as_many_rings_as_a_host_has_nics) {
  Json document = on_several_hosts(2, 4, "allreduce", 8);
  document["machine"].update(Json{{"nics", 4}, {"ports", 4}});
  document["block"] = "16MiB";
  scenario::Scenario const scenario = composed_scenario(document);
  Compositions const all(scenario, {Bytes(0)});
  std::vector<Composition> const some = all.below(Segmented::no, Seconds(1), {}, 100000);
  auto const rings =
      std::find_if(some.begin(), some.end(), [](Composition const& each) { return each.problem.algorithm == "ring"; });
  ASSERT_NE(rings, some.end());
  EXPECT_EQ(rings->problem.rings, 4);
  Simulations simulations = simulations_of_all(document, {*rings});
  double const expected = 14 * (1e-6 + (1 << 24) / 32.0 / 10e9);
  EXPECT_NEAR(simulations.time(key_of(rings->problem), scenario.block).value, expected, 1e-9 * expected);
  EXPECT_LE(rings->least.value, expected * (1 + 1e-9));
}

}  // namespace
}  // namespace rondo
