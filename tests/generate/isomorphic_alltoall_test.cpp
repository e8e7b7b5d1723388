#include <gtest/gtest.h>

#include <numeric>

#include "base/random.hpp"
#include "generate/generate.hpp"
#include "reference.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "theory/theory.hpp"

namespace rondo {
namespace {

constexpr Bytes block{8};

std::vector<int> given_order(Torus const& torus) {
  std::vector<int> order(static_cast<std::size_t>(torus.dimensions()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Schedule torus_schedule(Torus const& torus, Neighborhood const& neighborhood) {
  return generate::isomorphic_alltoall_torus(torus, neighborhood, block, given_order(torus));
}

void expect_valid(Schedule const& schedule, Torus const& torus, Neighborhood const& neighborhood,
                  theory::Counts const& counts, std::string const& what) {
  Verdict const verdict = verify(schedule, IsomorphicAlltoall{torus, neighborhood});
  EXPECT_TRUE(verdict.valid()) << what << ": "
                               << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, counts.rounds) << what;
  EXPECT_EQ(measures.volume_blocks, static_cast<double>(counts.volume_blocks)) << what;
}

// The record's rounds_network and volume_network leave out what a rank sends to itself, as our words do.
TEST(IsomorphicAlltoall, reproduces_the_recorded_schedules) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "isomorphic")) {
    auto const& request = pair["request"];
    bool const combining = request["algorithm"] == "torus";
    if (request["collective"] != "alltoall" || (!combining && request["algorithm"] != "straightforward")) continue;
    if (request.contains("order") || request.contains("shortest_wrap")) continue;
    Torus const torus(pair["answer"]["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(request);
    Schedule const schedule = combining ? torus_schedule(torus, neighborhood)
                                        : generate::isomorphic_alltoall_straightforward(torus, neighborhood, block);
    Measures const measures = measure(schedule);
    EXPECT_EQ(measures.rounds, pair["answer"]["rounds_network"]) << request;
    EXPECT_EQ(measures.volume_blocks, pair["answer"]["volume_network"]) << request;
    EXPECT_TRUE(verify(schedule, IsomorphicAlltoall{torus, neighborhood}).valid()) << request;
    if (combining && pair["answer"]["rounds"] == pair["answer"]["rounds_network"]) {
      std::vector<int> per_round;
      for (int r = 1; r <= schedule.rounds(); ++r) {
        per_round.push_back(static_cast<int>(schedule.programs[0].sends(r)[0].count));
      }
      EXPECT_EQ(per_round, pair["answer"]["per_round"].get<std::vector<int>>()) << request;
    }
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

TEST(IsomorphicAlltoall, reproduces_the_recorded_runs_of_the_corrected_algorithm_1) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "algorithm1")) {
    if (pair["request"]["variant"] != "fixed") continue;
    Torus const torus(pair["request"]["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Schedule const schedule = torus_schedule(torus, neighborhood);
    EXPECT_EQ(verify(schedule, IsomorphicAlltoall{torus, neighborhood}).valid(), pair["answer"]["correct"]);
    EXPECT_EQ(measure(schedule).rounds, pair["answer"]["rounds"]) << pair;
    EXPECT_EQ(measure(schedule).volume_blocks, pair["answer"]["volume"]) << pair;
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

/// The schedule with every hop of the first dimension with hops reading from the send buffer, as Algorithm 1 is
/// printed: its test `firstround[i] == j` in place of "first hop".
Schedule as_printed(Torus const& torus, Neighborhood const& neighborhood) {
  Schedule schedule = torus_schedule(torus, neighborhood);
  Program const corrected = schedule.programs[0];
  ProgramBuilder builder(corrected.layout());
  for (int r = 0; r <= corrected.rounds(); ++r) {
    if (r > 0) builder.begin_round();
    for (Copy const& copy : corrected.copies(r)) builder.copy(copy.from, copy.into);
    for (Transfer const& receive : corrected.receives(r)) builder.receive(receive.peer, corrected.places(receive));
    for (Transfer const& send : corrected.sends(r)) {
      std::vector<Place> from;
      int const dimension = send.peer / 2;
      for (Place const place : corrected.places(send)) {
        auto const offset = neighborhood[static_cast<int>(place.slot())];
        int first = 0;
        while (offset[static_cast<std::size_t>(first)] == 0 || torus.extent(first) == 1) ++first;
        from.push_back(first == dimension ? send_slot(place.slot()) : place);
      }
      builder.send(send.peer, from);
    }
  }
  schedule.programs[0] = std::move(builder).finish();
  return schedule;
}

TEST(IsomorphicAlltoall, algorithm_1_as_printed_fails_where_the_record_says_so) {
  int wrong = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "algorithm1")) {
    if (pair["request"]["variant"] != "printed") continue;
    Torus const torus(pair["request"]["dims"].get<std::vector<int>>());
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Verdict const verdict = verify(as_printed(torus, neighborhood), IsomorphicAlltoall{torus, neighborhood});
    EXPECT_EQ(verdict.delivered, pair["answer"]["correct"].get<bool>()) << pair["request"];
    wrong += verdict.delivered ? 0 : 1;
  }
  EXPECT_GE(wrong, 3);
}

Neighborhood random_neighborhood(Random& random, int dimensions) {
  std::vector<std::vector<int>> offsets(random.below(12));
  for (auto& offset : offsets) {
    for (int j = 0; j < dimensions; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
  }
  return Neighborhood(dimensions, offsets);
}

// d <= 4, offsets -4..4, extents 1..6: aliases, full turns, self offsets, duplicates, the zero vector, no neighbor.
TEST(IsomorphicAlltoall, delivers_500_random_neighborhoods_with_theorys_counts) {
  Random random(2016);
  for (int k = 0; k < 500; ++k) {
    int const d = static_cast<int>(random.between(1, 4));
    std::vector<int> extents;
    for (int j = 0; j < d; ++j) extents.push_back(static_cast<int>(random.between(1, 6)));
    Torus const torus(extents);
    Neighborhood const neighborhood = random_neighborhood(random, d);
    std::string const what = "case " + std::to_string(k);
    auto const unit = theory::alltoall_bounds_unit(torus, neighborhood, 1);
    auto const any = theory::alltoall_bounds_any(torus, neighborhood, 1);
    auto const combining = theory::alltoall_torus(torus, neighborhood);
    auto const straight = theory::alltoall_straightforward(torus, neighborhood);
    expect_valid(torus_schedule(torus, neighborhood), torus, neighborhood, combining, what + " torus");
    expect_valid(generate::isomorphic_alltoall_straightforward(torus, neighborhood, block), torus, neighborhood,
                 straight, what + " straightforward");
    EXPECT_GE(combining.rounds, unit.rounds) << what;
    EXPECT_GE(combining.volume_blocks, unit.volume_blocks) << what;
    EXPECT_GE(straight.rounds, any.rounds) << what;
    EXPECT_GE(straight.volume_blocks, any.volume_blocks) << what;
  }
}

TEST(IsomorphicAlltoall, delivers_in_every_dimension_order) {
  Torus const torus({3, 4, 2});
  Neighborhood const neighborhood(3, {{1, -2, 1}, {2, 0, -1}, {0, 0, 0}, {0, 3, 0}, {3, 4, 2}});
  std::vector<int> order{0, 1, 2};
  do {
    expect_valid(generate::isomorphic_alltoall_torus(torus, neighborhood, block, order), torus, neighborhood,
                 theory::alltoall_torus(torus, neighborhood), "permuted");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(IsomorphicAlltoall, is_empty_on_one_rank_and_for_no_neighbors) {
  for (Neighborhood const& neighborhood : {Neighborhood(2, {}), moore(2, 1)}) {
    Torus const one({1, 1});
    expect_valid(torus_schedule(one, neighborhood), one, neighborhood, {0, 0}, "torus");
    expect_valid(generate::isomorphic_alltoall_straightforward(one, neighborhood, block), one, neighborhood, {0, 0},
                 "straightforward");
  }
  Torus const none(std::vector<int>{});
  Neighborhood const zero(0, {{}, {}});
  expect_valid(torus_schedule(none, zero), none, zero, {0, 0}, "no dimension");
}

// A planted off-by-one on either side must not go unnoticed by the comparison of counts.
TEST(IsomorphicAlltoall, an_off_by_one_in_the_schedule_differs_from_theory) {
  Torus const torus({5, 5});
  Neighborhood const full = moore(2, 1);
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i + 1 < full.size(); ++i) offsets.emplace_back(full[i].begin(), full[i].end());
  offsets.push_back({2, 1});  // one coordinate too large
  auto const counts = theory::alltoall_torus(torus, full);
  Measures const measures = measure(torus_schedule(torus, Neighborhood(2, offsets)));
  EXPECT_EQ(measures.rounds, counts.rounds + 1);
  EXPECT_EQ(measures.volume_blocks, static_cast<double>(counts.volume_blocks + 1));
}

}  // namespace
}  // namespace rondo
