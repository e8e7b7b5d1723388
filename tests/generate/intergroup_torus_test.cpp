// Two groups on a torus: generator, promise and theory together, and bounds against optima that a SAT solver finds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "generate/fewest_rounds.hpp"
#include "generate/generate.hpp"
#include "intergroup_check.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using Asked = IntergroupCollective;

constexpr std::array every = {Asked::allgather, Asked::exchange, Asked::gather, Asked::scatter, Asked::reduce};

/// A torus whose first `rows` rows are senders.
struct Shape {
  std::vector<int> extents;
  int rows;

  Torus torus() const { return Torus(extents); }
  int row() const { return torus().size() / extents[0]; }
  Groups groups() const { return {rows * row(), (extents[0] - rows) * row()}; }
  problem::Intergroup problem(IntergroupCollective collective, Bytes block) const {
    problem::Intergroup problem{groups(), block};
    problem.algorithm = problem::IntergroupAlgorithm::torus_rings;
    problem.collective = collective;
    problem.torus = torus();
    return problem;
  }
  std::string name(IntergroupCollective collective) const {
    return fmt::format("{} on {}, {} rows of senders", enum_name(problem::kind_of(collective)), listed(extents, "x"),
                       rows);
  }
};

theory::IntergroupBounds bounds_of(Shape const& shape, IntergroupCollective collective) {
  return theory::intergroup_bounds_torus(collective, shape.groups(), shape.torus(), 1);
}

theory::IntergroupCounts check(Shape const& shape, IntergroupCollective collective, Bytes block) {
  problem::Intergroup const problem = shape.problem(collective, block);
  Schedule const schedule = generate::generate(problem);
  std::string const what = shape.name(collective);
  EXPECT_EQ(schedule.promises.links, Links::unit) << what;
  EXPECT_EQ(schedule.torus, shape.torus()) << what;
  auto const counts = theory::torus_rings(collective, shape.groups(), shape.torus(), block);
  auto const promise = std::get<IntergroupPromise>(generate::promise(problem));
  Verdict const verdict = expect_as_in_theory(schedule, promise, counts, bounds_of(shape, collective), what);
  EXPECT_EQ(verdict.redundant_blocks, 0) << what;
  return counts;
}

struct Row {
  IntergroupCollective collective;
  Shape shape;
  std::int64_t rounds;
  double critical_blocks;
};

// Item [Kang19, tori]: holds.
TEST(IntergroupTorus, takes_the_rounds_and_blocks_of_the_table) {
  // Added up by hand. 4x4x4 with 32 senders: ring_optimal of 2 and 2 takes 2 rounds of a block, a ring of 4 gathers in
  // 2 rounds of 1 and 2 times what one has. Along a ring of 5 or of 3 it takes 4 or 2 rounds, and a rank gathers in 3
  // or 2.
  std::vector<Row> const table = {
      {Asked::allgather, {{4, 4, 4}, 2}, 2 + 2 + 2, 2 + 2 * 3 + 8 * 3},
      {Asked::exchange, {{4, 4, 4}, 2}, 2 + 2 + 2, 3 + 2 * 3 + 8 * 3},
      {Asked::gather, {{4, 4, 4}, 2}, 2 + 2 + 2, 3 + 4 * 3 + 16 * 2},
      {Asked::scatter, {{4, 4, 4}, 2}, 2 + 2 + 2, 3 + 4 * 3 + 16 * 2},
      {Asked::reduce, {{4, 4, 4}, 2}, 2 + 2 + 2, 6},
      {Asked::allgather, {{5, 3}, 2}, 3 + 2, 3 + 2 * 2},
      {Asked::exchange, {{5, 3}, 2}, 4 + 2, 4 + 3 * 2},
      {Asked::gather, {{5, 3}, 2}, 2 + 2, 2 + 3 * 2},
      {Asked::scatter, {{5, 3}, 2}, 2 + 3, 2 + 3 * 3},
      {Asked::reduce, {{5, 3}, 2}, 2 + 2, 4},
      {Asked::gather, {{3, 5}, 1}, 3 + 1, 4 + 5},
      {Asked::allgather, {{7}, 4}, 5, 5},
      {Asked::allgather, {{3, 4}, 1}, 2 + 2, 2 + 3},
      {Asked::exchange, {{2, 2, 2}, 1}, 3, 1 + 1 + 2},
      {Asked::reduce, {{3, 2, 5}, 1}, 1 + 3 + 1, 5},
  };
  for (Row const& row : table) {
    auto const counts = check(row.shape, row.collective, Bytes(8));
    EXPECT_EQ(counts.rounds, row.rounds) << row.shape.name(row.collective);
    EXPECT_EQ(counts.critical_blocks, row.critical_blocks) << row.shape.name(row.collective);
  }
}

TEST(IntergroupTorus, of_even_extents_is_exchanged_in_as_many_rounds_as_the_largest_distance) {
  for (Shape const& shape : std::vector<Shape>{{{2, 2}, 1}, {{4, 6}, 3}, {{6, 2, 4}, 1}, {{2, 4, 2, 2}, 1}}) {
    EXPECT_EQ(check(shape, Asked::exchange, Bytes(8)).rounds, bounds_of(shape, Asked::exchange).rounds)
        << shape.name(Asked::exchange);
  }
}

Shape random_shape(Random& random, int most_dimensions, int most_extent) {
  auto const between = [&](int low, int high) { return static_cast<int>(random.between(low, high)); };
  Shape shape{{between(2, most_extent)}, 1};
  int const more = between(0, most_dimensions - 1);
  for (int j = 0; j < more; ++j) shape.extents.push_back(between(1, most_extent));
  shape.rows = between(1, shape.extents[0] - 1);
  return shape;
}

TEST(IntergroupTorus, of_any_shape_delivers_with_theorys_counts_and_time_above_the_bounds) {
  Random random(7);
  for (int i = 0; i < 200 / test::thinned; ++i) {
    Shape const shape = random_shape(random, 4, 5);
    for (IntergroupCollective const collective : every) {
      check(shape, collective, Bytes(random.between(0, 1) == 0 ? 8 : random.between(1, 100000)));
    }
  }
}

/// A message of a schedule; there is at most one between two ranks in a round.
struct Sent {
  int from, to, round;
  bool operator==(Sent const&) const = default;
};

/// The schedule with the places of each message as `change(message, places, is_send)` leaves them. A message without
/// places is left out.
template <typename Change>
Schedule changed(Schedule const& schedule, Change const& change) {
  Schedule result = schedule;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    ProgramBuilder builder(program.layout());
    for (int round = 0; round <= program.rounds(); ++round) {
      if (round > 0) builder.begin_round();
      for (Transfer const& each : program.receives(round)) {
        int const peer = schedule.peer(Rank(rank), each).value;
        std::vector<Place> places(program.places(each).begin(), program.places(each).end());
        change(Sent{peer, rank, round}, places, false);
        if (!places.empty()) builder.receive(peer, places, each.join);
      }
      for (Transfer const& each : program.sends(round)) {
        int const peer = schedule.peer(Rank(rank), each).value;
        std::vector<Place> places(program.places(each).begin(), program.places(each).end());
        change(Sent{rank, peer, round}, places, true);
        if (!places.empty()) builder.send(peer, places);
      }
      for (Copy const& copy : program.copies(round)) builder.copy(copy.from, copy.into, copy.join);
    }
    result.programs[static_cast<std::size_t>(rank)] = std::move(builder).finish();
  }
  return result;
}

/// No message can be left out, nor any of its blocks, nor can two of its blocks be confused. In an exchange ranks pass
/// on what they do not need themselves, so that some faults do no harm there, but most do.
TEST(IntergroupTorus, is_refused_by_the_proof_with_a_fault_in_any_message) {
  Random random(11);
  int of_exchanges = 0, refused_exchanges = 0;
  for (int i = 0; i < 60 / test::thinned; ++i) {
    Shape const shape = random_shape(random, 3, 4);
    for (IntergroupCollective const collective : every) {
      problem::Intergroup const problem = shape.problem(collective, Bytes(8));
      Schedule const whole = generate::generate(problem);
      Collective const promise = generate::promise(problem);
      std::vector<Sent> messages, of_several;
      Schedule const same = changed(whole, [&](Sent const& sent, std::vector<Place> const& places, bool is_send) {
        if (is_send) messages.push_back(sent);
        if (is_send && places.size() > 1) of_several.push_back(sent);
      });
      ASSERT_TRUE(verify(same, promise).valid()) << shape.name(collective);
      Sent const lost = messages[random.below(messages.size())];
      auto const lose = [&](Sent const& sent, std::vector<Place>& places, bool /*is_send*/) {
        if (sent == lost) places.clear();
      };
      bool const refused = !verify(changed(whole, lose), promise).valid();
      if (collective == Asked::exchange) {
        ++of_exchanges;
        refused_exchanges += refused ? 1 : 0;
        continue;
      }
      EXPECT_TRUE(refused) << shape.name(collective) << " round " << lost.round;
      if (of_several.empty()) continue;
      Sent const picked = of_several[random.below(of_several.size())];
      auto const shorten = [&](Sent const& sent, std::vector<Place>& places, bool /*is_send*/) {
        if (sent == picked) places.pop_back();
      };
      auto const swap = [&](Sent const& sent, std::vector<Place>& places, bool is_send) {
        if (sent == picked && is_send) std::swap(places.front(), places.back());
      };
      EXPECT_FALSE(verify(changed(whole, shorten), promise).valid()) << shape.name(collective) << picked.round;
      EXPECT_FALSE(verify(changed(whole, swap), promise).valid()) << shape.name(collective) << picked.round;
    }
  }
  EXPECT_GT(2 * refused_exchanges, of_exchanges);
}

TEST(IntergroupTorus, of_one_dimension_is_the_optimum_on_a_ring) {
  for (int p = 1; p <= 9; ++p) {
    for (int q = 1; q <= 9; ++q) {
      Shape const ring{{p + q}, p};
      auto const counts = theory::ring_optimal(ring.groups(), Bytes(8));
      EXPECT_EQ(check(ring, Asked::allgather, Bytes(8)).rounds, counts.rounds) << p << " and " << q;
      Shape const with_ones{{p + q, 1, 1}, p};
      EXPECT_EQ(check(with_ones, Asked::allgather, Bytes(8)).rounds, counts.rounds) << p << " and " << q;
    }
  }
}

TEST(IntergroupTorus, has_no_sizes_but_those_of_senders) {
  Shape const shape{{4, 3}, 2};
  problem::Intergroup problem = shape.problem(Asked::allgather, Bytes(10));
  problem.sizes.each = {Bytes(0), Bytes(7), Bytes(100), Bytes(3), Bytes(0), Bytes(12345)};
  Schedule const schedule = generate::generate(problem);
  EXPECT_TRUE(verify(schedule, generate::promise(problem)).valid());
  // Each receiver gets all six blocks.
  EXPECT_EQ(measure(schedule).rounds,
            theory::torus_rings(Asked::allgather, shape.groups(), shape.torus(), Bytes(1)).rounds);
}

/// Who wants whose block.
fewest_rounds::Problem wanted(Shape const& shape, IntergroupCollective collective) {
  Groups const groups = shape.groups();
  int const p = groups.senders(), n = groups.ranks();
  fewest_rounds::Problem problem{n, fewest_rounds::unit_links(shape.torus()), {}};
  problem.targets.resize(static_cast<std::size_t>(n));
  for (int a = 0; a < p; ++a) {
    auto& targets = problem.targets[static_cast<std::size_t>(a)];
    for (int b = p; b < n; ++b) {
      bool const to_root = collective == Asked::gather || collective == Asked::reduce;
      if ((collective == Asked::scatter && a > 0) || (to_root && b > p)) continue;
      targets.push_back(b);
      if (collective == Asked::exchange) problem.targets[static_cast<std::size_t>(b)].push_back(a);
    }
  }
  return problem;
}

// A reduction needs no fewer rounds than a gather, whose messages carry any number of blocks.
TEST(IntergroupTorus, no_schedule_on_a_small_torus_takes_fewer_rounds_than_the_bounds) {
  std::vector<Shape> shapes = {{{2, 2}, 1}, {{2, 3}, 1}, {{3, 2}, 1}, {{3, 2}, 2}, {{4, 2}, 1},   {{4, 2}, 2},
                               {{4, 2}, 3}, {{3, 3}, 1}, {{3, 3}, 2}, {{2, 4}, 1}, {{2, 2, 2}, 1}};
  if (test::thinned > 1) shapes.resize(5);
  for (Shape const& shape : shapes) {
    for (IntergroupCollective const collective : every) {
      std::int64_t const optimum = fewest(wanted(shape, collective));
      std::int64_t const rounds = measure(generate::generate(shape.problem(collective, Bytes(8)))).rounds;
      EXPECT_LE(bounds_of(shape, collective).rounds, optimum) << shape.name(collective);
      EXPECT_LE(optimum, rounds) << shape.name(collective);
    }
  }
}

TEST(IntergroupTorus, refuses_groups_that_are_no_rows) {
  problem::Intergroup problem = Shape{{4, 4}, 2}.problem(Asked::gather, Bytes(8));
  problem.groups = Groups(6, 10);
  EXPECT_THROW(generate::generate(problem), InputError);
  problem.groups = Groups(8, 4);
  EXPECT_THROW(generate::generate(problem), InputError);
}

}  // namespace
}  // namespace rondo
