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

/// MSCCL XML and GOAL with notes, by name; a promise stands beside GOAL.
struct TaskText {
  std::string name, text;
  std::string promise = {};  ///< JSON; empty: none
};
/// Files of msccl-tools (tests/data/msccl), and GOAL that reduces, gathers by tags, or says nothing of blocks.
std::vector<TaskText> tasks();
/// One to three changes of numbers, words, lines, notes and waits.
TaskText mutant_of(TaskText const& original, Random& random);

}  // namespace rondo::mutants
