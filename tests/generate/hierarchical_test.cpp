// Hierarchical collectives: every composition is proved and has the counts that theory adds up from its parts.

#include <gtest/gtest.h>

#include "classical_check.hpp"
#include "compositions.hpp"
#include "generate/classical.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using problem::Classical;
using problem::ClassicalAlgorithm;
using test::expect_as_in_theory;

void expect_random_compositions(int count, std::uint64_t seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    Classical const problem = test::random_composition(random);
    expect_as_in_theory(problem, static_cast<int>(random.between(1, 3)));
    if (::testing::Test::HasFailure()) {
      FAIL() << "composition " << i << " of seed " << seed;
    }
  }
}

TEST(Hierarchical, a_hundred_random_compositions_deliver_with_theorys_counts) { expect_random_compositions(100, 57); }

TEST(LongHierarchical, DISABLED_fuzz) { for (int s = 0; s < 40; ++s) expect_random_compositions(500, s); }

TEST(LongHierarchical, five_hundred_random_compositions_deliver_with_theorys_counts) {
  expect_random_compositions(500, 574);
}

}  // namespace
}  // namespace rondo
