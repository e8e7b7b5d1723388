// Generates allgathers between two groups on a ring. The senders a_0, ..., a_(p-1) follow each other, and then the
// receivers b_0, ..., b_(q-1). So blocks can leave the senders at both ends.

#include <algorithm>

#include "generate/generate.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate {
namespace {

using namespace intergroup;

/// Returns the piece that is the block of a sender, because no block is cut.
std::uint32_t block_of(int sender) { return static_cast<std::uint32_t>(sender); }

/// Computes the rounds, from 1, in which the copies of block m travel on the ring of p senders and q receivers. The
/// right copy enters b_0 in round U = 2(p-1-m)+1, which is odd, and serves the first receivers. The left copy enters
/// b_(q-1) in round V = 2m+1, or 2m+2 if q is odd, and serves the other receivers. So copies that move right and copies
/// that move left reach each receiver in rounds of different parity. No rank sends or receives twice in a round;
/// left_round explains the exceptions that this takes.
class Timetable {
 public:
  explicit Timetable(Groups const& groups) : p_(groups.senders()), q_(groups.receivers()) {
    // With p = 1 and q even, both copies would leave a_0 in round 1, so one more round is needed.
    bool const clash = p_ == 1 && q_ % 2 == 0;
    rounds_ = clash ? q_ / 2 + 1 : p_ + (q_ + 1) / 2 - 1;
  }

  int rounds() const { return rounds_; }
  /// Returns how many receivers the right copy of m serves: all that it reaches within the rounds.
  int right_served(int m) const { return std::clamp(rounds_ + 1 - (2 * (p_ - 1 - m) + 1), 0, q_); }
  /// Returns how many hops the right copy of m takes; 0 if it serves no receiver.
  int right_hops(int m) const { return right_served(m) > 0 ? p_ - 1 - m + right_served(m) : 0; }
  /// Returns how many hops the left copy of m takes; 0 if the right copy serves all receivers.
  int left_hops(int m) const { return right_served(m) < q_ ? m + q_ - right_served(m) : 0; }

  /// Returns the round in which the right copy of m takes a hop. Hops are counted from 0.
  int right_round(int m, int hop) const { return p_ - m + hop; }
  /// Returns the round in which the left copy of m takes a hop.
  int left_round(int m, int hop) const {
    int const at_once = enters_last(m) - m + hop;
    if ((p_ + q_) % 2 == 0) return at_once;
    // Among the senders the parities of the two directions agree if p + q is odd. So the left copy starts a round
    // earlier and waits at a_0. If the right copy of 0 leaves a_0 in that round, the left copy goes on and waits at
    // b_(q-1).
    bool const yields = hop == m && right_served(0) > 0 && enters_last(m) == p_ && p_ > 1;
    return at_once - (hop < m || yields ? 1 : 0);
  }

 private:
  /// Returns the round V. With p = 1 and q even, a_0 would send both copies in round 1, so the left copy leaves in
  /// round 2.
  int enters_last(int m) const { return 2 * m + 1 + (q_ % 2 != 0 || p_ == 1 ? 1 : 0); }

  int p_, q_, rounds_;
};

}  // namespace

/// The blocks go all around the ring to the right, as in an allgather of all ranks.
Schedule intergroup_ring_allgather(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  int const n = groups.ranks();
  Rounds rounds(static_cast<std::size_t>(n - 1));
  for (int t = 0; t < n - 1; ++t) {
    for (int i = 0; i < groups.senders(); ++i) {
      rounds[static_cast<std::size_t>(t)].push_back({(i + t) % n, (i + t + 1) % n, {block_of(i)}});
    }
  }
  return schedule_of(groups, Cut(groups, problem.sizes), rounds, {1, Links::unit});
}

/// Each block goes both ways. The timetable states the round of each hop.
Rounds intergroup::ring_optimal(Groups const& groups) {
  Timetable const table(groups);
  int const n = groups.ranks();
  Rounds rounds(static_cast<std::size_t>(table.rounds()));
  for (int m = 0; m < groups.senders(); ++m) {
    for (int hop = 0; hop < table.right_hops(m); ++hop) {
      rounds[static_cast<std::size_t>(table.right_round(m, hop) - 1)].push_back({m + hop, m + hop + 1, {block_of(m)}});
    }
    for (int hop = 0; hop < table.left_hops(m); ++hop) {
      int const from = (m - hop + n) % n;
      rounds[static_cast<std::size_t>(table.left_round(m, hop) - 1)].push_back(
          {from, (from + n - 1) % n, {block_of(m)}});
    }
  }
  return rounds;
}

Schedule intergroup_ring_optimal(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  return schedule_of(groups, Cut(groups, problem.sizes), ring_optimal(groups), {1, Links::unit});
}

}  // namespace rondo::generate
