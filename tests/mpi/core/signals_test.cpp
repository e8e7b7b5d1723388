// Barriers and the reduce-scatter made of messages, on any number of ranks.

#include "mpi/runtime/signals.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/random.hpp"
#include "mpi/exchange/core.hpp"

namespace rondo::mpi::testing {
namespace {

int log2_up(int ranks) { return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))); }

/// Carries out a signalling at all ranks, in the order of the queue of ranks that may get on; ranks join one by one.
class Relay {
 public:
  Relay(Signalling signalling, int ranks)
      : signalling_(signalling), ranks_(ranks), index(static_cast<std::size_t>(ranks)), sent_words(index) {}

  using Vector = std::vector<Word>;

  void enter(int rank, Vector vector) {
    vectors[rank] = std::move(vector);
    while (get_on()) {
    }
  }
  bool over(int rank) const {
    return vectors.contains(rank) && !signal_step(signalling_, rank, ranks_, index[static_cast<std::size_t>(rank)]);
  }

  std::map<int, Vector> vectors;

 private:
  Signalling signalling_;
  int ranks_;
  std::map<std::tuple<int, int, int>, std::queue<Vector>> ways_;  ///< by source, target and stage

  bool get_on() {
    bool any = false;
    for (auto& [rank, vector] : vectors) {
      while (get_on(rank, vector)) any = true;
    }
    return any;
  }

  bool get_on(int rank, Vector& vector) {
    auto const r = static_cast<std::size_t>(rank);
    auto const step = signal_step(signalling_, rank, ranks_, index[r]);
    if (!step) return false;
    auto const part = vector.begin() + (step->words > 0 ? step->first : 0);
    if (step->kind == SignalStep::Kind::send) {
      ways_[{rank, step->peer, step->stage}].emplace(part, part + step->words);
      ++messages;
      sent_words[r] += step->words;
    } else {
      auto& way = ways_[{step->peer, rank, step->stage}];
      if (way.empty()) return false;
      EXPECT_EQ(way.front().size(), static_cast<std::size_t>(step->words));
      std::transform(way.front().begin(), way.front().end(), part, part, std::plus<>());
      way.pop();
    }
    ++index[r];
    return true;
  }

 public:
  std::vector<int> index;
  std::vector<int> sent_words;
  int messages = 0;
};

class Barriers : public ::testing::TestWithParam<Signalling> {};

TEST_P(Barriers, hold_every_rank_until_the_last_has_entered) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (int last : {0, ranks / 3, ranks - 1}) {
      Relay run(GetParam(), ranks);
      for (int rank = 0; rank < ranks; ++rank) {
        if (rank != last) run.enter(rank, {});
      }
      for (int rank = 0; rank < ranks; ++rank) EXPECT_FALSE(run.over(rank)) << ranks << " ranks, rank " << rank;
      run.enter(last, {});
      for (int rank = 0; rank < ranks; ++rank) EXPECT_TRUE(run.over(rank)) << ranks << " ranks, rank " << rank;
      // docs/notes-exchange.md#messages-of-an-exchange: a barrier takes p * ceil(log2 p) messages by dissemination, 2(p
      // - 1) on a tree.
      EXPECT_EQ(run.messages, GetParam() == Signalling::tree ? 2 * (ranks - 1) : ranks * log2_up(ranks));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Barriers, ::testing::Values(Signalling::dissemination, Signalling::tree));

TEST(ReduceScatter, gives_each_rank_its_sum_in_the_fewest_rounds_and_words) {
  Random random(8);
  for (int ranks = 1; ranks <= 40; ++ranks) {
    Relay run(Signalling::reduce_scatter, ranks);
    std::vector<Word> sums(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<Word> rotated(sums.size());
      for (std::size_t i = 0; i < rotated.size(); ++i) {
        rotated[i] = static_cast<Word>(random.below(1000));
        sums[(i + static_cast<std::size_t>(rank)) % sums.size()] += rotated[i];
      }
      run.enter(rank, rotated);
    }
    EXPECT_EQ(run.messages, ranks * log2_up(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      auto const r = static_cast<std::size_t>(rank);
      EXPECT_TRUE(run.over(rank));
      EXPECT_EQ(run.vectors[rank].front(), sums[r]) << ranks << " ranks, rank " << rank;
      EXPECT_EQ(run.sent_words[r], ranks - 1);
    }
  }
}

TEST(Signals, reach_the_largest_communicators) {
  constexpr int ranks = 2147483647;
  EXPECT_EQ(signal_step(Signalling::dissemination, ranks - 1, ranks, 60)->peer, 1073741823);  // 2^31 - 2 + 2^30 mod p
  EXPECT_FALSE(signal_step(Signalling::dissemination, 0, ranks, 62));
  EXPECT_EQ(signal_step(Signalling::tree, 0, ranks, 30)->peer, 1 << 30);
  EXPECT_FALSE(signal_step(Signalling::reduce_scatter, 0, ranks, 62));
}

}  // namespace
}  // namespace rondo::mpi::testing
