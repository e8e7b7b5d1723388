#pragma once

// Schedules that are wrong in one place or a few, or right in another way: what prover and checker are compared on.

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "scenario/scenario.hpp"

namespace rondo::mutants {

using scenario::Json;

/// One schedule of every family of algorithms, on few ranks, as schedule JSON with its promise in it: named as they are
/// exported, or written out.
std::vector<Json> rounds();
/// The schedule with one to three changes of its structure: sizes, slots, places, ranks, offsets, rounds, joins, order,
/// copies, messages cut and combined, ports, links, torus, and what is promised.
Json mutant_of(Json const& schedule, Random& random);

/// A file of tasks, by the ending of its name MSCCL XML, GOAL, GOAL in binary form or the trace of rank 0.
struct TaskText {
  std::string name, text;
  std::string promise = {};              ///< JSON; empty: none
  std::string source = {};               ///< of what is not text: the GOAL that it says
  std::vector<std::string> others = {};  ///< the traces of ranks 1, 2, ...
};
/// Files of msccl-tools (tests/data/msccl), and GOAL that reduces, gathers by tags, or says nothing of blocks.
std::vector<TaskText> tasks();
/// One to three changes of numbers, words, lines, notes and waits.
TaskText mutant_of(TaskText const& original, Random& random);

}  // namespace rondo::mutants
