// Bounds by the rounds that a search has proved necessary.

#include "families.hpp"
#include "folder.hpp"
#include "run/points/optimum.hpp"

namespace rondo::testing {
namespace {

/// Every rank of a ring sends a block to both ranks at a distance; only neighbors may talk.
Given on_ring(int ranks, int distance, std::string const& more = "{}") {
  Json all = {{"machine", {{"neighbors_only", true}}}, {"block", "1KiB"}};
  all.merge_patch(Json::parse(more));
  Json const collective = {{"kind", "isomorphic_alltoall"},
                           {"torus", {ranks}},
                           {"neighborhood", {{"kind", "offsets"}, {"offsets", {{distance}, {-distance}}}}}};
  Json const ring = {{"kind", "ring"}, {"hosts", ranks}};
  return {ring.dump(), collective.dump(), all.dump()};
}

struct Proved {
  char const* name;
  Given given;
  char const* algorithm;
  int rounds;
  double seconds;
  char const* by;
};

// A message of 1 KiB takes 1 us + 1024 B / 1 GB/s.
constexpr double message = 2.024e-6;

std::vector<Proved> const proved = {
    // docs/optima.md shows by hand that 2 rounds are not enough. Theory knows that, too.
    {"ring of 5", on_ring(5, 2), "torus", 3, 3 * message, "rounds"},
    // The optimum of SAT solvers of other authors (tests/certificates/optimum_tampered.py). Theory says 4.
    {"ring of 9", on_ring(9, 3), "torus", 5, 5 * message, "optimum"},
    {"unit links", on_ring(9, 3, R"({"machine": {"neighbors_only": false}})"), "torus", 5, 5 * message, "optimum"},
    {"any links", on_ring(9, 3, R"({"machine": {"neighbors_only": false}})"), "straightforward", 2, 2 * message,
     "rounds"},
    // On 2 ports a block leaves in both directions in each round.
    {"two ports", on_ring(9, 3, R"({"machine": {"ports": 2}})"), "torus", 3, 3 * message, "rounds"},
    // With large blocks the 6 that each rank sends count.
    {"large blocks", on_ring(9, 3, R"({"block": "1MiB"})"), "torus", 5, 1e-6 + 6 * 1048576 / 1e9, "volume"},
    // In 4 rounds the vectors of both ends of a line would move in each of them, and come to the rank in the middle in
    // one round, which receives one message.
    {"line",
     {R"({"kind": "mesh", "dims": [5]})", R"({"kind": "allreduce", "ranks": 5})",
      R"({"machine": {"neighbors_only": true}, "block": "8B"})"},
     "ring",
     5,
     5e-6,
     "optimum"},
};

TEST(RoundsBound, is_what_a_search_has_proved) {
  for (Proved const& each : proved) {
    Record const record = record_of(each.given, each.algorithm);
    EXPECT_EQ(record.bound.rounds, each.rounds) << each.name;
    EXPECT_NEAR(record.bound.time_s.value_or(0), each.seconds, 1e-12) << each.name;
    EXPECT_EQ(record.bound.time_by, each.by) << each.name;
    EXPECT_FALSE(record.bound_cut) << each.name;
  }
}

/// A schedule that a search has found is as good as the bound by a search.
TEST(RoundsBound, is_reached_by_the_schedule_of_an_optimum) {
  test::Folder const folder;
  Given const given = on_ring(5, 2, R"({"block": "8B"})");
  std::string schedule = optimum_of(parsed(given, "torus"), "s.json", {}, [](OptimumLine const&) {}).schedule;
  Json custom = {{"kind", "custom"}, {"schedule", folder.write("best.json", schedule)}};
  Record const record = record_of({given.topology, custom.dump(), given.more}, "custom");
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.bound.rounds, 3);
  EXPECT_EQ(record.optimal, "rounds");
  // Two messages have one block, the largest of the other round two.
  EXPECT_NEAR(record.bound.time_s.value_or(0), 3 * 1.008e-6, 1e-12);
  EXPECT_EQ(record.bound.time_by, "optimum");
  EXPECT_GE(record.time_s, record.bound.time_s);
  EXPECT_LE(record.time_s, record.bound.time_s.value_or(0) + 3 * 8e-9);
}

TEST(RoundsBound, knows_nothing_of_other_timings_and_of_large_problems) {
  EXPECT_EQ(record_of(on_ring(5, 2, R"({"machine": {"timing": "flow"}})"), "torus").bound.time_by, "lengths");
  // A ring of 33 ranks is not searched.
  EXPECT_EQ(record_of(on_ring(33, 2), "torus").bound.time_by, "rounds");
}

}  // namespace
}  // namespace rondo::testing
