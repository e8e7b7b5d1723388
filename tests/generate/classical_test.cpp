// Collectives on all ranks: every algorithm, in every form, is proved and has theory's counts. Their times are held
// against the native engine in tests/engine/classical_times.cpp.

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>

#include "base/error.hpp"
#include "base/random.hpp"
#include "classical_check.hpp"
#include "classical_forms.hpp"
#include "generate/classical.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using problem::Classical;
using problem::ClassicalAlgorithm;
using Algorithms = std::vector<ClassicalAlgorithm>;
using test::every_form;
using test::expect_as_in_theory;

constexpr ClassicalCollective all_collectives[] = {
    ClassicalCollective::bcast,     ClassicalCollective::gather,   ClassicalCollective::scatter,
    ClassicalCollective::allgather, ClassicalCollective::alltoall, ClassicalCollective::reduce_scatter,
    ClassicalCollective::reduce,    ClassicalCollective::scan,     ClassicalCollective::exscan,
    ClassicalCollective::allreduce, ClassicalCollective::barrier};

TEST(Classical, every_algorithm_delivers_on_1_to_64_ranks_with_theorys_counts) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int p = 1; p <= 64; p += p < 9 ? 1 : test::sampled) {
      for (Classical const& problem : every_form(collective, p, Bytes(100))) expect_as_in_theory(problem);
    }
  }
}

void expect_every_form_on(std::initializer_list<int> ranks) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int const p : ranks) {
      for (Classical const& problem : every_form(collective, p, Bytes(1000))) expect_as_in_theory(problem);
    }
  }
}

// One above a power of two, one with many divisors, a prime below a power of two, a power of three.
TEST(LongClassical, every_algorithm_delivers_on_four_larger_numbers_of_ranks) {
  expect_every_form_on({65, 96, 127, 243});
}

// Powers of two and of three, their neighbors, primes and numbers with many divisors. .ci/long runs it.
TEST(LongClassical, DISABLED_every_algorithm_delivers_on_20_larger_numbers_of_ranks) {
  expect_every_form_on(
      {65, 81, 96, 97, 100, 120, 125, 127, 128, 129, 192, 200, 210, 243, 255, 256, 257, 300, 343, 360});
}

// 2 (p - 1) p = 33,546,240 parts are moved, which takes gibibytes. .ci/long runs it.
TEST(LongClassical, DISABLED_an_allreduce_of_4096_ranks_in_parts_is_proved) {
  Classical problem{ClassicalCollective::allreduce, 4096, Bytes(4096), ClassicalAlgorithm("circulant")};
  problem.same_bits = true;
  EXPECT_TRUE(verify(generate::generate(problem), generate::promise(problem)).valid());
}

// Fewer bytes than ranks, none, and a prime.
TEST(Classical, blocks_of_any_size_are_cut_in_parts_that_add_up) {
  for (ClassicalCollective const collective : all_collectives) {
    for (Bytes const block : {Bytes(0), Bytes(1), Bytes(2), Bytes(7), Bytes(1009)}) {
      for (int const p : {1, 2, 3, 8, 13, 16}) {
        for (Classical const& problem : every_form(collective, p, block)) expect_as_in_theory(problem);
      }
    }
  }
}

TEST(Classical, three_hundred_problems_with_sizes_of_their_own_deliver_with_theorys_counts) {
  Random random(20);
  for (int i = 0; i < 300; ++i) {
    auto const collective = all_collectives[1 + random.below(5)];
    int const p = static_cast<int>(random.between(1, 40));
    auto const forms = every_form(collective, p, Bytes(random.between(1, 64)));
    Classical problem = forms[random.below(forms.size())];
    std::size_t const blocks = static_cast<std::size_t>(p) * (collective == ClassicalCollective::alltoall ? p : 1);
    for (std::size_t k = 0; k < blocks; ++k) {
      problem.sizes.each.emplace_back(random.below(4) == 0 ? 0 : random.between(0, 100));
    }
    expect_as_in_theory(problem);
  }
}

// Butterflies and trees of powers of two, with blocks that are all different: a message with others than theory's would
// not have theory's bytes.
TEST(Classical, blocks_that_all_differ_are_sent_as_theory_says_on_powers_of_two) {
  Random random(10);
  for (ClassicalCollective const collective :
       {ClassicalCollective::gather, ClassicalCollective::scatter, ClassicalCollective::allgather,
        ClassicalCollective::alltoall, ClassicalCollective::reduce_scatter}) {
    for (int const p : {2, 4, 8, 16, 32}) {
      for (Classical problem : every_form(collective, p, Bytes(1))) {
        int const blocks = p * (collective == ClassicalCollective::alltoall ? p : 1);
        for (int k = 0; k < blocks; ++k) problem.sizes.each.emplace_back(random.between(0, 1'000'000));
        expect_as_in_theory(problem);
      }
    }
  }
}

TEST(Classical, several_ports_serve_what_is_posted_at_once) {
  for (int const ports : {2, 3, 7}) {
    for (ClassicalCollective const collective : all_collectives) {
      for (Classical const& problem : every_form(collective, 27, Bytes(100))) expect_as_in_theory(problem, ports);
    }
  }
}

/// The faults of an allreduce with an operator that does not commute, or whose bits are to be the same at all ranks.
std::int64_t faults(ClassicalAlgorithm algorithm, int ranks, bool commutative, bool same_bits, int radix = 0) {
  Classical problem{ClassicalCollective::allreduce, ranks, Bytes(64), algorithm};
  problem.commutative = commutative;
  problem.same_bits = same_bits;
  problem.radix = radix;
  return verify(generate::generate(problem), generate::promise(problem)).violation_count;
}

// A rank joins runs of ranks that border on its own: trees and doubling from near to far. Around a ring the last rank
// comes before the first.
TEST(Allreduce, keeps_the_order_of_ranks_where_runs_of_ranks_are_joined) {
  for (int p = 2; p <= 40; ++p) {
    for (auto const algorithm :
         Algorithms{"linear", "nonoverlapping", "knomial", "recursive_doubling", "rabenseifner", "allgather_reduce"}) {
      EXPECT_EQ(faults(algorithm, p, false, false), 0) << enum_name(algorithm) << " " << p;
    }
    for (auto const algorithm : Algorithms{"ring", "segmented_ring", "circulant"}) {
      EXPECT_EQ(faults(algorithm, p, false, false) == 0, p == 2) << enum_name(algorithm) << " " << p;
    }
    EXPECT_EQ(faults("double_tree", p, false, false) == 0, p % 2 == 0 || p == 2) << p;
  }
  for (int const p : {8, 16, 32}) {
    for (auto const algorithm : Algorithms{"swing", "swing_latency", "bine", "bine_latency"}) {
      EXPECT_GT(faults(algorithm, p, false, false), 0) << enum_name(algorithm) << " " << p;
    }
  }
  EXPECT_EQ(faults("recursive_multiplying", 27, false, false, 3), 0);
  EXPECT_GT(faults("recursive_multiplying", 28, false, false, 3), 0);
}

// Where each part is reduced at one rank, or both of a pair join the same two contents in the same order, nobody's bits
// differ. In groups of three each rank begins with its own; and in Bine butterflies the members of a group have joined
// other pairs.
TEST(Allreduce, gives_all_ranks_the_same_bits_where_all_have_joined_the_same_pairs) {
  for (int p = 2; p <= 40; ++p) {
    for (auto const algorithm :
         Algorithms{"linear", "nonoverlapping", "knomial", "double_tree", "ring", "segmented_ring",
                    "recursive_doubling", "rabenseifner", "allgather_reduce", "circulant", "swing", "bine"}) {
      EXPECT_EQ(faults(algorithm, p, true, true), 0) << enum_name(algorithm) << " " << p;
    }
  }
  for (int const p : {8, 16, 32}) {
    for (auto const algorithm : Algorithms{"swing_latency", "bine_latency"}) {
      EXPECT_GT(faults(algorithm, p, true, true), 0) << enum_name(algorithm) << " " << p;
    }
  }
  EXPECT_GT(faults("recursive_multiplying", 9, true, true, 3), 0);
}

// Those that the libraries keep for operators that do not commute, on any number of ranks.
TEST(ReduceScatter, keeps_the_order_of_ranks_where_near_ones_are_joined_first) {
  for (int p = 1; p <= 70; ++p) {
    for (auto const algorithm :
         Algorithms{"linear", "nonoverlapping", "recursive_doubling", "butterfly", "noncommutative"}) {
      Classical problem{ClassicalCollective::reduce_scatter, p, Bytes(8), algorithm};
      problem.commutative = false;
      Verdict const verdict = verify(generate::generate(problem), generate::promise(problem));
      EXPECT_TRUE(verdict.valid()) << enum_name(algorithm) << " " << p;
    }
  }
}

// A promise apart from the generator: the schedule for another root, or for another way to cut, does not keep it.
TEST(Classical, a_schedule_for_another_root_does_not_keep_the_promise) {
  Classical problem{ClassicalCollective::bcast, 6, Bytes(60), ClassicalAlgorithm("binomial")};
  Schedule const schedule = generate::generate(problem);
  problem.root = 1;
  EXPECT_FALSE(verify(schedule, generate::promise(problem)).valid());
  problem = {ClassicalCollective::scatter, 6, Bytes(60), ClassicalAlgorithm("binomial")};
  EXPECT_FALSE(verify(schedule, generate::promise(problem)).valid());
}

TEST(Classical, algorithms_for_some_numbers_of_ranks_say_which) {
  auto const refusal = [](ClassicalCollective collective, ClassicalAlgorithm algorithm, int ranks) {
    try {
      generate::generate(Classical{collective, ranks, Bytes(8), algorithm});
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(ClassicalCollective::bcast, ClassicalAlgorithm("bine"), 12),
            "expected a power of two for bine, got 12");
  EXPECT_EQ(refusal(ClassicalCollective::allgather, ClassicalAlgorithm("swing"), 12),
            "expected a power of two for swing, got 12");
  EXPECT_EQ(refusal(ClassicalCollective::allgather, ClassicalAlgorithm("neighbor_exchange"), 7),
            "expected an even number of ranks for neighbor_exchange, got 7");
  EXPECT_EQ(refusal(ClassicalCollective::alltoall, ClassicalAlgorithm("two_process"), 3),
            "expected 2 ranks for two_process, got 3");
  EXPECT_EQ(refusal(ClassicalCollective::reduce_scatter, ClassicalAlgorithm("bine"), 6),
            "expected a power of two for bine, got 6");
  auto const refused_on = [](std::vector<int> const& extents) {
    Classical problem{ClassicalCollective::allreduce, 16, Bytes(8), ClassicalAlgorithm("swing")};
    problem.extents = extents;
    try {
      generate::generate(problem);
    } catch (InputError const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused_on({4, 3}), "expected extents that are powers of two for swing, got 3");
  EXPECT_EQ(refused_on({4, 2}), "expected extents of 16 ranks for swing, got those of 8");
  EXPECT_EQ(refused_on({4, 8}), "expected extents of 16 ranks for swing, got those of more than 16");
}

// By their descriptions: with n bytes at each of p ranks, m = n / p, a binomial tree reduces n in each of its rounds at
// its root, halving n (q-1)/q in all and n once more where two ranks are folded, a scatter by p-1 blocks (p-1) m.
TEST(Classical, a_rank_reduces_as_many_bytes_as_the_description_says) {
  struct Expected {
    ClassicalCollective collective;
    ClassicalAlgorithm algorithm;
    int ranks;
    std::int64_t block, reduced;
  };
  constexpr auto reduce = ClassicalCollective::reduce;
  constexpr auto scatter = ClassicalCollective::reduce_scatter;
  for (Expected const& e :
       {Expected{reduce, "linear", 16, 1600, 15 * 1600},
        {reduce, "binomial", 16, 1600, 4 * 1600},
        {reduce, "pipeline", 16, 1600, 1600},
        {reduce, "binary", 15, 1600, 2 * 1600},
        {reduce, "in_order_binary", 15, 1600, 2 * 1600},
        {reduce, "rabenseifner", 16, 1600, 1500},
        {reduce, "rabenseifner", 20, 1600, 1600 + 1500},
        {scatter, "ring", 7, 100, 600},
        {scatter, "pairwise", 7, 100, 600},
        {scatter, "circulant", 7, 100, 600},
        {scatter, "bine", 16, 100, 1500},
        {scatter, "recursive_halving", 16, 100, 1500},
        {scatter, "recursive_doubling", 16, 100, 4 * 1600 - 1500},
        {scatter, "butterfly", 16, 100, 1500},
        {scatter, "noncommutative", 16, 100, 1500},
        // Twenty blocks of a folded rank, then those of 8, 4, 2 and 1 nodes, of which the first 4 have two.
        {scatter, "butterfly", 20, 100, 2000 + 1200 + 800 + 400 + 200},
        {scatter, "noncommutative", 20, 100, 2000 + 1000 + 500 + 300 + 200},
        {scatter, "nonoverlapping", 16, 100, 4 * 1600},
        {scatter, "linear", 16, 100, 15 * 1600},
        {ClassicalCollective::allreduce, "allgather_reduce", 16, 100, 15 * 100},
        {ClassicalCollective::scan, "linear", 9, 100, 100}}) {
    Classical const problem{e.collective, e.ranks, Bytes(e.block), e.algorithm};
    SCOPED_TRACE(test::name_of(problem));
    EXPECT_EQ(measure(generate::generate(problem)).reduced_bytes.value, e.reduced);
  }
}

// Open MPI's linear exchange with sync posts its sends to rank - 1, rank - 2, ... and its receives from rank + 1, ...;
// max_requests of them are under way each way, all p - 1 where that is 0.
TEST(Classical, linear_sync_has_a_window_of_messages_to_lower_ranks) {
  Classical problem{ClassicalCollective::alltoall, 6, Bytes(8), ClassicalAlgorithm("linear_sync")};
  EXPECT_EQ(generate::generate(problem).rounds(), 1);
  problem.radix = 2;
  Schedule const schedule = generate::generate(problem);
  EXPECT_EQ(schedule.rounds(), 3);  // ceil(5 / 2)
  EXPECT_EQ(measure(schedule).ports, 2);
}

// By its paper the dimensions of a torus take turns, each with the distances 1, -1, 3, ... of its own ring, which even
// coordinates add and odd ones subtract; the second dimension of 2 x 8 goes on alone. Rank 6 of 4 x 4 is at (1, 2), and
// goes to (0, 2), (1, 3), (2, 2), (1, 1); rank 5 of 2 x 8 is at (0, 5) and goes to (1, 5), (0, 4), (0, 6), (0, 2).
TEST(Classical, swing_takes_the_dimensions_of_a_torus_in_turn) {
  Classical problem{ClassicalCollective::allreduce, 16, Bytes(16), ClassicalAlgorithm("swing")};
  auto const partners = [&](int rank, std::vector<int> const& extents) {
    problem.extents = extents;
    Schedule const schedule = generate::generate(problem);
    std::vector<int> found;
    for (int round = 1; round <= schedule.rounds(); ++round) {
      found.push_back(schedule.peer(Rank(rank), schedule.program(Rank(rank)).sends(round)[0]).value);
    }
    return found;
  };
  EXPECT_EQ(partners(0, {4, 4}), (std::vector{4, 1, 12, 3, 3, 12, 1, 4}));
  EXPECT_EQ(partners(6, {4, 4}), (std::vector{2, 7, 10, 5, 5, 10, 7, 2}));
  EXPECT_EQ(partners(5, {2, 8}), (std::vector{13, 4, 6, 2, 2, 6, 4, 13}));
}

// By its paper, rho(s) = (1 - (-2)^(s+1)) / 3 is 1, -1, 3, -5 for s = 0 .. 3, even ranks add it and odd ones subtract
// it; an allgather has the steps of a reduce-scatter backwards. So among 16 ranks rank 2 exchanges with 13, 5, 1 and 3,
// and sends 1, 2, 4 and 8 blocks.
TEST(Classical, swing_gathers_from_far_to_near) {
  Classical const problem{ClassicalCollective::allgather, 16, Bytes(10), ClassicalAlgorithm("swing")};
  Schedule const schedule = generate::generate(problem);
  Program const& program = schedule.program(Rank(2));
  ASSERT_EQ(program.rounds(), 4);
  int const partners[] = {13, 5, 1, 3};
  for (int t = 0; t < 4; ++t) {
    auto const sent = program.sends(t + 1);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].peer, partners[t]);
    EXPECT_EQ(program.bytes(sent[0]), Bytes(10 << t));
  }
}

// [Traeff23]: each of n blocks has to leave the root, which sends one a round, and the last one has to come to p - 1
// others, of which a round at most doubles those that have it: n - 1 + ceil(log2 p) rounds, which circulant takes.
TEST(Bcast, circulant_takes_the_fewest_rounds_for_any_ranks_and_segments) {
  for (int p = 2; p <= 70; ++p) {
    int const levels = std::bit_width(static_cast<unsigned>(p - 1));
    for (int const blocks : {1, 2, 3, 5, 8, 21}) {
      Classical problem{ClassicalCollective::bcast, p, Bytes(10 * blocks), ClassicalAlgorithm("circulant")};
      problem.segment = Bytes(10);
      Schedule const schedule = generate::generate(problem);
      EXPECT_EQ(schedule.rounds(), blocks - 1 + levels) << test::name_of(problem);
      Measures const counted = measure(schedule);
      EXPECT_EQ(counted.messages, blocks * (p - 1)) << "every block comes once to every rank but the root";
      EXPECT_EQ(counted.ports, 1);
      EXPECT_TRUE(verify(schedule, generate::promise(problem)).valid()) << test::name_of(problem);
    }
  }
}

/// Messages of a rank to other groups, and the blocks of 10 bytes in them.
std::pair<int, std::int64_t> to_other_groups(Schedule const& schedule, Rank rank, int group) {
  Program const& program = schedule.program(rank);
  std::pair<int, std::int64_t> sent;
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& each : program.sends(round)) {
      if (each.peer / group == rank.value / group) continue;
      ++sent.first;
      sent.second += program.bytes(each).value / 10;
    }
  }
  return sent;
}

// [Bienz22]: among g groups of k ranks a rank sends ceil(log_k g) messages to other groups, none if it is the first of
// its group, of k, k^2, ... blocks. Bruck's in a group takes ceil(log2 k) rounds, once before and once behind each.
TEST(Classical, locality_bruck_leaves_groups_rarely) {
  struct Expected {
    int groups, size, rounds, messages, blocks;
  };
  for (Expected const& e : {Expected{4, 4, 2 + 3, 1, 4},
                            {16, 4, 2 + 2 * 3, 2, 4 + 16},
                            {9, 3, 2 + 2 * 3, 2, 3 + 9},
                            {8, 2, 1 + 3 * 2, 3, 2 + 4 + 8},
                            {5, 4, 2 + 2 * 3, 2, 4 + 4},  // the second time the one group that is left
                            {1, 8, 3, 0, 0}}) {
    Classical problem{ClassicalCollective::allgather, e.groups * e.size, Bytes(10),
                      ClassicalAlgorithm("locality_bruck")};
    problem.group_size = e.size;
    SCOPED_TRACE(test::name_of(problem));
    Schedule const schedule = generate::generate(problem);
    EXPECT_EQ(schedule.rounds(), e.rounds);
    EXPECT_EQ(verify(schedule, generate::promise(problem)).redundant_blocks, 0);
    for (int r = 0; r < problem.ranks; ++r) {
      auto const [messages, blocks] = to_other_groups(schedule, Rank(r), e.size);
      EXPECT_LE(messages, r % e.size == 0 ? 0 : e.messages);
      if (r % e.size == 1) {
        EXPECT_EQ(blocks, e.blocks);
      }
    }
  }
}

// The proof is the judge of which algorithms keep the order of ranks, and nothing else is wrong with those that do not.
TEST(Classical, only_what_keeps_the_order_of_ranks_is_delivered_in_it) {
  for (ClassicalCollective const collective : {ClassicalCollective::reduce, ClassicalCollective::reduce_scatter}) {
    for (Classical problem : every_form(collective, 16, Bytes(64))) {
      problem.commutative = false;
      SCOPED_TRACE(test::name_of(problem));
      Verdict const verdict = verify(generate::generate(problem), generate::promise(problem));
      EXPECT_EQ(verdict.valid(), test::keeps_order(problem));
      for (Violation const& each : verdict.violations) EXPECT_EQ(each.fault, Fault::out_of_order) << each.text;
    }
  }
}

}  // namespace
}  // namespace rondo
