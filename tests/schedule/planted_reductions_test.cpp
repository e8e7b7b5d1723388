// 500 faults planted in reductions, one at a time: each must be found, and named where it was planted.

#include <gtest/gtest.h>

#include <algorithm>

#include "planted.hpp"
#include "reductions.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using namespace testing;

struct Reduction {
  StatedPromise promise;
  Draft draft;
};

/// Reductions whose operator does not commute, and those by a ring, for which it must.
Reduction whole(Random& random, bool ordered) {
  int const ranks = static_cast<int>(random.between(3, 40));
  switch (random.below(ordered ? 3 : 4)) {
    case 0:
      return {scan(ranks, 0, {ordered, false, false}), chain_scan(ranks)};
    case 1: {
      int const power = 1 << random.between(2, 5);
      return {allreduce(power, {ordered, true, false}), recursive_doubling(power)};
    }
    case 2:
      return {allreduce(ranks, {ordered, true, false}), random_tree(random, ranks)};
    default:
      return {allreduce(ranks, {}, ranks), ring_allreduce(ranks)};
  }
}

/// A receive of the draft, and the send that it meets.
struct Picked {
  int round, rank;
  std::size_t receive;
  int source;
  std::size_t send;
};

/// All messages whose receive joins, or stores.
std::vector<Picked> messages(Draft& draft) {
  std::vector<Picked> all;
  for (int rank = 0; rank < draft.ranks; ++rank) {
    for (std::size_t k = 1; k < draft.of(rank).rounds.size(); ++k) {
      auto& receives = draft.of(rank).rounds[k].receives;
      for (std::size_t i = 0; i < receives.size(); ++i) {
        auto& sends = draft.of(receives[i].peer).round(static_cast<int>(k)).sends;
        auto const met = std::find_if(sends.begin(), sends.end(), [&](auto const& send) { return send.peer == rank; });
        all.push_back({static_cast<int>(k), rank, i, receives[i].peer, static_cast<std::size_t>(met - sends.begin())});
      }
    }
  }
  return all;
}

template <typename Accept>
Picked any_message(Random& random, Draft& draft, Accept const& accept) {
  std::vector<Picked> some;
  for (Picked const& each : messages(draft)) {
    if (accept(each)) some.push_back(each);
  }
  return some[random.below(some.size())];
}

DraftTransfer& receive_of(Draft& draft, Picked const& p) { return draft.of(p.rank).round(p.round).receives[p.receive]; }
DraftTransfer& send_of(Draft& draft, Picked const& p) { return draft.of(p.source).round(p.round).sends[p.send]; }

bool names(Verdict const& verdict, Fault fault, int rank, int round) {
  return std::any_of(verdict.violations.begin(), verdict.violations.end(), [&](Violation const& each) {
    return each.fault == fault && each.rank.value == rank && each.round == round;
  });
}
bool names(Verdict const& verdict, Fault fault) {
  return std::any_of(verdict.violations.begin(), verdict.violations.end(),
                     [&](Violation const& each) { return each.fault == fault; });
}

constexpr int of_each_kind = 125 / test::thinned;

class PlantedReductions : public ::testing::Test {
 protected:
  /// Calls plant(random, reduction), which says what verify must find, for so many whole reductions.
  template <typename Plant>
  void each(bool ordered, Plant const& plant) {
    for (std::uint64_t seed = 0; seed < of_each_kind; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      Reduction reduction = whole(random, ordered);
      ASSERT_EQ(faults(reduction.draft, reduction.promise), Texts{});
      plant(random, reduction);
    }
  }
};

TEST_F(PlantedReductions, a_lost_message_is_found_by_what_is_missing) {
  each(false, [](Random& random, Reduction& r) {
    Picked const lost = any_message(random, r.draft, [](Picked const&) { return true; });
    // An empty message stays, so that no later one of the pair meets another round.
    send_of(r.draft, lost).places.clear();
    receive_of(r.draft, lost).places.clear();
    Verdict const verdict = verify(r.draft.schedule(), r.promise);
    EXPECT_FALSE(verdict.delivered);
    EXPECT_TRUE(names(verdict, Fault::missing)) << lost.round;
    EXPECT_FALSE(names(verdict, Fault::doubled) || names(verdict, Fault::foreign));
  });
}

TEST_F(PlantedReductions, a_message_that_is_joined_twice_is_named_by_its_second_join) {
  each(false, [](Random& random, Reduction& r) {
    Picked const doubled =
        any_message(random, r.draft, [&](Picked const& p) { return receive_of(r.draft, p).join != Join::none; });
    send_of(r.draft, doubled).places.push_back(send_of(r.draft, doubled).places[0]);
    receive_of(r.draft, doubled).places.push_back(receive_of(r.draft, doubled).places[0]);
    Verdict const verdict = verify(r.draft.schedule(), r.promise);
    EXPECT_FALSE(verdict.delivered);
    EXPECT_TRUE(names(verdict, Fault::doubled, doubled.rank, doubled.round));
    EXPECT_FALSE(names(verdict, Fault::missing) || names(verdict, Fault::foreign));
  });
}

TEST_F(PlantedReductions, swapped_sides_are_named_by_their_join) {
  each(true, [](Random& random, Reduction& r) {
    Picked const swapped =
        any_message(random, r.draft, [&](Picked const& p) { return receive_of(r.draft, p).join != Join::none; });
    Join& join = receive_of(r.draft, swapped).join;
    join = join == Join::before ? Join::after : Join::before;
    Verdict const verdict = verify(r.draft.schedule(), r.promise);
    EXPECT_FALSE(verdict.delivered);
    EXPECT_TRUE(names(verdict, Fault::out_of_order, swapped.rank, swapped.round));
    EXPECT_FALSE(names(verdict, Fault::missing) || names(verdict, Fault::doubled) || names(verdict, Fault::foreign));
    r.promise.rules = {};
    EXPECT_EQ(faults(r.draft, r.promise), Texts{}) << "an operator that commutes does not mind";
  });
}

TEST_F(PlantedReductions, a_stale_value_is_found_by_what_it_lacks) {
  each(false, [](Random& random, Reduction& r) {
    // The sender has received before: it sends its own block as it was at the start.
    auto const all = messages(r.draft);
    auto const has_received = [&](Picked const& p) {
      for (Picked const& other : all) {
        bool const before = other.rank == p.source && other.round < p.round;
        if (before && receive_of(r.draft, other).places == send_of(r.draft, p).places) return true;
      }
      return false;
    };
    Picked const stale = any_message(random, r.draft, has_received);
    Place& place = send_of(r.draft, stale).places[0];
    place = send_slot(place.slot());
    Verdict const verdict = verify(r.draft.schedule(), r.promise);
    EXPECT_FALSE(verdict.delivered);
    EXPECT_TRUE(names(verdict, Fault::missing) || names(verdict, Fault::doubled)) << stale.round;
    EXPECT_FALSE(names(verdict, Fault::foreign));
  });
}

}  // namespace
}  // namespace rondo
