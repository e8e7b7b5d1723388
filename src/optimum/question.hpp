#pragma once

// A Question says what an optimum answers: blocks, the ranks that hold them, the ranks that want them, and who may
// talk to whom. A Formula says the same in conjunctive normal form.
//
// The round model. In a round a rank sends at most `ports` messages and receives at most `ports`. A message carries
// at most so many blocks, or any number. A block that arrives in a round can be sent on in the next. Where links are
// listed, a link of width w carries at most w messages a round in its direction; else any pair of ranks may talk.
// Different ranks may do different things.
//
// The formula can be satisfied if and only if a schedule of so many rounds exists. docs/optima.md describes it clause
// by clause. From that text tests/certificates/check_optimum.py makes the formula anew, with the same numbers of
// variables. So a change of Formula is a change of the format of proofs.
//
// Variables, from 1 on, for p ranks, I blocks, L channels and R rounds:
// has(t, r, i)      rank r has block i after round t, 0 <= t <= R:  1 + (t p + r) I + i
// sends(t, l)       channel l is used in round t, 1 <= t <= R:      1 + (R + 1) p I + (t - 1) L + l
// carries(t, l, i)  it carries block i:                             1 + (R + 1) p I + R L + ((t - 1) L + l) I + i
// and then those of counters, in the order in which they are made.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "schedule/collective.hpp"

namespace rondo::optimum {

/// Messages may pass from `from` to `to`, at most `width` of them in a round.
struct Link {
  int from = 0, to = 0, width = 1;
  friend constexpr auto operator<=>(Link const&, Link const&) = default;
};

/// Who may talk to whom: these pairs, or any two ranks if unset.
using Links = std::optional<std::vector<Link>>;

/// A block, the ranks that hold it at the start, and the ranks that want it and do not hold it. Both lists ascend.
struct Block {
  std::vector<int> held, wanted;
  friend bool operator==(Block const&, Block const&) = default;
};

/// The question. Blocks are numbered from 0.
struct Question {
  int ranks = 0;
  int ports = 1;
  Links links = {};
  std::vector<Block> blocks = {};   ///< each is wanted by a rank
  std::vector<Content> names = {};  ///< of the blocks; of a reduction the number, with the rank that wants it
  /// Whether the question comes from a reduction of vectors each of which one rank wants. If a schedule of such a
  /// reduction is read backwards, it takes the vector from that rank to all that contribute, in as many rounds and with
  /// messages of the same size, and vice versa. So the question is about that broadcast, on reversed links.
  bool reversed = false;
  friend bool operator==(Question const&, Question const&) = default;
};

/// Who holds each block at the start, in ascending order.
std::map<Content, std::vector<int>> holders(Collective const& promise);

/// Throws InputError, without a place, for a promise outside of this model: reductions that several ranks want, or
/// whose operator does not commute.
Question question_of(Collective const& promise, int ports, Links links);

/// What every rank has to hear of, whatever becomes of blocks and contributions on their way: blocks with the same
/// holders are one block, and every rank wants all blocks that enter what it is owed. No schedule of the promise takes
/// fewer rounds than the fewest of this question with messages of any size, also if it reduces or cuts blocks.
Question hearing_question(Collective const& promise, int ports, Links links);

/// If messages may have any size, blocks with the same holders travel together: they are merged into one block, wanted
/// by every rank that wants one of them. It can be delivered in the same number of rounds.
struct Merged {
  Question question;
  std::vector<std::vector<int>> parts;  ///< the blocks of the first question that a block stands for
};
Merged merged(Question const& question);

/// Who may send to whom, as ordered pairs in ascending order. A link occurs once for each message that it carries in a
/// round; with `any_size` only once, because then two messages are no better than one.
std::vector<Link> channels(Question const& question, bool any_size);

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
