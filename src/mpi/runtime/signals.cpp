// Computes the steps of each operation by formulas, so no rank stores a table of steps.

#include "mpi/runtime/signals.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace rondo::mpi {

namespace {

using Step = std::optional<SignalStep>;
using enum SignalStep::Kind;

/// The kind of a step of dissemination or reduce_scatter: step 2k is the send of stage k, and step 2k + 1 is its await.
SignalStep::Kind kind_of(int index) { return index % 2 == 0 ? send : await; }

/// A barrier. In stage k each rank signals the rank 2^k after it, modulo the number of ranks.
Step dissemination(int rank, int ranks, int index) {
  int const stage = index / 2;
  if (stage >= 31 || std::int64_t{1} << stage >= ranks) return std::nullopt;
  int const distance = 1 << stage;
  std::int64_t const peer = std::int64_t{rank} + (kind_of(index) == send ? distance : ranks - distance);
  return SignalStep{kind_of(index), static_cast<int>(peer % ranks), stage};
}

/// The number of children of a rank. They are the existing ranks rank + 2^k with 2^k below the lowest set bit of
/// `rank`; for rank 0 with any k.
int children(int rank, int ranks) {
  int count = 0;
  while (count < 31 && (rank == 0 || (std::int64_t{1} << count) < (rank & -rank)) &&
         std::int64_t{rank} + (std::int64_t{1} << count) < ranks) {
    ++count;
  }
  return count;
}

/// The stages of a tree: messages to rank 0, then messages from it.
constexpr int up = 0, down = 1;

/// Small subtrees come first on the way up, because they finish earlier; large ones come first on the way down, because
/// their messages have further to go.
Step tree(int rank, int ranks, int index) {
  int const below = children(rank, ranks);
  if (index < below) return SignalStep{await, rank + (1 << index), up};
  index -= below;
  if (rank != 0) {
    int const parent = rank - (rank & -rank);
    if (index == 0) return SignalStep{send, parent, up};
    if (index == 1) return SignalStep{await, parent, down};
    index -= 2;
  }
  if (index < below) return SignalStep{send, rank + (1 << (below - 1 - index)), down};
  return std::nullopt;
}

/// How many ranks are in the subtree of `rank`, with itself.
int subtree(int rank, int ranks) { return rank == 0 ? ranks : std::min(rank & -rank, ranks - rank); }

/// The steps of the tree. Messages carry the whole vector on the way up, and the words of a subtree on the way down.
Step reduce_then_scatter(int rank, int ranks, int index) {
  Step step = tree(rank, ranks, index);
  if (!step) return step;
  bool const goes_up = step->stage == up;
  int const child = step->kind == send ? step->peer : rank;  // on the way down: the rank that receives
  step->first = goes_up ? 0 : child;
  step->words = goes_up ? ranks : subtree(child, ranks);
  step->replaces = !goes_up;
  return step;
}

/// In each stage a rank still holds sums for its words 0 to `whole` - 1. It sends the words from `half` on to the rank
/// `half` after it, which adds them to its words from 0 on. The sender keeps the words below `half`.
Step reduce_scatter(int rank, int ranks, int index) {
  int whole = ranks;
  for (int stage = 0; stage < index / 2 && whole > 1; ++stage) whole -= whole / 2;
  if (whole == 1) return std::nullopt;
  int const half = whole - whole / 2;
  if (kind_of(index) == send) {
    return SignalStep{send, static_cast<int>((std::int64_t{rank} + half) % ranks), index / 2, half, whole - half};
  }
  return SignalStep{await, static_cast<int>((std::int64_t{rank} + ranks - half) % ranks), index / 2, 0, whole - half};
}

}  // namespace

Step signal_step(Signalling signalling, int rank, int ranks, int index) {
  switch (signalling) {
    case Signalling::dissemination:
      return dissemination(rank, ranks, index);
    case Signalling::tree:
      return tree(rank, ranks, index);
    case Signalling::reduce_scatter:
      return reduce_scatter(rank, ranks, index);
    case Signalling::reduce_then_scatter:
      return reduce_then_scatter(rank, ranks, index);
  }
  throw ContractViolation("a signalling");
}

}  // namespace rondo::mpi
