#pragma once

// The question that an optimum answers: blocks, the ranks that hold them, the ranks that want them, and who may talk
// to whom.
//
// The round model. In a round a rank sends at most `ports` messages and receives at most `ports`. A message carries at
// most so many blocks, or any number. A block that arrives in a round can be sent on in the next. Where links are
// listed, a link of width w carries at most w messages a round in its direction; else any pair of ranks may talk.
// Different ranks may do different things.

#include <map>
#include <optional>
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

}  // namespace rondo::optimum
