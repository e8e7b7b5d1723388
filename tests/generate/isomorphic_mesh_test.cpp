#include <gtest/gtest.h>

#include "base/error.hpp"
#include "decomposition/additive_basis.hpp"
#include "decomposition/steiner_steps.hpp"
#include "generate/isomorphic_cases.hpp"
#include "problems.hpp"
#include "topology/torus.hpp"
#include "walked_steps.hpp"

namespace rondo {
namespace {

using namespace isomorphic_cases;

/// A machine without the links that close a torus.
MachineLimits mesh_links(Torus const& torus) {
  return {0, [&torus](Rank a, Rank b) {
            auto const from = torus.coordinates(a);
            auto const to = torus.coordinates(b);
            int distance = 0;
            for (std::size_t j = 0; j < from.size(); ++j) distance += std::abs(to[j] - from[j]);
            return distance == 1;
          }};
}

void expect_valid_on_mesh(Schedule const& periodic, Collective const& collective, Neighborhood const& neighborhood,
                          theory::MeshCounts const& counts, MachineLimits const& allowed, std::string const& what) {
  Schedule const schedule = generate::isomorphic_on_mesh(periodic, neighborhood);
  Verdict const verdict = verify(schedule, collective, allowed);
  EXPECT_TRUE(verdict.valid()) << what << ": "
                               << (verdict.violations.empty() ? "not delivered" : verdict.violations[0].text);
  Measures const measures = measure(schedule);
  EXPECT_EQ(measures.rounds, counts.rounds) << what;
  EXPECT_EQ(measures.volume_blocks, static_cast<double>(counts.volume_blocks)) << what;
  EXPECT_EQ(measures.total_blocks, static_cast<double>(counts.total_blocks)) << what;
}

void expect_not_below_on_mesh(theory::MeshCounts const& counts, theory::Bounds const& bounds, std::string const& what) {
  EXPECT_GE(counts.rounds, bounds.rounds) << what;
  EXPECT_GE(counts.volume_blocks, bounds.volume_blocks) << what;
}

template <typename Check>
void each_case_on_mesh(Check const& check) {
  Random random(2017);
  for (int k = 0; k < random_cases; ++k) check(random_case(random, k));
}

TEST(Mesh, alltoall_of_random_neighborhoods_is_delivered_with_theorys_counts) {
  each_case_on_mesh([](Case const& c) {
    Neighborhood const fitted = fitting(c.torus, c.neighborhood);
    IsomorphicAlltoall const promise{c.torus, c.neighborhood, Boundary::open};
    auto const torus = theory::alltoall_dimension_wise_on_mesh(c.torus, c.neighborhood, c.order, 1);
    auto const direct = theory::alltoall_direct_on_mesh(c.torus, c.neighborhood, c.order, 1);
    auto const straight = theory::straightforward_on_mesh(c.torus, c.neighborhood, 1);
    expect_valid_on_mesh(generate::isomorphic_dimension_wise(test::alltoall(c.torus, fitted, block, c.order)), promise,
                         c.neighborhood, torus, mesh_links(c.torus), c.name + " torus");
    expect_valid_on_mesh(generate::isomorphic_direct(test::alltoall(c.torus, fitted, block, c.order)), promise,
                         c.neighborhood, direct, {}, c.name + " direct");
    expect_valid_on_mesh(generate::isomorphic_straightforward(test::alltoall(c.torus, fitted, block)), promise,
                         c.neighborhood, straight, {}, c.name + " straightforward");
    auto const any = theory::alltoall_bounds_on_mesh_any(c.torus, Boundary::open, c.neighborhood, 1);
    expect_not_below_on_mesh(torus, theory::alltoall_bounds_on_mesh_unit(c.torus, Boundary::open, c.neighborhood, 1),
                             c.name + " torus");
    for (auto const& counts : {torus, direct, straight}) expect_not_below_on_mesh(counts, any, c.name);
  });
}

TEST(Mesh, allgather_of_random_neighborhoods_is_delivered_with_theorys_counts) {
  each_case_on_mesh([](Case const& c) {
    Neighborhood const fitted = fitting(c.torus, c.neighborhood);
    IsomorphicAllgather const promise{c.torus, c.neighborhood, Boundary::open};
    auto const torus = theory::allgather_dimension_wise_on_mesh(c.torus, c.neighborhood, c.order, 1);
    auto const direct = theory::allgather_direct_on_mesh(c.torus, c.neighborhood, c.order, 1);
    auto const straight = theory::straightforward_on_mesh(c.torus, c.neighborhood, 1);
    expect_valid_on_mesh(generate::isomorphic_dimension_wise(test::allgather(c.torus, fitted, block, c.order)), promise,
                         c.neighborhood, torus, mesh_links(c.torus), c.name + " torus");
    problem::Isomorphic open = test::allgather(c.torus, fitted, block, c.order);
    open.boundary = Boundary::open;  // two coordinates never lead to one rank
    expect_valid_on_mesh(generate::isomorphic_direct(open), promise, c.neighborhood, direct, {}, c.name + " direct");
    expect_valid_on_mesh(generate::isomorphic_straightforward(test::allgather(c.torus, fitted, block)), promise,
                         c.neighborhood, straight, {}, c.name + " straightforward");
    auto const any = theory::allgather_bounds_on_mesh_any(c.torus, Boundary::open, c.neighborhood, 1);
    expect_not_below_on_mesh(torus, theory::allgather_bounds_on_mesh_unit(c.torus, Boundary::open, c.neighborhood, 1),
                             c.name + " torus");
    for (auto const& counts : {torus, direct, straight}) expect_not_below_on_mesh(counts, any, c.name);
  });
}

TEST(Mesh, everything_at_once_and_several_ports_are_delivered) {
  each_case_on_mesh([](Case const& c) {
    Neighborhood const fitted = fitting(c.torus, c.neighborhood);
    auto const check = [&](Schedule const& periodic, Collective const& promise) {
      EXPECT_TRUE(verify(generate::isomorphic_on_mesh(periodic, c.neighborhood), promise).valid()) << c.name;
    };
    IsomorphicAlltoall const alltoall{c.torus, c.neighborhood, Boundary::open};
    IsomorphicAllgather const allgather{c.torus, c.neighborhood, Boundary::open};
    check(generate::isomorphic_posted(test::alltoall(c.torus, fitted, block)), alltoall);
    check(generate::isomorphic_posted(test::allgather(c.torus, fitted, block)), allgather);
    check(generate::isomorphic_dimension_wise(test::alltoall(c.torus, fitted, block, c.order, 3)), alltoall);
    check(generate::isomorphic_dimension_wise(test::allgather(c.torus, fitted, block, c.order, 3)), allgather);
  });
}

// A line of 3 with {1, -1, 3}: 3 does not fit. The first rank sends ahead only, the last back only; the one in between
// both. No block of the ends crosses the open side.
TEST(Mesh, ranks_at_the_sides_leave_out_what_does_not_exist) {
  Torus const line({3});
  Neighborhood const neighborhood(1, {{1}, {-1}, {3}});
  Schedule const schedule = generate::isomorphic_on_mesh(
      generate::isomorphic_dimension_wise(test::alltoall(line, fitting(line, neighborhood), block, {0})), neighborhood);
  EXPECT_EQ(text(schedule, Rank(0)),
            "round 1: to (1) send[0]\n"
            "round 2: from (1) into receive[1]\n");
  EXPECT_EQ(text(schedule, Rank(1)),
            "round 1: from (-1) into receive[0]; to (1) send[0]\n"
            "round 2: from (1) into receive[1]; to (-1) send[1]\n");
  EXPECT_EQ(text(schedule, Rank(2)),
            "round 1: from (-1) into receive[0]\n"
            "round 2: to (-1) send[1]\n");
}

TEST(Mesh, a_rank_alone_makes_the_program_it_has_among_all) {
  each_case_on_mesh([](Case const& c) {
    Schedule const periodic =
        generate::isomorphic_dimension_wise(test::alltoall(c.torus, fitting(c.torus, c.neighborhood), block, c.order));
    Schedule const all = generate::isomorphic_on_mesh(periodic, c.neighborhood);
    Rank const last(c.torus.size() - 1);
    Schedule alone = periodic;
    alone.programs = {generate::isomorphic_on_mesh(periodic, c.neighborhood, last)};
    EXPECT_EQ(text(alone, last), text(all, last)) << c.name;
  });
}

// Ranks that are as far from every side share a program: 5 kinds of coordinate on a line, with offsets up to 2.
TEST(Mesh, ranks_away_from_the_sides_share_a_program) {
  Torus const plane({50, 60});
  Schedule const schedule = generate::isomorphic_on_mesh(
      generate::isomorphic_dimension_wise(test::alltoall(plane, moore(2, 2), block, {0, 1})), moore(2, 2));
  EXPECT_EQ(schedule.programs.size(), 25U);
}

// The steps of {(1), (-1)} on a line are +1 and -1, no block goes past its target. Steps 2 and -1 for (1) would.
TEST(Mesh, refuses_ways_that_may_leave_the_mesh) {
  Torus const line({9});
  Neighborhood const neighborhood(1, {{1}, {2}});
  Decomposition const detour{{{2}, {-1}}, {{0, 1}, {0}}};
  Schedule const periodic = generate::isomorphic_basis(test::alltoall(line, neighborhood, block), detour);
  EXPECT_TRUE(verify(periodic, IsomorphicAlltoall{line, neighborhood}).valid());
  try {
    generate::isomorphic_on_mesh(periodic, neighborhood);
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(), "the block for neighbor (1) would pass (2), which may lie outside a mesh");
  }
}

/// Delivered, in the rounds of the steps, and with no more than all of their blocks.
void expect_steps_on_mesh(Schedule const& periodic, Collective const& collective, Case const& c,
                          theory::Counts const& steps, MachineLimits const& allowed) {
  Schedule const schedule = generate::isomorphic_on_mesh(periodic, c.neighborhood);
  EXPECT_TRUE(verify(schedule, collective, allowed).valid()) << c.name;
  EXPECT_EQ(measure(schedule).rounds, steps.rounds) << c.name;
  EXPECT_LE(measure(schedule).volume_blocks, static_cast<double>(steps.volume_blocks)) << c.name;
}

TEST(Mesh, steiner_and_basis_are_delivered_in_the_rounds_of_their_steps) {
  using test::counts_of_steps;
  using test::Walk;
  each_case_on_mesh([&](Case const& c) {
    Neighborhood const fitted = fitting(c.torus, c.neighborhood);
    Decomposition const unit = steiner_steps(c.torus, fitted, c.order, Boundary::open);
    IsomorphicAllgather const allgather{c.torus, c.neighborhood, Boundary::open};
    IsomorphicAlltoall const alltoall{c.torus, c.neighborhood, Boundary::open};
    expect_steps_on_mesh(generate::isomorphic_steiner(test::allgather(c.torus, c.neighborhood, block), unit), allgather,
                         c, counts_of_steps(c.torus, unit, Walk::same_steps_shared), mesh_links(c.torus));
    EXPECT_EQ(counts_of_steps(c.torus, unit, Walk::same_steps_shared).rounds,
              theory::alltoall_dimension_wise(c.torus, fitted).rounds)
        << c.name;
    Decomposition const any = additive_basis(c.torus, fitted, Boundary::open);
    expect_steps_on_mesh(generate::isomorphic_basis(test::alltoall(c.torus, c.neighborhood, block), any), alltoall, c,
                         counts_of_steps(c.torus, any, Walk::each_by_itself), {});
    expect_steps_on_mesh(generate::isomorphic_basis(test::allgather(c.torus, c.neighborhood, block), any), allgather, c,
                         counts_of_steps(c.torus, any, Walk::same_steps_shared), {});
  });
}

// {-7..7} without 0 takes 1, 2 and 4 in each direction; {1, 2, 3, 4} takes 1, 2 and 4, where a torus may need -1 too.
TEST(Mesh, bases_point_the_way_of_their_neighbors) {
  Torus const line({16});
  EXPECT_EQ(additive_basis(line, moore(1, 7), Boundary::open).steps.size(), 6u);
  Decomposition const up = additive_basis(line, octant(1, 4), Boundary::open);
  EXPECT_EQ(up.steps.size(), 3u);
  Neighborhood const both(1, {{2}, {-1}, {1}});
  for (auto const& step : additive_basis(line, both, Boundary::open).steps) EXPECT_LE(std::abs(step[0]), 2);
}

// Where the rounds are searched, theory has none.
TEST(Mesh, ports_and_sizes_are_as_theory_says) {
  int known = 0;
  each_case_on_mesh([&](Case const& c) {
    Neighborhood const fitted = fitting(c.torus, c.neighborhood);
    std::vector<Bytes> sizes;
    for (int i = 0; i < c.neighborhood.size(); ++i) sizes.emplace_back(i % 5 * 3);
    problem::BlockSizes const blocks(Bytes(1), sizes);
    auto const check = [&](Schedule const& periodic, theory::MeshCounts const& counts) {
      Measures const measures = measure(generate::isomorphic_on_mesh(periodic, c.neighborhood));
      EXPECT_EQ(measures.rounds, counts.rounds.value_or(measures.rounds)) << c.name;
      EXPECT_EQ(measures.volume_bytes, counts.volume_bytes) << c.name;
      known += counts.rounds ? 1 : 0;
    };
    for (int const ports : {2, 5}) {
      check(generate::isomorphic_dimension_wise(test::alltoall(c.torus, fitted, blocks, c.order, ports)),
            theory::alltoall_dimension_wise_on_mesh(c.torus, c.neighborhood, c.order, ports, sizes));
      check(generate::isomorphic_direct(test::alltoall(c.torus, fitted, blocks, c.order, ports)),
            theory::alltoall_direct_on_mesh(c.torus, c.neighborhood, c.order, ports, sizes));
      check(generate::isomorphic_straightforward(test::alltoall(c.torus, fitted, blocks, {}, ports)),
            theory::straightforward_on_mesh(c.torus, c.neighborhood, ports, sizes));
      Schedule const gathered = generate::isomorphic_on_mesh(
          generate::isomorphic_dimension_wise(test::allgather(c.torus, fitted, block, c.order, ports)), c.neighborhood);
      auto const counts = theory::allgather_dimension_wise_on_mesh(c.torus, c.neighborhood, c.order, ports);
      EXPECT_EQ(measure(gathered).rounds, counts.rounds.value_or(measure(gathered).rounds)) << c.name;
      EXPECT_EQ(measure(gathered).volume_blocks, static_cast<double>(counts.volume_blocks)) << c.name;
    }
  });
  EXPECT_GE(known, 3 * random_cases);  // of 6 schedules a case
}

}  // namespace
}  // namespace rondo
