// What stops a search, and what is known then.

#include "optimum/search.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <memory>

#include "sanitized.hpp"

namespace rondo::optimum::test {
namespace {

/// Each rank of a ring has a block for both ranks at distance 2; neighbors alone may talk.
Question two_hops_on_a_ring(int ranks) {
  Question question{.ranks = ranks, .links = std::vector<Link>()};
  for (int r = 0; r < ranks; ++r) {
    for (int const step : {1, ranks - 1}) question.links->push_back({r, (r + step) % ranks, 1});
    Block block{{r}, {(r + 2) % ranks, (r + ranks - 2) % ranks}};
    std::ranges::sort(block.wanted);
    question.blocks.push_back(std::move(block));
    question.names.push_back({Rank(r), BlockId(0)});
  }
  std::ranges::sort(*question.links);
  return question;
}

Question allgather(int ranks) {
  Question question{.ranks = ranks};
  for (int r = 0; r < ranks; ++r) {
    Block block{{r}, {}};
    for (int to = 0; to < ranks; ++to) {
      if (to != r) block.wanted.push_back(to);
    }
    question.blocks.push_back(std::move(block));
    question.names.push_back({Rank(r), BlockId(0)});
  }
  return question;
}

// 63 * 64 pairs carry 64 blocks in each of 6 rounds: 6 million clauses and more, which take seconds to build.
TEST(Search, stops_while_a_formula_is_built) {
  Question const question = allgather(64);
  Limits const limits{.rounds = 6, .message_blocks = 64};
  int looks = 0;
  auto const stop = [&] { return std::string(++looks < 3 ? "" : "timeout"); };
  std::clock_t const begin = std::clock();
  Solved const solved = solve(question, limits, stop, nullptr);
  double const seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(solved.verdict, Verdict::unknown);
  EXPECT_EQ(solved.stopped, "timeout");
  EXPECT_EQ(looks, 3) << "it stops at once";
  EXPECT_LT(seconds, rondo::test::sanitized ? 10 : 0.5);  // of this process
}

/// The first answer, with a proof in this file.
Answer answer_with_proof_in(char const* path) {
  std::FILE* file = nullptr;
  bool kept = false;
  SearchOptions options;
  options.begin_proof = [&] {
    if (file != nullptr) std::fclose(file);
    return file = std::fopen(path, "w+");
  };
  options.keep_proof = [&] { kept = true; };
  std::optional<Answer> first;
  search(two_hops_on_a_ring(5), options, [&](Answer const& answer) {
    if (!first) first = answer;
  });
  EXPECT_EQ(kept, first->refuted.has_value());
  if (file != nullptr) std::fclose(file);
  return *first;
}

// A refutation whose proof is lost is not believed; what was counted stays.
TEST(Search, believes_no_refutation_whose_proof_cannot_be_written) {
  Answer const full = answer_with_proof_in("/dev/full");
  EXPECT_EQ(full.stopped, "file");
  EXPECT_FALSE(full.refuted);
  EXPECT_EQ(full.at_least, 2);
  EXPECT_GE(full.at_most, 3);
  std::string const path = ::testing::TempDir() + "search_test.drat";
  Answer const written = answer_with_proof_in(path.c_str());
  std::remove(path.c_str());
  EXPECT_EQ(written.stopped, "");
  EXPECT_TRUE(written.refuted);
  EXPECT_EQ(written.at_least, 3);
}

}  // namespace
}  // namespace rondo::optimum::test
