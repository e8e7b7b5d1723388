// Collectives on all ranks: every algorithm, in every form, is proved and has theory's counts. Their times are held
// against the native engine in tests/engine/classical_times.cpp.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "classical_check.hpp"
#include "classical_forms.hpp"
#include "generate/classical.hpp"

namespace rondo {
namespace {

using problem::Classical;
using problem::ClassicalAlgorithm;
using test::every_form;
using test::expect_as_in_theory;

constexpr ClassicalCollective all_collectives[] = {ClassicalCollective::bcast, ClassicalCollective::gather,
                                                   ClassicalCollective::scatter, ClassicalCollective::allgather,
                                                   ClassicalCollective::alltoall};

TEST(Classical, every_algorithm_delivers_on_1_to_64_ranks_with_theorys_counts) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int p = 1; p <= 64; ++p) {
      for (Classical const& problem : every_form(collective, p, Bytes(100))) expect_as_in_theory(problem);
    }
  }
}

// Powers of two and of three, their neighbors, primes and numbers with many divisors.
TEST(LongClassical, every_algorithm_delivers_on_20_larger_numbers_of_ranks) {
  for (ClassicalCollective const collective : all_collectives) {
    for (int const p :
         {65, 81, 96, 97, 100, 120, 125, 127, 128, 129, 192, 200, 210, 243, 255, 256, 257, 300, 343, 360}) {
      for (Classical const& problem : every_form(collective, p, Bytes(1000))) expect_as_in_theory(problem);
    }
  }
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
    auto const collective = all_collectives[1 + random.below(4)];
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

TEST(Classical, several_ports_serve_what_is_posted_at_once) {
  for (int const ports : {2, 3, 7}) {
    for (ClassicalCollective const collective : all_collectives) {
      for (Classical const& problem : every_form(collective, 27, Bytes(100))) expect_as_in_theory(problem, ports);
    }
  }
}

// A promise apart from the generator: the schedule for another root, or for another way to cut, does not keep it.
TEST(Classical, a_schedule_for_another_root_does_not_keep_the_promise) {
  Classical problem{ClassicalCollective::bcast, 6, Bytes(60), ClassicalAlgorithm::binomial};
  Schedule const schedule = generate::generate(problem);
  problem.root = 1;
  EXPECT_FALSE(verify(schedule, generate::promise(problem)).valid());
  problem = {ClassicalCollective::scatter, 6, Bytes(60), ClassicalAlgorithm::binomial};
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
  EXPECT_EQ(refusal(ClassicalCollective::bcast, ClassicalAlgorithm::bine, 12),
            "expected a power of two for bine, got 12");
  EXPECT_EQ(refusal(ClassicalCollective::allgather, ClassicalAlgorithm::neighbor_exchange, 7),
            "expected an even number of ranks for neighbor_exchange, got 7");
  EXPECT_EQ(refusal(ClassicalCollective::alltoall, ClassicalAlgorithm::two_process, 3),
            "expected 2 ranks for two_process, got 3");
}

}  // namespace
}  // namespace rondo
