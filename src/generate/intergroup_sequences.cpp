// The ring algorithms of [Kang19, Section IV], line by line as they are printed. A comment names each line that is
// corrected; Reading::printed keeps the printed text of Algorithm 3.

#include <algorithm>

#include "generate/generate.hpp"
#include "generate/intergroup_rounds.hpp"

namespace rondo::generate {
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
