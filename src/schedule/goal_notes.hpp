#pragma once

// Notes in GOAL text that say how tasks move blocks. They are comments, so LogGOPSim and Schedgen read the text
// as before. Instead of notes on tasks, the tags of messages can name the blocks.
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

/// The text behind the mark //@ of a comment.
struct GoalNote {
  static constexpr std::uint32_t of_all = 0xffff'ffff;
  std::uint32_t task = of_all;  ///< the task on whose line it stands; of_all: it stands between num_ranks and a rank
  std::string_view text;
  int line = 0, column = 0;
};
/// Tasks, and the notes between them, not yet read.
struct GoalText {
  TaskGraph graph;
  std::vector<GoalNote> notes;
};
/// Reads tasks as read_goal does, and keeps the notes; they are parts of `text`.
GoalText read_goal_notes(std::string_view text, std::string const& name, std::int64_t most_ranks = most_goal_ranks);

/// The graph with its effects, and how blocks are named.
struct NotedGraph {
  BlockGraph graph;
  /// Not 0 if tags name blocks: the number of blocks of each rank. The receive buffer of a rank then has a place for
  /// each block of all ranks, at the number of its tag; the send buffer is the part of it with the rank's own blocks.
  /// Promises must be by_tags.
  std::uint32_t tagged = 0;
};

/// Reads the notes of a text; without notes the graph has no effects. Throws InputError that names `name`, line and
/// column if a note is malformed, a place is outside its buffer, or a message has another size than its blocks.
NotedGraph with_blocks(GoalText text, std::string const& name);

/// The promise in the form for graphs whose tags name blocks, `tagged` of each rank: every owed block lies in the place
/// of its tag. Throws InputError for a reduction, whose result has no single name, for a block without a tag, and if a
/// rank holds more than `tagged` blocks.
Collective by_tags(Collective const& promise, std::uint32_t tagged);

}  // namespace rondo
