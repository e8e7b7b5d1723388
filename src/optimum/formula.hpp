#pragma once

// A question as a formula in conjunctive normal form, which can be satisfied if and only if a schedule of so many
// rounds exists. docs/optima.md describes it clause by clause. From that text tests/certificates/check_optimum.py makes
// the formula anew, with the same numbers of variables. So a change here is a change of the format of proofs.
//
// Variables, from 1 on, for p ranks, I blocks, L channels and R rounds:
//   has(t, r, i)      rank r has block i after round t, 0 <= t <= R:  1 + (t p + r) I + i
//   sends(t, l)       channel l is used in round t, 1 <= t <= R:      1 + (R + 1) p I + (t - 1) L + l
//   carries(t, l, i)  it carries block i:                             1 + (R + 1) p I + R L + ((t - 1) L + l) I + i
// and then those of counters, in the order in which they are made.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "optimum/question.hpp"

namespace rondo::optimum {

/// The limits of a schedule.
struct Limits {
  int rounds = 0;
  std::optional<int> message_blocks = {};   ///< blocks of a message; unset: any number
  std::optional<int> critical_blocks = {};  ///< sum over the rounds of the blocks of the largest message; unset: any
};

/// The blocks that a message carries.
struct Move {
  int round = 1, from = 0, to = 0;
  std::vector<int> blocks;
};
using Moves = std::vector<Move>;

class Formula {
 public:
  using Clause = std::function<void(std::span<int const>)>;

  Formula(Question const& question, Limits const& limits);

  /// The approximate number of its clauses.
  double clauses_about() const;
  /// Calls `clause` with each of its clauses, in order.
  void write(Clause const& clause);
  /// The number of variables, after it has been written.
  int variables() const { return next_ - 1; }
  /// The messages in a model of the formula.
  Moves moves(std::function<bool(int)> const& value) const;

 private:
  int has(int t, int r, int i) const { return 1 + (t * p_ + r) * blocks_ + i; }
  int sends(int t, int l) const { return 1 + (rounds_ + 1) * p_ * blocks_ + (t - 1) * links_ + l; }
  int carries(int t, int l, int i) const {
    return 1 + (rounds_ + 1) * p_ * blocks_ + rounds_ * links_ + ((t - 1) * links_ + l) * blocks_ + i;
  }
  void add(std::initializer_list<int> literals) const { (*clause_)(std::span(literals.begin(), literals.size())); }
  void at_most(std::vector<int> const& literals, int most);
  std::vector<int> counter(std::vector<int> const& literals, int most);
  void start();
  void ports(int t);
  void move(int t);
  void goal();
  void critical();

  Question const& question_;
  Limits limits_;
  std::vector<Link> channels_;
  int p_, blocks_, links_, rounds_;
  int next_ = 1;
  Clause const* clause_ = nullptr;
};

}  // namespace rondo::optimum
