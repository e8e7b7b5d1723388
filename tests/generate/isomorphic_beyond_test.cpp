// Additive bases, and the two algorithms that refute Propositions 1 and 2.

#include <gtest/gtest.h>

#include "decomposition/additive_basis.hpp"
#include "decomposition/steiner_steps.hpp"
#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"
#include "walked_steps.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;
using test::counts_of_steps;
using test::Walk;

template <typename Check>
void each_random_neighborhood(Check const& check) {
  Random random(2016);
  for (int k = 0; k < random_cases; ++k) check(random_case(random, k));
}

TEST(Basis, delivers_random_neighborhoods_with_the_counts_of_its_steps) {
  each_random_neighborhood([](Case const& c) {
    Decomposition const basis = additive_basis(c.torus, c.neighborhood);
    IsomorphicAlltoall const alltoall{c.torus, c.neighborhood};
    IsomorphicAllgather const allgather{c.torus, c.neighborhood};
    auto const combining = counts_of_steps(c.torus, basis, Walk::each_by_itself);
    auto const sharing = counts_of_steps(c.torus, basis, Walk::same_steps_shared);
    expect_valid(generate::isomorphic_basis(test::alltoall(c.torus, c.neighborhood, block), basis), alltoall, combining,
                 c.name);
    expect_valid(generate::isomorphic_basis(test::allgather(c.torus, c.neighborhood, block), basis), allgather, sharing,
                 c.name);
    expect_not_below(combining, theory::alltoall_bounds_any(c.torus, c.neighborhood, 1), c.name);
    expect_not_below(sharing, theory::allgather_bounds_any(c.torus, c.neighborhood, 1), c.name);
    // On two ports as many blocks, in no more rounds than by two steps at a time.
    auto const by_twos = counts_of_steps(c.torus, basis, Walk::each_by_itself, 2);
    Schedule const on_two = generate::isomorphic_basis(test::alltoall(c.torus, c.neighborhood, block, {}, 2), basis);
    EXPECT_TRUE(verify(on_two, alltoall).valid()) << c.name;
    EXPECT_LE(measure(on_two).rounds, by_twos.rounds) << c.name;
    EXPECT_EQ(measure(on_two).volume_blocks, static_cast<double>(combining.volume_blocks)) << c.name;
    Schedule const shared = generate::isomorphic_basis(test::allgather(c.torus, c.neighborhood, block, {}, 2), basis);
    EXPECT_TRUE(verify(shared, allgather).valid()) << c.name;
    EXPECT_EQ(shared.rounds(), on_two.rounds()) << c.name;
    EXPECT_EQ(measure(shared).volume_blocks, static_cast<double>(sharing.volume_blocks)) << c.name;
    EXPECT_LE(counts_of_steps(c.torus, basis, Walk::each_by_itself).rounds,
              theory::alltoall_straightforward(c.torus, c.neighborhood).rounds)
        << c.name;
  });
}

// {1..7} = {1, 2, 4}: the three rounds of logarithmic doubling [Traeff16, Section 5]. All-to-all sends 3 blocks once, 3
// twice and 1 three times; allgather each of the 7 once.
TEST(Basis, of_one_to_seven_is_logarithmic_doubling) {
  Neighborhood const line(1, {{1}, {2}, {3}, {4}, {5}, {6}, {7}});
  Torus const ring({16});
  Decomposition const basis = additive_basis(ring, line);
  expect_valid(generate::isomorphic_basis(test::alltoall(ring, line, block), basis), IsomorphicAlltoall{ring, line},
               {3, 12}, "a");
  expect_valid(generate::isomorphic_basis(test::allgather(ring, line, block), basis), IsomorphicAllgather{ring, line},
               {3, 7}, "b");
}

TEST(Parity, delivers_random_neighborhoods_with_theorys_counts) {
  int refuted = 0;
  each_random_neighborhood([&](Case const& c) {
    auto const torus = theory::alltoall_dimension_wise(c.torus, c.neighborhood);
    auto const counts = theory::alltoall_parity(c.torus, c.neighborhood);
    expect_valid(generate::isomorphic_parity(test::alltoall(c.torus, c.neighborhood, block, c.order)),
                 IsomorphicAlltoall{c.torus, c.neighborhood}, counts, c.name);
    EXPECT_LE(counts.rounds, torus.rounds) << c.name;
    EXPECT_EQ(counts.volume_blocks, torus.volume_blocks) << c.name;
    expect_not_below(counts, theory::alltoall_bounds_unit(c.torus, c.neighborhood, 1), c.name);
    if (counts.rounds == torus.rounds) {
      EXPECT_EQ(counts.critical_blocks, torus.critical_blocks) << c.name;
    }
    auto const shared = theory::allgather_parity(c.torus, c.neighborhood, c.order);
    expect_valid(generate::isomorphic_parity(test::allgather(c.torus, c.neighborhood, block, c.order)),
                 IsomorphicAllgather{c.torus, c.neighborhood}, shared, c.name + ", allgather");
    EXPECT_EQ(shared.rounds, counts.rounds) << c.name;
    EXPECT_EQ(shared.volume_blocks, theory::allgather_dimension_wise(c.torus, c.neighborhood, c.order).volume_blocks)
        << c.name;
    refuted += counts.rounds < torus.rounds ? 1 : 0;
  });
  EXPECT_GT(refuted, 0);
}

TEST(Parity, carries_block_sizes_to_the_byte) {
  Random sizes_of(12);
  each_random_neighborhood([&](Case const& c) {
    problem::BlockSizes sizes(block);
    for (int i = 0; i < c.neighborhood.size(); ++i) sizes.each.emplace_back(sizes_of.between(0, 1000));
    Schedule const schedule = generate::isomorphic_parity(test::alltoall(c.torus, c.neighborhood, sizes, c.order));
    auto const counts = theory::alltoall_parity(c.torus, c.neighborhood, sizes.each);
    EXPECT_TRUE(verify(schedule, IsomorphicAlltoall{c.torus, c.neighborhood}).valid()) << c.name;
    EXPECT_EQ(measure(schedule).volume_bytes, counts.volume_bytes) << c.name;
    EXPECT_EQ(measure(schedule).critical_bytes, counts.critical_bytes) << c.name;
  });
}

// A block goes 4 hops each way, in 5 rounds instead of 8, which a search shows to be the fewest (docs/optima.md).
TEST(Parity, gathers_from_both_sides_at_once) {
  Torus const ring({12});
  Neighborhood const neighborhood(1, {{4}, {-4}, {4}, {0}});
  Schedule const schedule = generate::isomorphic_parity(test::allgather(ring, neighborhood, block));
  expect_valid(schedule, IsomorphicAllgather{ring, neighborhood}, theory::allgather_parity(ring, neighborhood, {0}),
               "12");
  EXPECT_EQ(measure(schedule).rounds, 5);
  EXPECT_EQ(measure(schedule).volume_blocks, 8);
}

// Moore(3,3): max(3,3) + 1 = 4 rounds in each dimension, 12 instead of 18, and V = 1764 (docs/notes.md#parity).
TEST(Parity, needs_twelve_rounds_where_proposition_1_claims_eighteen) {
  Torus const torus({8, 8, 8});
  Neighborhood const neighborhood = moore(3, 3);
  Schedule const schedule = generate::isomorphic_parity(test::alltoall(torus, neighborhood, block, {0, 1, 2}));
  EXPECT_EQ(theory::alltoall_dimension_wise(torus, neighborhood).rounds, 18);
  EXPECT_EQ(theory::alltoall_parity(torus, neighborhood).rounds, 12);
  EXPECT_EQ(theory::alltoall_parity(torus, neighborhood).volume_blocks, 1764);
  expect_valid(schedule, IsomorphicAlltoall{torus, neighborhood}, theory::alltoall_parity(torus, neighborhood), "8^3");
}

// On a ring of even extent the bound of max(P,N)+1 rounds is met: the schedule is round-optimal there.
TEST(Parity, is_optimal_in_one_dimension) {
  Torus const ring({12});
  Neighborhood const neighborhood(1, {{4}, {-5}, {1}});
  EXPECT_EQ(theory::alltoall_parity(ring, neighborhood).rounds, 6);
  EXPECT_EQ(theory::alltoall_bounds_unit(ring, neighborhood, 1).rounds, 6);
}

// On a ring of 8 with {1, -3, -3} an exchange would take max(1, 3) + 1 = 4 rounds, as many as torus, with 2 + 2 + 2
// blocks back and 1 ahead in the largest messages of torus, but more where blocks of two rounds travel together.
TEST(Parity, is_the_torus_algorithm_where_an_exchange_saves_no_round) {
  Torus const ring({8});
  Neighborhood const neighborhood(1, {{1}, {-3}, {-3}});
  auto const counts = theory::alltoall_parity(ring, neighborhood);
  EXPECT_EQ(counts.rounds, 4);
  EXPECT_EQ(counts.volume_blocks, 7);
  EXPECT_EQ(counts.critical_blocks, 7);
  Schedule const schedule = generate::isomorphic_parity(test::alltoall(ring, neighborhood, block, {0}));
  for (int round = 1; round <= 4; ++round) {
    Transfer const send = schedule.program(Rank(3)).sends(round)[0];
    EXPECT_EQ(schedule.peer(Rank(3), send), Rank(round == 1 ? 4 : 2)) << round;
    EXPECT_EQ(send.count, round == 1 ? 1U : 2U) << round;
  }
}

// 100 random sets on rings: never more rounds than torus and the same volume. What is saved in rounds may cost critical
// volume, as blocks of two rounds travel together, but never more than torus' own once again; and where no round is
// saved nothing is paid.
TEST(Parity, pays_in_critical_volume_only_where_it_saves_rounds) {
  Random random(183);
  int saved = 0;
  for (int k = 0; k < 100; ++k) {
    Torus const ring({static_cast<int>(2 * random.between(2, 8))});
    std::vector<std::vector<int>> offsets(random.between(1, 8));
    for (auto& offset : offsets) offset.push_back(static_cast<int>(random.between(-4, 4)));
    Neighborhood const neighborhood(1, offsets);
    Schedule const parity = generate::isomorphic_parity(test::alltoall(ring, neighborhood, block, {0}));
    Schedule const torus = generate::isomorphic_dimension_wise(test::alltoall(ring, neighborhood, block, {0}));
    Measures const mine = measure(parity);
    Measures const theirs = measure(torus);
    int ahead = 0, back = 0;
    for (auto const& offset : offsets) ahead = std::max(ahead, offset[0]), back = std::max(back, -offset[0]);
    EXPECT_EQ(theirs.rounds, ahead + back) << k;
    EXPECT_EQ(mine.rounds, std::min(ahead + back, std::max(ahead, back) + 1)) << k;
    EXPECT_EQ(mine.volume_blocks, theirs.volume_blocks) << k;
    if (mine.rounds == theirs.rounds) {
      EXPECT_EQ(mine.critical_blocks, theirs.critical_blocks) << k;
    }
    EXPECT_LE(mine.critical_blocks, 2 * theirs.critical_blocks) << k;
    saved += mine.rounds < theirs.rounds ? 1 : 0;
  }
  EXPECT_GT(saved, 10);
}

// Ranks whose parity differs from that of the round turn ahead. {2, -2}: 3 rounds instead of 4. In round 2 an even rank
// turns back: its own block for -2 leaves, and it gets the one for +2 that the rank behind it sent on or sent first.
TEST(Parity, pairs_even_ranks_with_the_next_first) {
  Neighborhood const both(1, {{2}, {-2}});
  Schedule const schedule = generate::isomorphic_parity(test::alltoall(Torus({8}), both, block, {0}));
  EXPECT_EQ(measure(schedule).rounds, 3);
  auto const partner = [&](int rank, int round) {
    Transfer const send = schedule.program(Rank(rank)).sends(round)[0];
    return schedule.peer(Rank(rank), send);
  };
  for (int round = 1; round <= 3; ++round) {
    EXPECT_EQ(partner(0, round), Rank(round % 2 == 1 ? 1 : 7));
    EXPECT_EQ(partner(1, round), Rank(round % 2 == 1 ? 0 : 2));
  }
}

TEST(Steiner, delivers_random_neighborhoods_with_the_counts_of_its_steps) {
  each_random_neighborhood([](Case const& c) {
    Decomposition const steps = steiner_steps(c.torus, c.neighborhood);
    auto const counts = counts_of_steps(c.torus, steps, Walk::same_steps_shared);
    auto const trie =
        theory::allgather_dimension_wise(c.torus, c.neighborhood, best_dimension_order(c.torus, c.neighborhood));
    expect_valid(generate::isomorphic_steiner(test::allgather(c.torus, c.neighborhood, block), steps),
                 IsomorphicAllgather{c.torus, c.neighborhood}, counts, c.name);
    EXPECT_EQ(counts.rounds, trie.rounds) << c.name;
    EXPECT_LE(counts.volume_blocks, trie.volume_blocks) << c.name;
    expect_not_below(counts, theory::allgather_bounds_unit(c.torus, c.neighborhood, 1), c.name);
  });
}

// (1,1) lies on the way to (2,2): first dimension, second, first, second.
TEST(Steiner, passes_one_neighbor_on_the_way_to_the_other) {
  Torus const torus({5, 5});
  Neighborhood const neighborhood(2, {{1, 1}, {2, 2}});
  EXPECT_EQ(text(generate::isomorphic_steiner(test::allgather(torus, neighborhood, block),
                                              steiner_steps(torus, neighborhood))),
            "round 1: from (-1,0) into intermediate[0]; to (1,0) send[0]\n"
            "round 2: from (0,-1) into receive[0]; to (0,1) intermediate[0]\n"
            "round 3: from (-1,0) into intermediate[0]; to (1,0) receive[0]\n"
            "round 4: from (0,-1) into receive[1]; to (0,1) intermediate[0]\n");
}

}  // namespace
}  // namespace rondo
