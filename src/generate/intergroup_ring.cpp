// Generates allgathers between two groups on a ring. The senders a_0, ..., a_(p-1) follow each other, and then the
// receivers b_0, ..., b_(q-1). So blocks can leave the senders at both ends. Sequences writes the ring algorithms of
// [Kang19, Section IV], line by line as they are printed. A comment names each line that is corrected;
// Reading::printed keeps the printed text of Algorithm 3.

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

namespace {

using namespace intergroup;

/// Algorithms 1 (p >= q) and 3 (p < q) of [Kang19, Section IV]. Both have three stages, in which the sequences #1 and
/// #3 move right, and #2 and #4 move left. The variables i and j are those of the paper. With g = min(p, q) / 2, the
/// first g blocks travel in #2 and #3, and the others in #1 and, for p < q, in #4.
class Sequences {
 public:
  Sequences(Groups const& groups, problem::Reading reading)
      : p_(groups.senders()),
        q_(groups.receivers()),
        g_(std::min(p_, q_) / 2),
        middle_(p_ < q_ ? q_ / 2 : p_ - g_),
        printed_(reading == problem::Reading::printed && p_ < q_) {}

  /// All three stages, one after the other.
  Rounds rounds() && {
    for (int i = 0; i < g_; ++i) first_stage(i);
    for (int i = 0; i < middle_; ++i) second_stage(i);
    for (int i = 0; i < g_; ++i) third_stage(i);
    return std::move(rounds_);
  }

 private:
  void first_stage(int i) {
    rounds_.emplace_back();
    for (int j = g_; j < p_; ++j) right(1, j + i, j);
    for (int j = 0; j < g_; ++j) left(2, modulo(j - i), j);
    for (int j = 0; j < i; ++j) right(3, g_ - i + 2 * j, g_ - i + j);
    if (p_ >= q_) return;
    for (int j = g_; j < g_ + i; ++j) left(4, fourth(2 * j - i - g_ + 1), j);
  }

  void second_stage(int i) {
    rounds_.emplace_back();
    for (int j = g_; j < p_; ++j) right_to_the_last(1, g_ + j + i, j);
    for (int j = 0; j < g_ && i < q_ / 2 - g_; ++j) left(2, modulo(g_ + q_ - i + j), j);
    for (int j = 0; j < g_; ++j) right(3, 2 * j + i, j);
    if (p_ < q_) fourth_in_second_stage(i);
  }

  /// #4-1, and then #4-2. Repaired: #4-2 has j <= p-1, and lasts as long as 2j > 2i + 3p/2 - q.
  void fourth_in_second_stage(int i) {
    int const split = g_ + (i + 1) / 2;
    for (int j = split; j < p_; ++j) left(4, fourth(2 * j - i - p_ + 1), j);
    for (int j = g_; j < (printed_ ? split : std::min(split, p_)); ++j) {
      int const stop = printed_ ? 2 * i + p_ / 2 : 2 * i + 3 * (p_ / 2) - q_;
      if (2 * j > stop) left(4, fourth(2 * j - i + q_ + 1), j);
    }
  }

  void third_stage(int i) {
    rounds_.emplace_back();
    for (int j = g_; j < p_; ++j) right_to_the_last(1, g_ + middle_ + j + i, j);
    for (int j = 1; j <= i; ++j) left(2, modulo(q_ / 2 + p_ - i + 2 * j - 1), j - 1);
    for (int j = 0; j < g_; ++j) {
      int const to = middle_ + i + 2 * j + 1;
      // Line 58 names a sender that is no neighbor of the receiver. Repaired: q/2 + i + 2j.
      send(3, printed_ ? p_ / 2 + i + 2 * j : to - 1, to, j);
    }
  }

  int modulo(int rank) const { return ((rank % (p_ + q_)) + p_ + q_) % (p_ + q_); }
  /// The sender of #4. The printed text has no modulus, so it may be no rank.
  int fourth(int rank) const { return printed_ ? rank : modulo(rank); }

  void right(std::uint8_t sequence, int from, int m) { send(sequence, from, from + 1, m); }
  /// #1 ends at the last receiver.
  void right_to_the_last(std::uint8_t sequence, int from, int m) {
    if (from + 1 < p_ + q_) right(sequence, from, m);
  }
  void left(std::uint8_t sequence, int from, int m) {
    send(sequence, from, printed_ && sequence == 4 ? from - 1 : modulo(from - 1), m);
  }
  void send(std::uint8_t sequence, int from, int to, int m) {
    rounds_.back().push_back({from, to, {static_cast<std::uint32_t>(m)}, sequence});
  }

  int p_, q_;
  int g_;
  int middle_;  ///< the number of rounds of the second stage; the other stages have g rounds each
  bool printed_;
  Rounds rounds_;
};

}  // namespace

Schedule intergroup_ring_sequences(problem::Intergroup const& problem) {
  Groups const& groups = problem.groups;
  expect_even(groups);
  return schedule_of(groups, Cut(groups, problem.sizes), Sequences(groups, problem.reading).rounds(), {1, Links::unit},
                     {"#1", "#2", "#3", "#4"});
}

}  // namespace rondo::generate
