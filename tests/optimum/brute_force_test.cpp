// Bounds and searches against all schedules of very small questions.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "optimum/bounds.hpp"
#include "optimum/brute_force.hpp"
#include "optimum/search.hpp"

namespace rondo::optimum::test {
namespace {

struct Asked {
  Question question;
  std::optional<int> message_blocks;
};

/// Some ranks hold a block, some others want it; any ranks may talk, or those of a ring or of some links both ways.
Asked random_question(std::mt19937_64& random, int most_ranks) {
  auto const from_to = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Question question;
  question.ranks = from_to(2, most_ranks);
  int const p = question.ranks;
  question.ports = p < 4 || from_to(0, 3) > 0 ? 1 : 2;
  if (from_to(0, 1) == 0) {
    question.links.emplace();
    for (int r = 0; r < p; ++r) {
      for (int other = r + 1; other < p; ++other) {
        if (other != r + 1 && from_to(0, 2) > 0) continue;  // a line, and some links more
        question.links->push_back({r, other, 1});
        question.links->push_back({other, r, 1});
      }
    }
    std::ranges::sort(*question.links);
  }
  int const blocks = from_to(1, p < 5 ? 4 : 3);
  while (static_cast<int>(question.blocks.size()) < blocks) {
    Block block;
    for (int r = 0; r < p; ++r) {
      int const part = from_to(0, 3);
      if (part == 0) block.held.push_back(r);
      if (part > 1) block.wanted.push_back(r);
    }
    if (block.held.empty() || block.wanted.empty()) continue;
    question.blocks.push_back(block);
    question.names.push_back({Rank(block.held.front()), BlockId(static_cast<std::uint32_t>(question.names.size()))});
  }
  std::optional<int> const message_blocks = from_to(0, 1) == 0 ? std::nullopt : std::optional(from_to(1, 2));
  return {std::move(question), message_blocks};
}

std::string words(Asked const& asked) {
  std::string text = std::to_string(asked.question.ranks) + " ranks, " + std::to_string(asked.question.ports) +
                     " ports, blocks of a message: " + std::to_string(asked.message_blocks.value_or(-1)) +
                     (asked.question.links ? ", links" : "");
  for (Block const& block : asked.question.blocks) {
    text += ";";
    for (int const r : block.held) text += " " + std::to_string(r);
    text += " to";
    for (int const r : block.wanted) text += " " + std::to_string(r);
  }
  return text;
}

constexpr int enough_rounds = 12;

void expect_as_all_schedules_say(Asked const& asked) {
  Question const& question = asked.question;
  BruteForce all(question, asked.message_blocks);
  std::optional<int> const fewest = all.rounds(enough_rounds);
  ASSERT_TRUE(fewest) << words(asked);
  EXPECT_LE(rounds_bound(question, asked.message_blocks).at_least, *fewest) << words(asked);
  std::vector<Answer> answers;
  search(question, {.message_blocks = asked.message_blocks}, [&](Answer const& each) { answers.push_back(each); });
  ASSERT_FALSE(answers.empty());
  EXPECT_EQ(answers[0].goal, Goal::rounds);
  EXPECT_EQ(answers[0].at_least, *fewest) << words(asked);
  EXPECT_EQ(answers[0].at_most, *fewest) << words(asked);
  int least = 1 << 20;
  for (std::size_t i = 1; i < answers.size(); ++i) {
    std::optional<int> const critical = all.critical(*answers[i].rounds);
    EXPECT_LE(critical_bound(question).at_least, critical) << words(asked);
    EXPECT_EQ(answers[i].at_least, critical) << words(asked) << " in " << *answers[i].rounds << " rounds";
    EXPECT_EQ(answers[i].at_most, critical) << words(asked) << " in " << *answers[i].rounds << " rounds";
    EXPECT_LT(*answers[i].at_most, least) << "a point of a front is better than those before it";
    least = *answers[i].at_most;
  }
  // The end of the front is the least in any number of rounds.
  EXPECT_EQ(all.critical(std::max(*fewest, least)), least) << words(asked);
}

TEST(Optimum, is_that_of_all_schedules_of_2_to_4_ranks) {
  std::mt19937_64 random(60);
  for (int i = 0; i < 60; ++i) expect_as_all_schedules_say(random_question(random, 4));
}

/// The bound of a point of a sweep: messages may have any size, and the solver ends after some conflicts.
TEST(Optimum, is_no_less_than_the_rounds_that_a_short_search_proves) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) {
    Asked const asked{random_question(random, 4).question, std::nullopt};
    int const fewest = BruteForce(asked.question, std::nullopt).rounds(enough_rounds).value();
    EXPECT_EQ(least_rounds(asked.question, 1000), fewest) << words(asked);
    EXPECT_LE(least_rounds(asked.question, 0), fewest) << words(asked);
  }
}

/// What a rank is owed of a reduction, it has to hear of, from all ranks that contribute.
TEST(Optimum, of_a_reduction_is_no_less_than_what_ranks_have_to_hear) {
  using enum ClassicalCollective;
  for (ClassicalCollective const each : {allreduce, reduce, reduce_scatter, allgather, scan, barrier, bcast}) {
    Question const question = hearing_question(Classical{each, 6, Rank(2), 3}, 1, std::nullopt);
    // [Bar-Noy et al.]: 3 rounds for 6 ranks on one port; a scan's last rank hears from all.
    EXPECT_EQ(least_rounds(question, 1000), 3) << static_cast<int>(each);
  }
  Question const line = hearing_question(Classical{reduce, 4}, 1, std::vector<Link>{{1, 0}, {2, 1}, {3, 2}});
  EXPECT_EQ(least_rounds(line, 1000), 3);
  Question const cut_off = hearing_question(Classical{reduce, 4}, 1, std::vector<Link>{{1, 0}, {2, 1}});
  EXPECT_GE(least_rounds(cut_off, 1000), unreachable);
  EXPECT_EQ(least_rounds(hearing_question(Classical{allreduce, 1}, 1, std::nullopt), 1000), 0);
}

TEST(LongOptimum, is_that_of_all_schedules_of_2_to_5_ranks) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 300; ++i) expect_as_all_schedules_say(random_question(random, 5));
}

}  // namespace
}  // namespace rondo::optimum::test
