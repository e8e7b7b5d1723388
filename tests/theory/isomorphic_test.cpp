#include <gtest/gtest.h>

#include <cmath>

#include "reference.hpp"
#include "theory/theory.hpp"

namespace rondo::theory {
namespace {

/// A torus on which no offset of the given size aliases.
Torus wide(int dimensions, int largest) {
  return Torus(std::vector<int>(static_cast<std::size_t>(dimensions), 2 * largest + 1));
}

struct Row {
  char const* name;
  Neighborhood neighborhood;
  int largest;
  Counts counts;
};

// NOTES.md section 1, table of exact counts: s is straightforward's, D and V those of Proposition 1.
TEST(Theory, gives_the_papers_counts_for_the_named_neighborhoods) {
  std::vector<Row> const rows{
      {"Moore(2,1)", moore(2, 1), 1, {4, 12}},    {"Moore(3,1)", moore(3, 1), 1, {6, 54}},
      {"Moore(3,3)", moore(3, 3), 3, {18, 1764}}, {"Moore(5,1)", moore(5, 1), 1, {10, 810}},
      {"octant(3,3)", octant(3, 3), 3, {9, 288}}, {"shales(3,{3,7})", shales(3, {3, 7}), 7, {42, 17820}}};
  for (Row const& row : rows) {
    Torus const torus = wide(row.neighborhood.dimensions(), row.largest);
    Counts const counts = alltoall_torus(torus, row.neighborhood);
    EXPECT_EQ(counts.rounds, row.counts.rounds) << row.name;
    EXPECT_EQ(counts.volume_blocks, row.counts.volume_blocks) << row.name;
    EXPECT_EQ(alltoall_straightforward(torus, row.neighborhood).rounds, row.neighborhood.size()) << row.name;
  }
}

TEST(Theory, agrees_with_the_recorded_counts) {
  auto const pairs = reference::pairs("isomorphic.json", "iso_counts");
  ASSERT_FALSE(pairs.empty());
  for (auto const& pair : pairs) {
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Counts const counts = alltoall_torus(wide(neighborhood.dimensions(), 16), neighborhood);
    EXPECT_EQ(counts.rounds, pair["answer"]["D"]) << pair["request"];
    EXPECT_EQ(counts.volume_blocks, pair["answer"]["V"]) << pair["request"];
  }
}

TEST(Theory, agrees_with_the_recorded_cutoffs_of_all_to_all) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "cutoff")) {
    auto const& request = pair["request"];
    auto const& answer = pair["answer"];
    if (request["collective"] != "alltoall") continue;
    // The record counts all s rounds of the straightforward algorithm, those to the rank itself included.
    std::int64_t const s = answer["s"];
    LinearCost const cost{Seconds(request["alpha"]), BytesPerSecond(1 / request["beta"].get<double>())};
    Cutoff const cut = cutoff({answer["rounds"], answer["volume"]}, {s, s}, cost);
    std::string const when = answer["faster_when"];
    EXPECT_EQ(cut.faster == Cutoff::Faster::below, when == "m < m*") << pair;
    EXPECT_EQ(cut.faster == Cutoff::Faster::never, when == "never") << pair;
    EXPECT_EQ(cut.faster == Cutoff::Faster::always, when == "always") << pair;
    if (cut.faster == Cutoff::Faster::below) {
      EXPECT_NEAR(cut.bytes, answer["m_star"].get<double>(), 1e-12) << pair;
    }
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST(Theory, names_the_four_sorts_of_cutoff) {
  LinearCost const cost{Seconds(1e-6), BytesPerSecond(1e9)};  // alpha / beta = 1000 bytes
  using Faster = Cutoff::Faster;
  // D = 6, V = 54, s = 26: 1000 * 20 / 28
  EXPECT_EQ(cutoff({6, 54}, {26, 26}, cost).faster, Faster::below);
  EXPECT_NEAR(cutoff({6, 54}, {26, 26}, cost).bytes, 1000.0 * 20 / 28, 1e-9);
  EXPECT_EQ(cutoff({6, 26}, {26, 26}, cost).faster, Faster::always);   // V = s and D < s
  EXPECT_EQ(cutoff({26, 26}, {26, 26}, cost).faster, Faster::never);   // nothing saved
  EXPECT_EQ(cutoff({6, 20}, {26, 26}, cost).faster, Faster::always);   // fewer rounds and less volume
  EXPECT_EQ(cutoff({26, 20}, {26, 26}, cost).faster, Faster::always);  // as many rounds, less volume
  EXPECT_EQ(cutoff({30, 20}, {26, 26}, cost).faster, Faster::above);   // more rounds, less volume
  EXPECT_NEAR(cutoff({30, 20}, {26, 26}, cost).bytes, 1000.0 * 4 / 6, 1e-9);
  EXPECT_EQ(cutoff({30, 40}, {26, 26}, cost).faster, Faster::never);
}

TEST(Theory, counts_no_hop_in_a_dimension_of_one_rank) {
  Neighborhood const neighborhood(2, {{3, 0}, {2, 1}, {0, 0}});
  EXPECT_EQ(alltoall_torus(Torus({1, 5}), neighborhood).rounds, 1);
  EXPECT_EQ(alltoall_torus(Torus({1, 5}), neighborhood).volume_blocks, 1);
  EXPECT_EQ(alltoall_straightforward(Torus({1, 5}), neighborhood).rounds, 1);
  EXPECT_EQ(alltoall_torus(Torus({1, 1}), neighborhood).rounds, 0);
}

TEST(Theory, gives_the_alpha_beta_time) {
  // 6 rounds of 1 us, 54 blocks of 64 B and 6 envelopes of 16 B at 1 GB/s: 6e-6 + 3552e-9
  EXPECT_NEAR(time({6, 54}, Bytes(64), Bytes(16), {Seconds(1e-6), BytesPerSecond(1e9)}).value, 9.552e-6, 1e-18);
  EXPECT_EQ(time({0, 0}, Bytes(64), Bytes(16), {Seconds(1e-6), BytesPerSecond(1e9)}).value, 0);
}

TEST(Theory, bounds_unit_links_by_torus_distance) {
  // On a ring of 7, {3} and {-1}: distances 3 and 1; both ways are needed and 3 has one shortest way, so 3 + 1 rounds.
  Bounds const both = alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{3}, {-1}}), 1);
  EXPECT_EQ(both.volume_blocks, 4);
  EXPECT_EQ(both.rounds, 4);
  // {6} on a ring of 7 is one hop back; all blocks travel the same way.
  EXPECT_EQ(alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{6}, {-2}}), 1).rounds, 2);
  // Half way round an even ring there are two shortest ways: no extra round can be claimed.
  EXPECT_EQ(alltoall_bounds_unit(Torus({6}), Neighborhood(1, {{3}, {-1}}), 1).rounds, 3);
  // With two ports both directions go at once.
  EXPECT_EQ(alltoall_bounds_unit(Torus({7}), Neighborhood(1, {{3}, {-1}}), 2).rounds, 3);
  EXPECT_EQ(alltoall_bounds_unit(Torus({5, 5}), moore(2, 1), 1).volume_blocks, 12);
}

TEST(Theory, bounds_any_links_by_doubling) {
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 1).rounds, 5);  // 27 ranks in 5 doublings
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 2).rounds, 3);  // 27 = 3^3
  EXPECT_EQ(alltoall_bounds_any(Torus({9, 9, 9}), moore(3, 1), 1).volume_blocks, 26);
  // On two ranks all eight neighbors of Moore(2,1) are the other rank or oneself: (x, y) with y odd leaves.
  EXPECT_EQ(alltoall_bounds_any(Torus({1, 2}), moore(2, 1), 1).rounds, 1);
  EXPECT_EQ(alltoall_bounds_any(Torus({1, 2}), moore(2, 1), 1).volume_blocks, 6);
  EXPECT_EQ(
      time_bound(alltoall_bounds_any(Torus({1, 1}), moore(2, 1), 1), Bytes(8), 1, {Seconds(1e-6), BytesPerSecond(1e9)})
          .value,
      0);
}

/// The fewest rounds in which one-ported ranks of a ring, each passing one message with any of its blocks to one
/// neighbor a round, all doing the same, deliver every block; by trying all sequences of directions.
int fewest_uniform_rounds(int extent, std::vector<int> const& offsets) {
  for (int rounds = 0;; ++rounds) {
    for (int directions = 0; directions < (1 << rounds); ++directions) {
      int const forward = __builtin_popcount(static_cast<unsigned>(directions));
      int const backward = rounds - forward;
      bool const all = std::ranges::all_of(offsets, [&](int c) {
        int const ahead = ((c % extent) + extent) % extent;
        return ahead <= forward || extent - ahead <= backward || ahead == 0;
      });
      if (all) return rounds;
    }
  }
}

TEST(Theory, unit_bound_never_exceeds_what_a_uniform_schedule_reaches) {
  for (int extent = 1; extent <= 7; ++extent) {
    for (int a = -4; a <= 4; ++a) {
      for (int b = -4; b <= 4; ++b) {
        auto const bound = alltoall_bounds_unit(Torus({extent}), Neighborhood(1, {{a}, {b}}), 1).rounds;
        EXPECT_LE(bound, fewest_uniform_rounds(extent, {a, b})) << extent << ": " << a << ", " << b;
      }
    }
  }
}

}  // namespace
}  // namespace rondo::theory
