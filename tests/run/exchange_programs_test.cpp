// Programs of sparse exchanges as a scenario sees them: checked results, counts held against theory.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using scenario::Json;

scenario::Scenario exchange_scenario(std::string const& collective, std::string const& algorithm,
                                     std::string const& block = "0B") {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us",
                                  "bandwidth": "1GBps"}})");
  document["collective"] = Json::parse(collective);
  document["algorithm"] = algorithm;
  document["block"] = block;
  return scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
}

Record exchange_record(std::string const& collective, std::string const& algorithm, std::string const& block = "0B") {
  return run_point(exchange_scenario(collective, algorithm, block), "s.json", 1, {});
}

TEST(LongExchangePrograms, sets_and_colorings_of_many_graphs_are_right_by_every_protocol) {
  for (char const* graph :
       {R"({"kind": "geometric", "ranks": 40, "degree": 8})", R"({"kind": "moore", "torus": [4, 5], "radius": 1})",
        R"({"kind": "erdos_renyi", "ranks": 23, "density": 0.1})",
        R"({"kind": "edges", "ranks": 5, "edges": [[0, 1], [1, 2], [2, 0], [3, 3]]})",
        R"({"kind": "edges", "ranks": 3, "edges": []})", R"({"kind": "geometric", "ranks": 1, "degree": 3})"}) {
    for (char const* algorithm : {"nbx", "nbx_tagged", "personalized"}) {
      for (char const* kind : {"independent_set", "coloring"}) {
        if (test::thinned > 1 && kind == std::string("coloring") && algorithm != std::string("nbx")) continue;
        Json collective{{"kind", kind}, {"barrier", "tree"}};
        collective["graph"] = Json::parse(graph);
        Record const record = exchange_record(collective.dump(), algorithm, "12B");
        EXPECT_EQ(record.error.value_or(""), "") << kind << " " << algorithm << " " << graph;
        EXPECT_EQ(record.delivered, true);
        EXPECT_EQ(record.violations, 0);
        EXPECT_GT(record.exchange_program.luby_rounds, 0);
        EXPECT_EQ(record.exchange_program.exchanges, 2 * record.exchange_program.luby_rounds.value());
      }
    }
  }
}

TEST(ExchangePrograms, a_triangle_and_two_ranks_beside_it) {
  // 0, 1, 2 are all neighbors of each other: one of them is a member, and each has a color of its own; 3 and 4 have no
  // neighbors: they are members, and have the first color.
  std::string const graph = R"("graph": {"kind": "edges", "ranks": 5, "edges": [[0, 1], [1, 2], [2, 0], [3, 3]]})";
  Record const set = exchange_record(R"({"kind": "independent_set", )" + graph + "}", "nbx");
  EXPECT_EQ(set.exchange_program.members, 3);
  EXPECT_EQ(set.exchange_program.luby_rounds, 1);
  // Two exchanges of 6 messages, 6 acknowledgements and two barriers of 5 * 3 messages; one reduction a round, and one.
  EXPECT_EQ(set.sparse.data_messages, 12);
  EXPECT_EQ(set.exchange_program.reductions, 2);
  // 2(p - 1) each.
  EXPECT_EQ(set.exchange_program.reduction_messages, 16);
  EXPECT_EQ(set.messages, 2 * (6 + 6 + 30) + 16);
  Record const colored = exchange_record(R"({"kind": "coloring", )" + graph + "}", "nbx");
  EXPECT_EQ(colored.exchange_program.colors, 3);
  EXPECT_EQ(colored.exchange_program.luby_rounds, 3);
  EXPECT_EQ(colored.exchange_program.reductions, 3 * (1 + 1 + 1) + 1);
}

TEST(ExchangePrograms, parts_of_many_clouds_are_right_by_every_protocol) {
  for (int const ranks : {1, 2, 7, 16}) {
    for (int const points : {0, 1, 5, 16, 100}) {
      for (char const* cloud : {"uniform", "clustered", "coincident"}) {
        for (char const* algorithm : {"nbx", "nbx_tagged", "personalized"}) {
          if (cloud != std::string("uniform") && algorithm != std::string("nbx")) continue;
          if (test::thinned > 1 && ranks > 7) continue;
          Json const collective{{"kind", "bisection"}, {"ranks", ranks},   {"points", points},
                                {"cloud", cloud},      {"imbalance", 0.5}, {"box", {3, 2, 1}}};
          Record const record = exchange_record(collective.dump(), algorithm, "3B");
          EXPECT_EQ(record.error.value_or(""), "") << algorithm << collective;
          EXPECT_EQ(record.exchange_program.smallest_part, points / ranks);
          EXPECT_EQ(record.exchange_program.largest_part, (points + ranks - 1) / ranks);
        }
      }
    }
  }
}

/// What each rank receives by the integer arithmetic of Listing 3 of [Ibanez15]: the places in its new arrays.
std::vector<std::vector<int>> places_by_listing_3(std::vector<int> const& inside, std::vector<int> const& outside) {
  int const size = static_cast<int>(inside.size()), ranks_in = size / 2, ranks_out = size - ranks_in;
  int const total_in = std::accumulate(inside.begin(), inside.end(), 0);
  int const total_out = std::accumulate(outside.begin(), outside.end(), 0);
  auto const quotient = [&](int rank) { return rank < ranks_in ? total_in / ranks_in : total_out / ranks_out; };
  std::vector<std::vector<int>> places(inside.size());
  int in_index = 0, out_index = 0;  // of the next point, which the listing has from exclusive scans
  auto const receive = [&](int rank, int index) {
    int const before = rank < ranks_in ? rank : rank - ranks_in;
    places[static_cast<std::size_t>(rank)].push_back(index - before * quotient(rank));
  };
  for (int rank = 0; rank < size; ++rank) {
    auto const r = static_cast<std::size_t>(rank);
    for (int i = 0; i < inside[r]; ++i, ++in_index)
      receive(std::min(in_index / quotient(rank), ranks_in - 1), in_index);
    for (int i = 0; i < outside[r]; ++i, ++out_index)
      receive(std::min(out_index / quotient(rank) + ranks_in, size - 1), out_index);
  }
  return places;
}

// Ten points inside, five for each of ranks 0 and 1; four outside, two for each of ranks 2 and 3.
// Item [Ibanez15, Listing 3]: wrong.
TEST(ExchangePrograms, listing_3_divides_by_the_number_of_the_wrong_side) {
  auto const places = places_by_listing_3({4, 4, 1, 1}, {2, 2, 0, 0});
  EXPECT_EQ(places[2], (std::vector<int>{0, 1, 2, 3})) << "two of them past the two points of rank 2";
  EXPECT_TRUE(places[3].empty()) << "which waits for two";
  // Where both sides have as many points a rank, it is right.
  EXPECT_EQ(places_by_listing_3({2, 0, 1, 1}, {0, 2, 1, 1}), (std::vector<std::vector<int>>(4, {0, 1})));
}

TEST(ExchangePrograms, sixteen_ranks_are_halved_four_times) {
  Record const record = exchange_record(R"({"kind": "bisection", "ranks": 16, "points": 1600})", "nbx");
  EXPECT_EQ(record.exchange_program.levels, 4);
  EXPECT_EQ(record.exchange_program.exchanges, 4);
  // Two barriers of n * log2(n) messages for each of 16 / n sets of n = 16, 8, 4, 2 ranks: 2 * 16 * (4 + 3 + 2 + 1).
  EXPECT_EQ(record.sparse.barrier_messages, 320);
}

TEST(LongExchangePrograms, the_protocol_changes_times_and_no_results) {
  std::string const mesh = R"({"kind": "coloring", "graph": {"kind": "geometric", "ranks": 48, "degree": 10}})";
  std::string const cloud = R"({"kind": "bisection", "ranks": 12, "points": 777, "cloud": "clustered"})";
  Record const by_consensus = exchange_record(mesh, "nbx"), by_counting = exchange_record(mesh, "personalized");
  EXPECT_EQ(by_consensus.exchange_program.colors, by_counting.exchange_program.colors);
  EXPECT_EQ(by_consensus.exchange_program.luby_rounds, by_counting.exchange_program.luby_rounds);
  EXPECT_NE(by_consensus.time_s, by_counting.time_s);
  EXPECT_EQ(exchange_record(cloud, "nbx").sparse.data_messages,
            exchange_record(cloud, "personalized").sparse.data_messages);
}

TEST(LongExchangePrograms, give_the_same_record_again) {
  std::string const mesh = R"({"kind": "coloring", "graph": {"kind": "geometric", "ranks": 30, "degree": 9}})";
  EXPECT_EQ(exchange_record(mesh, "nbx").time_s, exchange_record(mesh, "nbx").time_s);
}

TEST(ExchangePrograms, take_the_same_time_whatever_a_probe_costs_where_messages_travel_in_parts) {
  // Each rank holds 30 points of 200 KiB; about half of them go to the other rank, and from 1 MiB on, which 6 points
  // make, in two parts.
  auto const time = [](char const* poll, char const* completion) {
    Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us",
        "bandwidth": "1GBps"}, "collective": {"kind": "bisection", "ranks": 2, "points": 60}, "algorithm": "nbx",
        "block": "200KiB"})");
    document["machine"]["poll"] = poll;
    document["collective"]["completion"] = completion;
    Record const record = run_point(scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json"), "s.json", 1, {});
    EXPECT_EQ(record.error.value_or(""), "");
    // More messages than the two that would go if they travelled whole.
    EXPECT_EQ(record.sparse.data_messages, completion == std::string("wait") ? 4 : 2);
    return record.time_s.value_or(0);
  };
  EXPECT_EQ(time("10ns", "wait"), time("100us", "wait"));
  EXPECT_LT(time("10ns", "poll"), time("100us", "poll"));
}

TEST(ExchangePrograms, have_no_schedule) {
  auto const scenario = exchange_scenario(R"({"kind": "bisection", "ranks": 4, "points": 9})", "nbx");
  try {
    schedule_plan(plan_of(scenario, "s.json"), "s.json");
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_STREQ(refused.what(),
                 "s.json: expected a point with a schedule, this one is an MPI program; show --format html and export "
                 "--format trace show its run");
  }
}

}  // namespace
}  // namespace rondo
