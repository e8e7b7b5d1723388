#pragma once

// What an optimum is asked of: blocks, the ranks that hold them and the ranks that want them, and who may talk to whom.
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

/// Messages may go from `from` to `to`, at most `width` in a round.
struct Link {
  int from = 0, to = 0, width = 1;
  friend constexpr auto operator<=>(Link const&, Link const&) = default;
};

/// Who may talk to whom: these pairs, or any if unset.
using Links = std::optional<std::vector<Link>>;

/// A block, the ranks that hold it at the start, and those that want it and do not hold it. Both ascend.
struct Block {
  std::vector<int> held, wanted;
  friend bool operator==(Block const&, Block const&) = default;
};

struct Question {
  int ranks = 0;
  int ports = 1;
  Links links = {};
  std::vector<Block> blocks = {};   ///< each is wanted by a rank
  std::vector<Content> names = {};  ///< of the blocks; of a reduction the number, with the rank that wants it
  /// It is asked of a reduction whose every vector one rank wants. A schedule of the reduction read backwards takes the
  /// vector from that rank to all that contribute, in as many rounds and with messages as large, and the other way
  /// round. So the question is of that broadcast, on reversed links.
  bool reversed = false;
};

/// Who holds each block at the start, in ascending order.
std::map<Content, std::vector<int>> holders(Collective const& promise);

/// Throws InputError, without a place, for a promise that this model does not have: reductions that several ranks want,
/// or whose operator does not commute.
Question question_of(Collective const& promise, int ports, Links links);

/// With messages of any size blocks with equal holders travel together: one block that all ranks want that want one of
/// them. It can be delivered in as many rounds.
struct Merged {
  Question question;
  std::vector<std::vector<int>> parts;  ///< the blocks of the first question that a block stands for
};
Merged merged(Question const& question);

/// Who may send to whom as ordered pairs, ascending; a link stands there once for each message that it carries in a
/// round. With `any_size` once, as two messages are no more than one then.
std::vector<Link> channels(Question const& question, bool any_size);

}  // namespace rondo::optimum
