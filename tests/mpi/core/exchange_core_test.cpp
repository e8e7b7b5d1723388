// The protocol of the sparse exchange in every order of events, for up to three ranks.

#include "mpi/exchange/core.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/core/every_order.hpp"
#include "sanitized.hpp"

namespace rondo::mpi::testing {
namespace {

using Faults = std::vector<std::string>;

constexpr ExchangeRules safe[] = {{ExchangeAlgorithm::nbx, problem::Barrier::dissemination},
                                  {ExchangeAlgorithm::nbx, problem::Barrier::tree},
                                  {ExchangeAlgorithm::nbx_tagged, problem::Barrier::dissemination},
                                  {ExchangeAlgorithm::nbx_tagged, problem::Barrier::tree},
                                  {ExchangeAlgorithm::personalized},
                                  {ExchangeAlgorithm::personalized_rooted}};

/// What one rank may send: nothing, one message or two, to one rank or to two.
std::vector<std::vector<int>> sends_of(int rank, int ranks) {
  std::vector<std::vector<int>> all{{}};
  for (int first = 0; first < ranks; ++first) {
    if (first == rank) continue;
    all.push_back({first});
    for (int second = first; second < ranks; ++second) {
      if (second != rank) all.push_back({first, second});
    }
  }
  return all;
}

/// Every exchange of `ranks` ranks in which each has at most two messages.
std::vector<Targets> all_exchanges(int ranks) {
  std::vector<Targets> all{{}};
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Targets> more;
    for (Targets const& begun : all) {
      for (auto const& sends : sends_of(rank, ranks)) {
        more.push_back(begun);
        more.back().push_back(sends);
      }
    }
    all = std::move(more);
  }
  return all;
}

void expect_safe(ExchangeRules rules, std::vector<Targets> const& exchanges, int tags, std::int64_t& states) {
  Explored const explored = explore(rules, exchanges, tags);
  states += explored.states;
  EXPECT_EQ(explored.faults, Faults());
  EXPECT_EQ(explored.ends, 1) << "all orders lead to one end";
}

// Item [Ibanez15, Algorithm 1; Listing 1]: holds.
TEST(ExchangeCore, every_order_of_one_exchange_ends_with_all_messages_at_up_to_three_ranks) {
  std::int64_t states = 0;
  int const most = test::whole ? 3 : 2;
  for (int ranks = 1; ranks <= most; ++ranks) {
    for (Targets const& exchange : all_exchanges(ranks)) {
      for (ExchangeRules const rules : safe) expect_safe(rules, {exchange}, 2, states);
    }
  }
  RecordProperty("states", std::to_string(states));
}

// Item [Ibanez15, Algorithm 2; opening barrier]: holds.
TEST(ExchangeCore, every_order_of_two_exchanges_keeps_them_apart_at_two_ranks) {
  std::int64_t states = 0;
  for (Targets const& first : all_exchanges(2)) {
    for (Targets const& second : all_exchanges(2)) {
      for (ExchangeRules const rules : safe) expect_safe(rules, {first, second}, 2, states);
    }
  }
  RecordProperty("states", std::to_string(states));
}

// Item [Ibanez15, number in the tag]: holds.
TEST(ExchangeCore, every_order_of_three_exchanges_at_two_ranks_with_two_numbers_that_repeat) {
  std::int64_t states = 0;
  for (Targets const& first : all_exchanges(2)) {
    for (Targets const& second : all_exchanges(2)) {
      for (ExchangeRules const rules : safe) expect_safe(rules, {first, second, first}, 2, states);
    }
  }
  RecordProperty("states", std::to_string(states));
}

// Each exchange followed by four others, spread over all.
TEST(LongExchangeCore, DISABLED_every_order_of_two_exchanges_keeps_them_apart_at_three_ranks) {
  std::vector<Targets> const all = all_exchanges(3);
  std::size_t const partners = 4;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = 0; k < partners; ++k) {
      Targets const& second = all[(i * 7 + k * all.size() / partners) % all.size()];
      std::int64_t states = 0;
      for (ExchangeRules const rules : safe) expect_safe(rules, {all[i], second}, 2, states);
    }
  }
}

/// Ranks 0 and 2 send to 1, then to each other's neighbor.
std::vector<Targets> const racing{{{1}, {}, {1}}, {{1}, {2}, {0}}};

bool mixes(Explored const& explored) {
  return std::any_of(explored.faults.begin(), explored.faults.end(), [](std::string const& fault) {
    return fault.find("receives a message of exchange 2 in exchange 1") != std::string::npos;
  });
}

/// With one number for all exchanges, nbx_tagged is Algorithm 1 of [Ibanez15].
constexpr int one_number = 1;

TEST(ExchangeCore, without_opening_barrier_and_number_a_message_of_the_next_exchange_is_mixed_in) {
  for (problem::Barrier const barrier : {problem::Barrier::dissemination, problem::Barrier::tree}) {
    EXPECT_TRUE(mixes(explore({ExchangeAlgorithm::nbx_tagged, barrier}, racing, one_number)));
  }
}

TEST(ExchangeCore, the_race_needs_neither_three_ranks_nor_many_messages) {
  EXPECT_TRUE(mixes(explore({ExchangeAlgorithm::nbx_tagged}, {{{}, {}}, {{1}, {}}}, one_number)));
}

// Item [Ibanez15, non-blocking barrier]: holds.
TEST(ExchangeCore, every_order_of_exchanges_of_one_number_with_a_barrier_behind_each_keeps_them_apart) {
  auto const expect_apart = [](std::vector<Targets> const& exchanges) {
    for (problem::Barrier const barrier : {problem::Barrier::dissemination, problem::Barrier::tree}) {
      Explored const explored =
          explore({ExchangeAlgorithm::nbx_tagged, barrier}, exchanges, one_number, Between::barrier);
      EXPECT_EQ(explored.faults, Faults());
      EXPECT_EQ(explored.ends, 1) << "all orders lead to one end";
    }
  };
  for (Targets const& first : all_exchanges(2)) {
    for (Targets const& second : all_exchanges(2)) expect_apart({first, second, first});
  }
  expect_apart(racing);
  expect_apart({racing[1], racing[0], racing[1]});
}

TEST(ExchangeCore, the_same_exchanges_are_kept_apart_by_each_of_the_safe_algorithms) {
  std::int64_t states = 0;
  for (ExchangeRules const rules : safe) expect_safe(rules, racing, 2, states);
}

}  // namespace
}  // namespace rondo::mpi::testing
