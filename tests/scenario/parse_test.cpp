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
                "neighbors_only": true, "envelope": "16B", "poll": "2us", "timing": "linear"}})");
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
  EXPECT_EQ(scenario.machine.poll, 2_us);
  EXPECT_EQ(std::get<TorusMachine>(scenario.machine.topology).torus, Torus({6, 4}));
  EXPECT_EQ(kind(scenario.problem), problem::Kind::isomorphic_alltoall);
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
  EXPECT_EQ(scenario.machine.poll, 100_ns);
  EXPECT_EQ(scenario.machine.timing, TimingModel::linear);
  auto const& problem = std::get<problem::Isomorphic>(scenario.problem);
  EXPECT_EQ(problem.dimension_order.rule, problem::OrderRule::given);
  EXPECT_FALSE(problem.shortest_wrap);
  EXPECT_TRUE(!problem.sizes.differ() && problem.sizes.expression.empty());
}

TEST(Parse, takes_the_dimension_of_a_neighborhood_from_the_torus) {
  auto const neighborhood = [](std::string const& text) {
    Json scenario = sample();
    scenario["collective"]["neighborhood"] = Json::parse(text);
    return std::get<problem::Isomorphic>(parse(Sweep(scenario, "s.json")[0], "s.json").problem).neighborhood;
  };
  EXPECT_EQ(neighborhood(R"({"kind": "moore", "radius": 2})"), moore(3, 2));
  EXPECT_EQ(neighborhood(R"({"kind": "von_neumann", "radius": 2})"), von_neumann(3, 2));
  EXPECT_EQ(neighborhood(R"({"kind": "octant", "radius": 3})"), octant(3, 3));
  EXPECT_EQ(neighborhood(R"({"kind": "shales", "radii": [3, 7]})"), shales(3, {3, 7}));
  EXPECT_EQ(neighborhood(R"({"kind": "offsets", "offsets": [[1, -2, 3], [0, 0, 0]]})"),
            Neighborhood(3, {{1, -2, 3}, {0, 0, 0}}));
  EXPECT_EQ(neighborhood(R"({"kind": "offsets", "offsets": []})"), Neighborhood(3, {}));
}

TEST(Parse, gives_the_options_of_isomorphic_collectives) {
  auto const alltoall = [](std::string const& patch) { return std::get<problem::Isomorphic>(parsed(patch).problem); };
  using enum problem::OrderRule;
  EXPECT_EQ(alltoall(R"({"collective": {"dimension_order": "best"}})").dimension_order.rule, best);
  EXPECT_EQ(alltoall(R"({"collective": {"dimension_order": "paper"}})").dimension_order.rule, paper);
  problem::DimensionOrder const order = alltoall(R"({"collective": {"dimension_order": [2, 0, 1]}})").dimension_order;
  EXPECT_EQ(order.rule, stated);
  EXPECT_EQ(order.stated, (std::vector<int>{2, 0, 1}));
  EXPECT_TRUE(alltoall(R"({"collective": {"shortest_wrap": true}})").shortest_wrap);
  EXPECT_EQ(alltoall(R"json({"collective": {"block_sizes": "m^(d-l1)"}})json").sizes.expression, "m^(d-l1)");
  EXPECT_EQ(
      alltoall(
          R"({"collective": {"neighborhood": {"kind": "offsets", "radius": null, "offsets": [[1, 0, 0], [0, 1, 0]]},
                                        "block_sizes": ["1B", "1KiB"]}})")
          .sizes.each,
      (std::vector<Bytes>{1_B, 1_KiB}));
  Scenario const allgather = parsed(R"({"collective": {"kind": "isomorphic_allgather"}, "algorithm": "steiner"})");
  EXPECT_EQ(kind(allgather.problem), problem::Kind::isomorphic_allgather);
  EXPECT_EQ(algorithm(allgather.problem), "steiner");
  EXPECT_EQ(ranks(allgather.problem), 24);
}

TEST(Parse, gives_the_groups_of_an_intergroup_allgather) {
  std::string const groups = R"("collective": {"kind": "intergroup_allgather", "torus": null, "neighborhood": null)";
  auto const intergroup = [&](std::string const& more, std::string const& word) {
    return parsed("{" + groups + more + R"(}, "algorithm": ")" + word + R"("})");
  };
  Scenario const scenario = intergroup(R"(, "senders": 5, "receivers": 7)", "group_allgather");
  auto const& problem = std::get<problem::Intergroup>(scenario.problem);
  EXPECT_EQ(problem.groups, Groups(5, 7));
  EXPECT_EQ(problem.allgather, problem::IntraAllgather::bruck);
  EXPECT_EQ(problem.broadcast, problem::Broadcast::binomial);
  EXPECT_EQ(problem.reading, problem::Reading::repaired);
  EXPECT_EQ(ranks(scenario.problem), 12);  // on a machine of 24 hosts
  Scenario const other =
      intergroup(R"(, "senders": 1, "receivers": 1, "allgather": "ring", "broadcast": "scatter_ring_allgather")",
                 "root_gathering");
  EXPECT_EQ(std::get<problem::Intergroup>(other.problem).allgather, problem::IntraAllgather::ring);
  EXPECT_EQ(std::get<problem::Intergroup>(other.problem).broadcast, problem::Broadcast::scatter_ring_allgather);
  auto const torus = std::get<problem::Intergroup>(
      intergroup(R"(, "senders": 4, "receivers": 8, "torus": [3, 2, 2])", "torus_rings").problem);
  EXPECT_EQ(torus.torus, Torus({3, 2, 2}));
  EXPECT_EQ(torus.collective, IntergroupCollective::allgather);
}

TEST(Parse, refuses_printed_where_the_paper_prints_nothing) {
  std::string const groups =
      R"({"collective": {"kind": "intergroup_allgather", "torus": null, "neighborhood": null, "senders": 2, "receivers": 4)";
  auto const refusal = [&](std::string const& more, std::string const& word) {
    try {
      parsed(groups + more + R"(}, "algorithm": ")" + word + R"("})");
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  std::string const printed =
      "s.json: /collective/printed: expected false but for ring_sequences, the algorithm that the paper prints, got "
      "true";
  EXPECT_EQ(refusal(R"(, "printed": true)", "ring_optimal"), printed);
  EXPECT_EQ(refusal(R"(, "printed": true)", "group_allgather"), printed);
}

TEST(Parse, gives_the_graph_of_a_neighbor_collective) {
  auto const pattern = [](std::string const& more) {
    return std::get<problem::Neighbor>(
        parsed(R"({"algorithm": "common_neighbors", "collective": {"kind": "neighbor_allgather", "torus": null,
                          "neighborhood": null, )" +
               more + "}}")
            .problem);
  };
  problem::Neighbor const random = pattern(R"("graph": {"kind": "erdos_renyi", "ranks": 20, "density": 0.25})");
  EXPECT_EQ(std::get<problem::RandomGraph>(random.graph).ranks, 20);
  EXPECT_EQ(std::get<problem::RandomGraph>(random.graph).density, 0.25);
  EXPECT_EQ(random.algorithm, problem::NeighborAlgorithm::common_neighbors);
  EXPECT_EQ(random.options.theta, 4);
  EXPECT_EQ(random.options.tie, problem::FriendTie::highest);
  EXPECT_EQ(random.options.suitors, problem::Suitors::literal);
  EXPECT_EQ(random.options.half, problem::Half::floor);
  EXPECT_EQ(random.options.combining, problem::Combining::single);
  problem::Neighbor const moore = pattern(R"("graph": {"kind": "moore", "torus": [4, 5], "radius": 1}, "theta": 2,
                                           "tie": "lowest", "suitors": "active", "half": "ceil", "cumulative": true)");
  EXPECT_EQ(ranks(moore.graph), 20);
  EXPECT_EQ(moore.options.theta, 2);
  EXPECT_EQ(moore.options.tie, problem::FriendTie::lowest);
  EXPECT_EQ(moore.options.suitors, problem::Suitors::active);
  EXPECT_EQ(moore.options.half, problem::Half::ceil);
  EXPECT_EQ(moore.options.combining, problem::Combining::cumulative);
  problem::Neighbor const edges = pattern(R"("graph": {"kind": "edges", "ranks": 3, "edges": [[0, 1], [2, 2]]})");
  EXPECT_EQ(std::get<WeightedGraph>(edges.graph).graph,
            ProcessGraph(3, std::vector<Edge>{{Rank(0), Rank(1)}, {Rank(2), Rank(2)}}));
}

TEST(Parse, gives_a_mesh) {
  Scenario const scenario =
      parsed(R"({"machine": {"topology": {"kind": "mesh", "hosts": null, "dims": [6, 4]}, "neighbors_only": true}})");
  EXPECT_EQ(std::get<MeshMachine>(scenario.machine.topology).grid, Torus({6, 4}));
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
