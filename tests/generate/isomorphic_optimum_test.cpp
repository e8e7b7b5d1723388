// Lower bounds and schedules against the true optimum of small problems: bound <= optimum <= schedule.

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "generate/fewest_rounds.hpp"
#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"
#include "topology/torus.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;

fewest_rounds::Problem problem_on(Torus const& torus, Neighborhood const& neighborhood,
                                  std::vector<std::vector<int>> links, Boundary boundary = Boundary::periodic) {
  fewest_rounds::Problem problem{torus.size(), std::move(links), {}};
  for (int r = 0; r < torus.size(); ++r) {
    std::vector<int>& targets = problem.targets.emplace_back();
    for (int i = 0; i < neighborhood.size(); ++i) {
      if (auto const target = add(torus, boundary, Rank(r), neighborhood[i])) targets.push_back(target->value);
    }
  }
  return problem;
}

int fewest_on_unit_links(Torus const& torus, Neighborhood const& neighborhood) {
  return fewest(problem_on(torus, neighborhood, fewest_rounds::unit_links(torus)));
}
int fewest_on_any_links(Torus const& torus, Neighborhood const& neighborhood) {
  return fewest(problem_on(torus, neighborhood, fewest_rounds::any_links(torus.size())));
}

Neighborhood some_offsets(Random& random, int dimensions) {
  std::vector<std::vector<int>> offsets(random.between(1, 8));
  for (auto& offset : offsets) {
    for (int j = 0; j < dimensions; ++j) offset.push_back(static_cast<int>(random.between(-3, 3)));
  }
  return {dimensions, offsets};
}

TEST(Optimum, bounds_on_unit_links_and_schedules_enclose_it) {
  Random random(184);
  int tight = 0, cases = 0;
  for (Torus const& torus : {Torus({12}), Torus({11}), Torus({9}), Torus({8}), Torus({3, 4}), Torus({2, 6}),
                             Torus({3, 3}), Torus({2, 4}), Torus({2, 2, 3}), Torus({2, 2, 2})}) {
    for (int k = 0; k < 8 / test::thinned; ++k) {
      Neighborhood const neighborhood = some_offsets(random, torus.dimensions());
      std::vector<int> const order = given_dimension_order(torus.dimensions());
      std::int64_t const optimum = fewest_on_unit_links(torus, neighborhood);
      std::int64_t const bound = theory::alltoall_bounds_unit(torus, neighborhood, 1).rounds;
      EXPECT_LE(bound, optimum) << k;
      EXPECT_EQ(theory::allgather_bounds_unit(torus, neighborhood, 1).rounds, bound) << k;
      for (Schedule const& schedule :
           {generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, block, order)),
            generate::isomorphic_parity(test::alltoall(torus, neighborhood, block, order)),
            generate::isomorphic_dimension_wise(test::allgather(torus, neighborhood, block, order))}) {
        EXPECT_LE(optimum, measure(schedule).rounds) << k;
      }
      tight += bound == optimum ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(2 * tight, cases);  // a bound of 0 would enclose it too
}

TEST(Optimum, bounds_on_any_links_and_schedules_enclose_it) {
  Random random(185);
  int tight = 0, cases = 0;
  for (Torus const& torus : {Torus({9}), Torus({8}), Torus({3, 3}), Torus({2, 4}), Torus({2, 2, 2})}) {
    for (int k = 0; k < 8 / test::thinned; ++k) {
      Neighborhood const neighborhood = some_offsets(random, torus.dimensions());
      std::vector<int> const order = given_dimension_order(torus.dimensions());
      std::int64_t const optimum = fewest_on_any_links(torus, neighborhood);
      std::int64_t const bound = theory::alltoall_bounds_any(torus, neighborhood, 1).rounds;
      EXPECT_LE(bound, optimum) << k;
      EXPECT_EQ(theory::allgather_bounds_any(torus, neighborhood, 1).rounds, bound) << k;
      // What any links need, unit links need too.
      EXPECT_LE(bound, theory::alltoall_bounds_unit(torus, neighborhood, 1).rounds) << k;
      for (Schedule const& schedule :
           {generate::isomorphic_straightforward(test::alltoall(torus, neighborhood, block)),
            generate::isomorphic_direct(test::alltoall(torus, neighborhood, block, order)),
            generate::isomorphic_direct(test::allgather(torus, neighborhood, block, order))}) {
        EXPECT_LE(optimum, measure(schedule).rounds) << k;
      }
      tight += bound == optimum ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(2 * tight, cases);
}

/// The links of a torus of which some dimensions are open: those that close these are gone.
std::vector<std::vector<int>> links_within(Torus const& torus, Boundary const& boundary) {
  std::vector<std::vector<int>> links = fewest_rounds::unit_links(torus);
  for (int r = 0; r < torus.size(); ++r) {
    auto const from = torus.coordinates(Rank(r));
    std::erase_if(links[static_cast<std::size_t>(r)], [&](int rank) {
      auto const to = torus.coordinates(Rank(rank));
      for (std::size_t j = 0; j < from.size(); ++j) {
        if (!boundary.closes(j) && std::abs(from[j] - to[j]) > 1) return true;
      }
      return false;
    });
  }
  return links;
}

struct Bounded {
  Torus torus;
  Boundary boundary;
};

// On a mesh neighbors past the sides are gone with the links, and so along the open dimensions of a torus of both
// kinds.
TEST(Optimum, bounds_where_dimensions_are_open_and_schedules_enclose_it) {
  Random random(186);
  int tight = 0, cases = 0;
  auto const mixed = [](std::vector<bool> const& closed) { return Boundary::closed_in(closed); };
  for (auto const& [torus, boundary] :
       {Bounded{Torus({9}), Boundary::open}, Bounded{Torus({3, 4}), Boundary::open},
        Bounded{Torus({2, 5}), Boundary::open}, Bounded{Torus({2, 2, 3}), Boundary::open},
        Bounded{Torus({3, 4}), mixed({true, false})}, Bounded{Torus({3, 4}), mixed({false, true})},
        Bounded{Torus({2, 5}), mixed({false, true})}, Bounded{Torus({2, 2, 3}), mixed({false, true, true})},
        Bounded{Torus({3, 3}), mixed({true, false})}}) {
    for (int k = 0; k < 8 / test::thinned; ++k) {
      Neighborhood const neighborhood = some_offsets(random, torus.dimensions());
      std::vector<int> const order = given_dimension_order(torus.dimensions());
      std::int64_t const optimum = fewest(problem_on(torus, neighborhood, links_within(torus, boundary), boundary));
      std::int64_t const bound = theory::alltoall_bounds_on_mesh_unit(torus, boundary, neighborhood, 1).rounds;
      EXPECT_LE(bound, optimum) << k;
      EXPECT_EQ(theory::allgather_bounds_on_mesh_unit(torus, boundary, neighborhood, 1).rounds, bound) << k;
      problem::Isomorphic problem = test::alltoall(torus, neighborhood, block, order);
      problem.boundary = boundary;
      EXPECT_LE(optimum, measure(generate::generate(problem)).rounds) << k;
      tight += bound == optimum ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GE(2 * tight, cases);
}

// Where no offset moves along the open dimension, the links that close it cannot help.
TEST(Optimum, bounds_are_those_of_the_torus_where_open_dimensions_are_not_used) {
  Random random(187);
  for (int k = 0; k < 100 / test::thinned; ++k) {
    Torus const torus({static_cast<int>(random.between(2, 9)), static_cast<int>(random.between(1, 4))});
    std::vector<std::vector<int>> offsets(random.between(1, 5));
    for (auto& offset : offsets) offset = {static_cast<int>(random.between(-4, 4)), 0};
    Neighborhood const neighborhood(2, offsets);
    Boundary const boundary = Boundary::closed_in({true, false});
    auto const expect_same = [&](theory::Bounds const& mixed, theory::Bounds const& periodic) {
      EXPECT_EQ(mixed.rounds, periodic.rounds) << k;
      EXPECT_EQ(mixed.volume_blocks, periodic.volume_blocks) << k;
    };
    expect_same(theory::alltoall_bounds_on_mesh_unit(torus, boundary, neighborhood, 1),
                theory::alltoall_bounds_unit(torus, neighborhood, 1));
    expect_same(theory::allgather_bounds_on_mesh_unit(torus, boundary, neighborhood, 1),
                theory::allgather_bounds_unit(torus, neighborhood, 1));
  }
  Neighborhood const uneven(2, {{3, 0}, {-1, 0}});
  EXPECT_EQ(theory::alltoall_bounds_on_mesh_unit(Torus({8, 1}), Boundary::closed_in({true, false}), uneven, 1).rounds,
            4);
}

// Three hops one way, which all ranks forward in each of three rounds, leave no time for anything else.
TEST(Optimum, a_straight_way_that_all_ranks_use_leaves_no_room_for_others) {
  using Offsets = std::vector<std::vector<int>>;
  Boundary const boundary = Boundary::closed_in({true, false});
  for (auto const& [torus, offsets, rounds] :
       {std::tuple{Torus({8, 1}), Offsets{{3, 0}, {-1, 0}}, 4}, std::tuple{Torus({5, 2}), Offsets{{2, 0}, {0, 1}}, 3},
        std::tuple{Torus({8, 1}), Offsets{{3, 0}, {1, 0}, {2, 0}}, 3}}) {
    Neighborhood const neighborhood(2, offsets);
    EXPECT_EQ(theory::alltoall_bounds_unit(torus, neighborhood, 1).rounds, rounds);
    EXPECT_EQ(theory::alltoall_bounds_on_mesh_unit(torus, boundary, neighborhood, 1).rounds, rounds);
    EXPECT_EQ(fewest_on_unit_links(torus, neighborhood), rounds);
  }
  // A second dimension offers no other shortest way.
  EXPECT_EQ(theory::alltoall_bounds_unit(Torus({8, 8}), Neighborhood(2, {{3, 0}, {-1, 0}}), 1).rounds, 4);
}

// On a line every block goes three hops, and of nine ranks six have a neighbor: at least 18/9 blocks in the mean.
TEST(Optimum, no_tree_of_an_allgather_is_below_the_bound_where_dimensions_are_open) {
  EXPECT_EQ(theory::allgather_bounds_on_mesh_unit(Torus({9}), Boundary::open, Neighborhood(1, {{3}}), 1).volume_blocks,
            2);
  Random random(188);
  int tight = 0, cases = 0;
  for (auto const& [torus, boundary] : {Bounded{Torus({9}), Boundary::open}, Bounded{Torus({4, 5}), Boundary::open},
                                        Bounded{Torus({4, 5}), Boundary::closed_in({true, false})},
                                        Bounded{Torus({3, 3, 4}), Boundary::closed_in({false, true, true})}}) {
    for (int k = 0; k < 20 / test::thinned; ++k) {
      problem::Isomorphic problem = test::allgather(torus, some_offsets(random, torus.dimensions()), block);
      problem.boundary = boundary;
      auto const bounds = theory::allgather_bounds_on_mesh_unit(torus, boundary, problem.neighborhood, 1);
      for (auto const algorithm :
           {problem::IsomorphicAlgorithm::dimension_wise, problem::IsomorphicAlgorithm::steiner}) {
        problem.algorithm = algorithm;
        Measures const measures = measure(generate::generate(problem));
        EXPECT_GE(measures.volume_blocks, static_cast<double>(bounds.volume_blocks)) << k;
        tight += measures.volume_blocks == static_cast<double>(bounds.volume_blocks) ? 1 : 0;
        ++cases;
      }
    }
  }
  EXPECT_GE(10 * tight, cases);
}

// The 9-point stencil: whatever the links 9 ranks have a block after ceil(log2 9) = 4 rounds at the earliest, and torus
// needs 4. Distances alone say 2.
TEST(Optimum, torus_is_optimal_in_rounds_for_the_9_point_stencil) {
  EXPECT_EQ(fewest_on_unit_links(Torus({3, 4}), moore(2, 1)), 4);
  for (Torus const& torus : {Torus({3, 4}), Torus({8, 8})}) {
    EXPECT_EQ(theory::alltoall_dimension_wise(torus, moore(2, 1)).rounds, 4);
    EXPECT_EQ(theory::alltoall_bounds_any(torus, moore(2, 1), 1).rounds, 4);
    EXPECT_EQ(theory::alltoall_bounds_unit(torus, moore(2, 1), 1).rounds, 4);
    EXPECT_EQ(theory::allgather_bounds_unit(torus, moore(2, 1), 1).rounds, 4);
  }
}

// On an odd ring no pairing of all ranks exists, and the optimum is one more than the bound of max(P, N) + 1.
TEST(Optimum, is_above_the_bound_on_odd_rings) {
  Neighborhood const both(1, {{3}, {-3}});
  EXPECT_EQ(theory::alltoall_bounds_unit(Torus({9}), both, 1).rounds, 4);
  EXPECT_EQ(fewest_on_unit_links(Torus({9}), both), 5);
  EXPECT_EQ(fewest_on_unit_links(Torus({8}), both), 4);
  EXPECT_EQ(measure(generate::isomorphic_parity(test::alltoall(Torus({8}), both, block, {0}))).rounds, 4);
}

/// {M, -M} on an odd ring, where `torus` and `parity` take 2M rounds.
TEST(Optimum, of_odd_rings_is_below_the_rounds_of_torus) {
  for (auto const& [extent, hops, fewest] : {std::tuple{5, 2, 3}, std::tuple{7, 3, 4}, std::tuple{9, 3, 5},
                                             std::tuple{11, 3, 5}, std::tuple{13, 3, 5}, std::tuple{9, 4, 5}}) {
    if (test::sanitized && extent > 9) continue;
    Neighborhood const both(1, {{hops}, {-hops}});
    EXPECT_EQ(fewest_on_unit_links(Torus({extent}), both), fewest) << extent;
    EXPECT_EQ(measure(generate::isomorphic_parity(test::alltoall(Torus({extent}), both, block, {0}))).rounds, 2 * hops);
  }
}

/// The rounds of an exchange on an odd ring: in round r = 0, 1, ... the ranks r + 2i and r + 2i + 1 modulo p exchange,
/// i < (p-1)/2, and rank r - 1 pauses. Every rank has a block for M hops ahead and one for M hops back, and each moves
/// whenever it can.
int rounds_with_a_moving_pause(int p, int hops) {
  int left = 2 * p, rounds = 0;
  std::vector<int> ahead(static_cast<std::size_t>(p), 0), back = ahead;  // by origin: the hops taken
  for (; left > 0; ++rounds) {
    for (int origin = 0; origin < p; ++origin) {
      for (int const sign : {+1, -1}) {
        int& taken = (sign > 0 ? ahead : back)[static_cast<std::size_t>(origin)];
        int const rank = ((origin + sign * taken - rounds) % p + p) % p;  // from the first rank that exchanges
        bool const turned = rank < p - 1 && (rank % 2 == 0) == (sign > 0);
        if (taken < hops && turned && ++taken == hops) --left;
      }
    }
  }
  return rounds;
}

// A block that goes ahead keeps its distance from the pause and waits at most two rounds at the start; one that goes
// back waits one round at the start and one where it meets the pause, or two at the start and does not meet it.
TEST(Optimum, of_odd_rings_is_at_most_two_rounds_above_the_hops) {
  for (int p = 3; p <= 61; p += 2) {
    for (int hops = 1; 2 * hops < p; ++hops) EXPECT_LE(rounds_with_a_moving_pause(p, hops), hops + 2) << p;
  }
}

// All four targets are at distance 4 on a torus of 9 x 9. After 4 rounds a single rank so far away can have
// the block, after 5 at most C(5,4) + C(5,5) = 6; distance alone says 4, doubling 3.
TEST(Optimum, far_targets_take_longer_than_distance_and_doubling_say) {
  Neighborhood const far(2, {{2, 2}, {-2, 2}, {2, -2}, {-2, -2}});
  EXPECT_EQ(theory::alltoall_bounds_any(Torus({9, 9}), far, 1).rounds, 3);
  EXPECT_EQ(theory::alltoall_bounds_unit(Torus({9, 9}), far, 1).rounds, 5);
  EXPECT_EQ(theory::alltoall_bounds_unit(Torus({9, 9}), far, 4).rounds, 4);
}

}  // namespace
}  // namespace rondo
