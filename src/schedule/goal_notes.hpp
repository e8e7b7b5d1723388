#pragma once

// Notes in GOAL text say what becomes of blocks. They are comments, so that LogGOPSim and Schedgen read the text as
// before. In place of notes on tasks, tags can name the blocks.
//
// Between num_ranks and the first rank, one of
//
//   //@ buffers send 4 receive 4 scratch 0 block 8   every rank has buffers of so many blocks of so many bytes
//   //@ tags 2 block 8                               a message with tag t is block t % 2 of rank t / 2, of 8 bytes
//
// With buffers, at the end of the line of a task, what it does:
//
//   l1: send 16b to 1       //@ send[0] receive[2]          sends what lies there
//   l2: recv 16b from 1     //@ receive[0..1]               stores what comes there
//   l3: recv 8b from 1      //@ + receive[2]                joins what lies there with what comes
//   l4: calc 0              //@ receive[3] = send[1]        copies
//   l5: calc 0              //@ receive[3] += scratch[0]    joins what lies there with the right side
//
// A send or receive without a note carries nothing that is owed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/block_graph.hpp"
#include "schedule/collective.hpp"

namespace rondo {

/// What stands behind the mark //@ of a comment.
struct GoalNote {
  static constexpr std::uint32_t of_all = 0xffff'ffff;
  std::uint32_t task = of_all;  ///< the task on whose line it stands; of_all: it stands between num_ranks and a rank
  std::string_view text;
  int line = 0, column = 0;
};
struct GoalText {
  TaskGraph graph;
  std::vector<GoalNote> notes;
};
/// read_goal with its notes, which are parts of `text`.
GoalText read_goal_notes(std::string_view text, std::string const& name, std::int64_t most_ranks = most_goal_ranks);

struct NotedGraph {
  BlockGraph graph;
  /// Not 0: tags name blocks, so many of each rank. A rank's receive buffer has a place for each block of all, by its
  /// tag, and the send buffer is the part of it where its own lie; promises must be by_tags.
  std::uint32_t tagged = 0;
};

/// Reads the notes of a text. Without notes the graph has no effects. Throws InputError that names `name`, line and
/// column for a note that is none, places outside of their buffers, and messages of another size than their blocks.
NotedGraph with_blocks(GoalText text, std::string const& name);

/// The promise as it is where tags name blocks, `tagged` of each rank: whatever is owed, in the place of its tag.
/// Throws InputError for reductions, whose blocks have no one name, and for blocks that have no tag.
Collective by_tags(Collective const& promise, std::uint32_t tagged);

}  // namespace rondo
