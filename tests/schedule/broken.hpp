#pragma once

// Random faults in drafts, and what verify and the naive replay must say of them alike.

#include <functional>
#include <initializer_list>
#include <set>
#include <tuple>

#include "base/random.hpp"
#include "draft.hpp"
#include "naive.hpp"

namespace rondo::testing {

/// Breaks something in one program, if what it picked can be broken. All places stay in their buffers, and
/// `other_peer` gives a partner that is another rank.
void mutate(Random& random, DraftProgram& program, std::function<int(int)> const& other_peer);
/// Breaks how something is joined: another side, stored instead, one more copy that joins.
void mutate_join(Random& random, DraftProgram& program);

/// Whether messages stand before the first round, where none may.
bool sends_in_round_0(Draft const& draft);
/// The last rounds without messages are cut off, as they are no rounds.
void trim(Draft& draft);

/// (fault, rank, round); a circular wait at rank 0, round 0.
using Found = std::set<std::tuple<Fault, int, int>>;
Found found(Verdict const& verdict);
bool holds(Found const& all, Fault fault);

/// verify leaves out what only follows from another fault; the naive replay does not.
void expect_same(Verdict const& verdict, NaiveVerdict const& naive);

}  // namespace rondo::testing
