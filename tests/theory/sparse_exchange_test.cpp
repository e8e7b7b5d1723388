#include "theory/sparse_exchange.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "reference.hpp"

namespace rondo::theory {
namespace {

TEST(SparseExchangeTheory, equals_the_reference) {
  int compared = 0;
  for (auto const& pair : reference::pairs("sparse_exchange.json", "sparse_exchange")) {
    auto const p = pair["request"]["P"].get<std::int64_t>();
    auto const k = pair["request"]["k"].get<std::int64_t>();
    auto const& answer = pair["answer"];
    auto const count = [&](ExchangeAlgorithm algorithm, Barrier kind) {
      return sparse_exchange(algorithm, kind, p, p * k);
    };
    using enum Barrier;
    EXPECT_EQ(answer["data_messages"], p * k);
    auto const& nbx = answer["nbx"];
    EXPECT_EQ(nbx["sync_acks"], count(ExchangeAlgorithm::nbx_tagged, tree).acks);
    EXPECT_EQ(nbx["barrier_dissemination"], barrier_messages(dissemination, p));
    EXPECT_EQ(nbx["barrier_tree"], barrier_messages(tree, p));
    EXPECT_EQ(nbx["total_dissemination"], count(ExchangeAlgorithm::nbx_tagged, dissemination).messages());
    EXPECT_EQ(nbx["total_tree"], count(ExchangeAlgorithm::nbx_tagged, tree).messages());
    EXPECT_EQ(answer["nbx_modified"]["total_dissemination"], count(ExchangeAlgorithm::nbx, dissemination).messages());
    EXPECT_EQ(answer["nbx_modified"]["total_tree"], count(ExchangeAlgorithm::nbx, tree).messages());
    EXPECT_EQ(answer["pcx_reduce_then_scatter"]["total"],
              count(ExchangeAlgorithm::personalized_rooted, dissemination).messages());
    EXPECT_EQ(answer["pcx_reduce_scatter_halving"]["messages"],
              count(ExchangeAlgorithm::personalized, dissemination).barrier);
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

TEST(SparseExchangeTheory, a_rank_of_a_million_holds_its_messages_or_six_megabytes_more) {
  // Six messages of 100 bytes each way: a buffer grows 0, 1, 3, 6, 10, 16, 25, 39, 60, 91, 138.
  std::int64_t const sizes[] = {100, 100, 100, 100, 100, 100};
  constexpr std::int64_t p = 1000000;
  EXPECT_EQ(sparse_memory(ExchangeAlgorithm::nbx, p, sizes, sizes).value, 6 * 138 + 6 * 100);
  EXPECT_EQ(sparse_memory(ExchangeAlgorithm::personalized, p, sizes, sizes).value, 6 * 138 + 6 * 100 + 4 * 1500000);
}

TEST(SparseExchangeTheory, bisection_halves_until_each_rank_has_its_own_part) {
  using enum ExchangeAlgorithm;
  auto const levels = [](std::int64_t p, std::int64_t points) {
    return bisection(nbx, Barrier::tree, p, points).levels;
  };
  // [Ibanez15, Section 5.2]: ceil(log2 p), from a point a rank on.
  for (std::int64_t p = 1; p <= 64; ++p)
    EXPECT_EQ(levels(p, p), std::bit_width(static_cast<std::uint64_t>(p - 1))) << p;
  EXPECT_EQ(levels(16, 0), 0);
  // The one point of 16 ranks is the last one's, who is in every upper half.
  EXPECT_EQ(levels(16, 1), 4);
  // Sets of 5, 2, 3 and 2 ranks; 2(n - 1) messages on a tree, n * ceil(log2 n) by dissemination or reduce-scatter.
  EXPECT_EQ(bisection(nbx_tagged, Barrier::tree, 5, 100).barrier_messages, 8 + 2 + 4 + 2);
  EXPECT_EQ(bisection(nbx, Barrier::tree, 5, 100).barrier_messages, 2 * (8 + 2 + 4 + 2));
  EXPECT_EQ(bisection(nbx_tagged, Barrier::dissemination, 5, 100).barrier_messages, 15 + 2 + 6 + 2);
  EXPECT_EQ(bisection(personalized, Barrier::tree, 5, 100).barrier_messages, 15 + 2 + 6 + 2);
}

TEST(SparseExchangeTheory, one_rank_sends_nothing) {
  for (auto const algorithm :
       {ExchangeAlgorithm::nbx, ExchangeAlgorithm::nbx_tagged, ExchangeAlgorithm::personalized}) {
    EXPECT_EQ(sparse_exchange(algorithm, Barrier::dissemination, 1, 0).messages(), 0);
    EXPECT_EQ(sparse_exchange(algorithm, Barrier::tree, 1, 0).messages(), 0);
  }
}

}  // namespace
}  // namespace rondo::theory
