// The quick count of messages of collectives on all ranks against the predictions that follow each of them.

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "problem/enums.hpp"
#include "theory/predict.hpp"

namespace rondo::test {
namespace {

using problem::Classical;

/// Calls use(problem) for each algorithm of each collective on some numbers of ranks that it knows.
template <typename Use>
void each_problem(Use const& use) {
  for (int c = 0; c <= static_cast<int>(ClassicalCollective::barrier); ++c) {
    auto const collective = static_cast<ClassicalCollective>(c);
    for (problem::ClassicalAlgorithm const algorithm : problem::classical_algorithms(collective)) {
      for (int const ranks : {1, 2, 7, 8, 16}) {
        Classical each{.collective = collective, .ranks = ranks, .sizes = Bytes(96), .algorithm = algorithm};
        each.group_size = 2;
        if (collective == ClassicalCollective::barrier) each.sizes = Bytes(0);
        try {
          problem::expect_ranks_fit(each);
        } catch (InputError const&) {
          continue;
        }
        use(each);
      }
    }
  }
}

std::string name_of(Classical const& problem) {
  return std::string(enum_name(problem::kind_of(problem))) + " by " + std::string(enum_name(problem.algorithm)) +
         " on " + std::to_string(problem.ranks);
}

TEST(CountMessages, agrees_with_the_prediction_for_every_algorithm) {
  // 1 us and 1 ns a byte.
  theory::MachineCost const cost{{Seconds(1e-6), BytesPerSecond(1e9)}, {Seconds(1e-6), BytesPerSecond(1e9)}};
  each_problem([&](Classical const& problem) {
    Figures const theory = theory::predict(problem, cost).theory;
    auto const counts = theory::count_messages(problem, 1'000'000);
    ASSERT_TRUE(counts) << name_of(problem);
    EXPECT_EQ(counts->messages, theory.messages) << name_of(problem);
    EXPECT_LE(counts->finest, counts->units) << name_of(problem);
  });
}

TEST(CountMessages, ends_at_the_most_that_are_to_be_counted) {
  Classical problem{.collective = ClassicalCollective::alltoall, .ranks = 16, .sizes = Bytes(1)};
  EXPECT_TRUE(theory::count_messages(problem, 16 * 15));
  EXPECT_FALSE(theory::count_messages(problem, 16 * 15 - 1));
  problem.ranks = 1 << 20;  // 10^12 messages
  EXPECT_FALSE(theory::count_messages(problem, 1000));
}

/// In the linear alltoall each of 16 ranks posts 15 messages at once, one by one in the pairwise one.
TEST(CountMessages, knows_how_many_wait_for_each_other) {
  Classical problem{.collective = ClassicalCollective::alltoall, .ranks = 16, .sizes = Bytes(1)};
  EXPECT_EQ(theory::count_messages(problem, 1000)->compared, 16 * 15 * 15);
  problem.algorithm = problem::ClassicalAlgorithm("pairwise");
  EXPECT_EQ(theory::count_messages(problem, 1000)->compared, 0);
}

}  // namespace
}  // namespace rondo::test
