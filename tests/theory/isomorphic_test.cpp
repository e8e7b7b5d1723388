#include <gtest/gtest.h>

#include <cmath>

#include "decomposition/routes.hpp"
#include "reference.hpp"
#include "theory/bounds.hpp"
#include "theory/isomorphic.hpp"

namespace rondo::theory {
namespace {

using nlohmann::json;

/// A torus on which no offset of the given size aliases.
Torus wide_torus(int dimensions, int largest) {
  return Torus(std::vector<int>(static_cast<std::size_t>(dimensions), 2 * largest + 1));
}

struct Row {
  char const* name;
  Neighborhood neighborhood;
  int largest;
  Counts alltoall;                ///< D and V
  std::int64_t allgather;         ///< W
  Counts direct;                  ///< rounds and V
  std::int64_t allgather_direct;  ///< W
};

// docs/notes.md#exact-counts; s is straightforward's.
TEST(Theory, gives_the_papers_counts_for_the_named_neighborhoods) {
  std::vector<Row> const rows{{"Moore(2,1)", moore(2, 1), 1, {4, 12}, 8, {4, 12}, 8},
                              {"Moore(3,1)", moore(3, 1), 1, {6, 54}, 26, {6, 54}, 26},
                              {"Moore(3,3)", moore(3, 3), 3, {18, 1764}, 342, {18, 882}, 342},
                              {"Moore(5,1)", moore(5, 1), 1, {10, 810}, 242, {10, 810}, 242},
                              {"octant(3,3)", octant(3, 3), 3, {9, 288}, 63, {9, 144}, 63},
                              {"shales(3,{3,7})", shales(3, {3, 7}), 7, {42, 17820}, 3374, {42, 3948}, 1540}};
  for (Row const& row : rows) {
    int const d = row.neighborhood.dimensions();
    Torus const torus = wide_torus(d, row.largest);
    Counts const counts = alltoall_dimension_wise(torus, row.neighborhood);
    Counts const direct = alltoall_direct(torus, row.neighborhood);
    std::vector<int> const order = given_dimension_order(d);
    EXPECT_EQ(counts.rounds, row.alltoall.rounds) << row.name;
    EXPECT_EQ(counts.volume_blocks, row.alltoall.volume_blocks) << row.name;
    EXPECT_EQ(allgather_dimension_wise(torus, row.neighborhood, order).rounds, row.alltoall.rounds) << row.name;
    EXPECT_EQ(allgather_dimension_wise(torus, row.neighborhood, order).volume_blocks, row.allgather) << row.name;
    EXPECT_EQ(direct.rounds, row.direct.rounds) << row.name;
    EXPECT_EQ(direct.volume_blocks, row.direct.volume_blocks) << row.name;
    EXPECT_EQ(allgather_direct(torus, row.neighborhood, order).rounds, row.direct.rounds) << row.name;
    EXPECT_EQ(allgather_direct(torus, row.neighborhood, order).volume_blocks, row.allgather_direct) << row.name;
    EXPECT_EQ(alltoall_straightforward(torus, row.neighborhood).rounds, row.neighborhood.size()) << row.name;
  }
}

// The shales without 0: the paper's "12 rounds" (Section 6) fit {0,+-3,+-7}^3 without 0, 124 neighbors.
TEST(Theory, the_papers_twelve_rounds_are_those_of_another_neighborhood) {
  std::vector<std::vector<int>> offsets;
  for (int const x : {-7, -3, 0, 3, 7}) {
    for (int const y : {-7, -3, 0, 3, 7}) {
      for (int const z : {-7, -3, 0, 3, 7}) {
        if (x != 0 || y != 0 || z != 0) offsets.push_back({x, y, z});
      }
    }
  }
  EXPECT_EQ(offsets.size(), 124U);
  EXPECT_EQ(alltoall_direct(wide_torus(3, 7), Neighborhood(3, offsets)).rounds, 12);
}

TEST(Theory, agrees_with_the_recorded_counts) {
  auto const pairs = reference::pairs("isomorphic.json", "iso_counts");
  EXPECT_EQ(pairs.size(), 8U);
  for (auto const& pair : pairs) {
    auto const& answer = pair["answer"];
    Neighborhood const neighborhood = reference::neighborhood_of(pair["request"]);
    Torus const torus = wide_torus(neighborhood.dimensions(), 16);
    auto const w = [&](std::vector<int> const& order) {
      return allgather_dimension_wise(torus, neighborhood, order).volume_blocks;
    };
    auto const direct_w = [&](std::vector<int> const& order) {
      return allgather_direct(torus, neighborhood, order).volume_blocks;
    };
    std::vector<int> const given = given_dimension_order(neighborhood.dimensions());
    EXPECT_EQ(alltoall_dimension_wise(torus, neighborhood).rounds, answer["D"]) << pair;
    EXPECT_EQ(alltoall_dimension_wise(torus, neighborhood).volume_blocks, answer["V"]) << pair;
    EXPECT_EQ(w(given), answer["W_shared_given"]) << pair;
    EXPECT_EQ(w(best_dimension_order(torus, neighborhood)), answer["W_shared_best"]) << pair;
    EXPECT_EQ(alltoall_direct(torus, neighborhood).rounds, answer["direct_rounds"]) << pair;
    EXPECT_EQ(alltoall_direct(torus, neighborhood).volume_blocks, answer["direct_V"]) << pair;
    EXPECT_EQ(direct_w(given), answer["direct_W_given"]) << pair;
    EXPECT_EQ(direct_w(best_dimension_order(torus, neighborhood, Hops::direct)), answer["direct_W_best"]) << pair;
    // The record's "maxcount" is our reading of the paper's heuristic.
    EXPECT_EQ(w(paper_dimension_order(neighborhood)), answer["W_shared_h_maxcount"]) << pair;
    EXPECT_EQ(direct_w(paper_dimension_order(neighborhood)), answer["direct_W_h_maxcount"]) << pair;
  }
}

TEST(Theory, agrees_with_the_recorded_cutoffs) {
  int compared = 0;
  for (auto const& pair : reference::pairs("isomorphic.json", "cutoff")) {
    auto const& request = pair["request"];
    auto const& answer = pair["answer"];
    Neighborhood const neighborhood = reference::neighborhood_of(request);
    Torus const torus = wide_torus(neighborhood.dimensions(), 16);
    std::vector<int> const order = given_dimension_order(neighborhood.dimensions());
    bool const alltoall = request["collective"] == "alltoall";
    bool const direct = request["algorithm"] == "direct";
    Counts const combining =
        alltoall ? direct ? alltoall_direct(torus, neighborhood) : alltoall_dimension_wise(torus, neighborhood)
        : direct ? allgather_direct(torus, neighborhood, order)
                 : allgather_dimension_wise(torus, neighborhood, order);
    EXPECT_EQ(combining.rounds, answer["rounds"]) << pair;
    EXPECT_EQ(combining.volume_blocks, answer["volume"]) << pair;
    // The record counts all s rounds of the straightforward algorithm, those to the rank itself included.
    std::int64_t const s = answer["s"];
    LinearCost const cost{Seconds(request["alpha"]), BytesPerSecond(1 / request["beta"].get<double>())};
    Cutoff const cut = cutoff(combining, {s, s}, cost);
    std::string const when = answer["faster_when"];
    EXPECT_EQ(cut.faster == Cutoff::Faster::below, when == "m < m*") << pair;
    EXPECT_EQ(cut.faster == Cutoff::Faster::never, when == "never") << pair;
    EXPECT_EQ(cut.faster == Cutoff::Faster::always, when == "always") << pair;
    if (cut.faster == Cutoff::Faster::below) {
      EXPECT_NEAR(cut.bytes, answer["m_star"].get<double>(), 1e-12) << pair;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 32);
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
  EXPECT_EQ(alltoall_dimension_wise(Torus({1, 5}), neighborhood).rounds, 1);
  EXPECT_EQ(alltoall_dimension_wise(Torus({1, 5}), neighborhood).volume_blocks, 1);
  EXPECT_EQ(alltoall_straightforward(Torus({1, 5}), neighborhood).rounds, 1);
  EXPECT_EQ(alltoall_direct(Torus({1, 5}), neighborhood).rounds, 1);
  EXPECT_EQ(allgather_dimension_wise(Torus({1, 5}), neighborhood, {0, 1}).volume_blocks, 1);
  EXPECT_EQ(alltoall_dimension_wise(Torus({1, 1}), neighborhood).rounds, 0);
}

// Moore(2,1) on k ports: + and - of the first dimension at once, then of the second: 2 rounds, each with the largest
// message of 3 blocks. On 4 ports everything at once: corners take 2 rounds. First round: 3 blocks each way along the
// first dimension, 1 along the second; second round: the 2 corners each way along the second dimension.
TEST(Theory, uses_several_ports) {
  Torus const torus({5, 5});
  Counts const two = alltoall_dimension_wise_ported(torus, moore(2, 1), {0, 1}, 2).counts;
  EXPECT_EQ(two.rounds, 2);
  EXPECT_EQ(two.volume_blocks, 12);
  EXPECT_EQ(two.critical_blocks, 6);
  Counts const four = alltoall_dimension_wise_ported(torus, moore(2, 1), {0, 1}, 4).counts;
  EXPECT_EQ(four.rounds, 2);
  EXPECT_EQ(four.critical_blocks, 3 + 2);
  Counts const sharing = allgather_dimension_wise_ported(torus, moore(2, 1), {0, 1}, 4).counts;
  EXPECT_EQ(sharing.rounds, 2);
  EXPECT_EQ(sharing.volume_blocks, 8);
  EXPECT_EQ(sharing.critical_blocks, 1 + 2);
  // ceil(8/3) rounds of at most 3 messages, each of one block.
  EXPECT_EQ(alltoall_straightforward(torus, moore(2, 1), 3).rounds, 3);
  EXPECT_EQ(alltoall_straightforward(torus, moore(2, 1), 3).critical_blocks, 3);
  EXPECT_EQ(alltoall_posted(torus, moore(2, 1)).rounds, 1);
}

// Figure 3's sizes m^(d - l1) for m = 4 on Moore(2,1): 4 edges of 4 bytes with 1 hop, 4 corners of 1 byte with 2 hops.
TEST(Theory, weighs_every_block_with_its_size) {
  Neighborhood const neighborhood = moore(2, 1);
  Sizes sizes;
  for (int i = 0; i < neighborhood.size(); ++i) {
    sizes.emplace_back(std::abs(neighborhood[i][0]) + std::abs(neighborhood[i][1]) == 1 ? 4 : 1);
  }
  Torus const torus({5, 5});
  LinearCost const cost{Seconds(1e-6), BytesPerSecond(1e9)};
  Counts const counts = alltoall_dimension_wise(torus, neighborhood, sizes);
  EXPECT_EQ(counts.volume_bytes, Bytes(4 * 4 + 4 * 1 * 2));
  EXPECT_NEAR(time_irregular(counts, Bytes(16), cost).value, 4e-6 + (24 + 4 * 16) * 1e-9, 1e-18);
  EXPECT_EQ(alltoall_straightforward(torus, neighborhood, 1, sizes).volume_bytes, Bytes(20));
  EXPECT_EQ(alltoall_direct(torus, neighborhood, sizes).volume_bytes, Bytes(24));
  EXPECT_EQ(alltoall_bounds_any(torus, neighborhood, 1, sizes).volume_bytes, Bytes(20));
  EXPECT_EQ(alltoall_bounds_unit(torus, neighborhood, 1, sizes).volume_bytes, Bytes(24));
  // The ranks that hold a block of one origin at most double with each message: 8 targets are reached by a chain of
  // ceil(log2 9) = 4 messages, and no message is shorter than the smallest block of 1 B.
  EXPECT_NEAR(time_bound_irregular(alltoall_bounds_unit(torus, neighborhood, 1, sizes), Bytes(1), 1, cost).value,
              4 * (1e-6 + 1e-9), 1e-18);
}

TEST(Theory, gives_the_alpha_beta_time) {
  // 6 rounds of 1 us, 54 blocks of 64 B and 6 envelopes of 16 B at 1 GB/s: 6e-6 + 3552e-9
  EXPECT_NEAR(time({6, 54}, Bytes(64), Bytes(16), {Seconds(1e-6), BytesPerSecond(1e9)}).value, 9.552e-6, 1e-18);
  EXPECT_EQ(time({0, 0}, Bytes(64), Bytes(16), {Seconds(1e-6), BytesPerSecond(1e9)}).value, 0);
}

// Messages of 1000, 3000, 1000, 1000 bytes at 1 GB/s take 2, 4, 2, 2 us with alpha = 1 us. One port: 10 us. Two ports:
// the third starts at 2 us and the fourth at 4 us: 6 us.
TEST(Theory, gives_the_time_of_messages_posted_at_once) {
  std::vector<Bytes> const messages{Bytes(1000), Bytes(3000), Bytes(1000), Bytes(1000)};
  LinearCost const cost{Seconds(1e-6), BytesPerSecond(1e9)};
  EXPECT_NEAR(posted_time(messages, 1, Bytes(0), cost).value, 10e-6, 1e-15);
  EXPECT_NEAR(posted_time(messages, 2, Bytes(0), cost).value, 6e-6, 1e-15);
  EXPECT_NEAR(posted_time(messages, 4, Bytes(500), cost).value, 4.5e-6, 1e-15);
  EXPECT_EQ(posted_time({}, 1, Bytes(0), cost).value, 0);
}

}  // namespace
}  // namespace rondo::theory
