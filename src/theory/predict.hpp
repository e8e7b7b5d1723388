#pragma once

// The interface of theory: the closed form and the lower bounds of a problem, on a machine with the linear cost model.
// Graphs must have been made (problem/graph_collectives.hpp), and sizes must be numbers, no expressions.

#include <optional>

#include "problem/problem.hpp"
#include "theory/prediction.hpp"

namespace rondo::theory {

/// The properties of a machine that decide how long messages take.
struct MachineCost {
  LinearCost usual;     ///< the cost of a message between two hosts
  LinearCost cheapest;  ///< a lower bound of the cost of any message, also between ranks of one host; for lower bounds
  int ports = 1;        ///< how many sends, and how many receives, of a rank are served at the same time
  Bytes envelope{0};    ///< bytes that every message carries in addition to its blocks
  bool links_unshared = true;       ///< whether messages only slow each other down at the ports of their ends
  bool distance_is_free = true;     ///< whether any message has the same start-up, however far it goes
  std::optional<Torus> torus = {};  ///< the machine, if it is a torus; its neighbors are one hop apart
  /// For two groups: whether ranks that are neighbors on their torus, or ring, are on neighboring hosts or on the same
  /// one.
  bool neighbors_beside = false;
  bool linear = true;  ///< whether times are those of this cost; for another model no times are asked for
};

/// Predictions of the kinds of problems.
Prediction predict(problem::Isomorphic const& problem, MachineCost const& cost);
/// With building blocks of MPI it only has bounds, because the collectives of the library are unknown.
Prediction predict(problem::Intergroup const& problem, MachineCost const& cost);
/// The naive algorithm has a closed form for its counts, but not for its time: all messages are posted at once, and the
/// graph decides their order.
Prediction predict(problem::Neighbor const& problem, MachineCost const& cost);
/// The messages of a root start at once. If neither distance nor links distinguish them, their time is rooted_time
/// (graph_collectives.hpp).
Prediction predict(problem::SparseOnGraph const& problem, MachineCost const& cost);
/// Adds up the messages, which the formulas of the algorithm's description give (classical_ledger.hpp). Times are exact
/// if neither distance nor links distinguish messages.
Prediction predict(problem::Classical const& problem, MachineCost const& cost);

/// How many messages a collective on all ranks has, without times.
struct MessageCounts {
  std::int64_t messages = 0;
  std::int64_t units = 0;   ///< of all messages: in bytes of a block, or in blocks if these have no bytes
  std::int64_t finest = 0;  ///< the smallest, over the rounds, of the largest message of a round
  /// For the rounds in which ranks post several messages, the sum of messages times those of the busiest rank.
  /// `predict` compares about this many.
  double compared = 0;
};
/// Counts as `predict` does, with equal blocks, but in time proportional to the messages; unset if there are more than
/// `most`. Throws InputError if the algorithm does not allow this number of ranks.
std::optional<MessageCounts> count_messages(problem::Classical problem, std::int64_t most);

/// Programs have counts of messages, but no bounds. The counts of Luby's algorithm depend on random numbers and are
/// unset.
Prediction predict(problem::SparseExchange const& problem, MachineCost const& cost);
Prediction predict(problem::GraphProgram const& problem, MachineCost const& cost);
Prediction predict(problem::Bisection const& problem, MachineCost const& cost);
Prediction predict(problem::UserProgram const& problem, MachineCost const& cost);
/// The bounds of the promise, for any links. A schedule that Rondo did not generate has no closed form.
Prediction predict(problem::Custom const& problem, MachineCost const& cost);
/// There is no prediction for several collectives at once.
Prediction predict(problem::Workload const& problem, MachineCost const& cost);

/// The bounds of a promise, without a closed form. `unit_links`: for schedules that only send to neighbors on the torus
/// of an isomorphic collective. For a promise that is written out slot by slot: no rank receives less than the blocks
/// that are owed to it and that it lacks. If blocks lie at their own ranks only, it takes rounds_to_reach
/// (spreading.hpp) to hear from as many other ranks.
Prediction bounds(problem::Promise const& promise, bool unit_links, MachineCost const& cost);

/// D, V and W of `torus` on one port, in the problem's dimension order, as claims name them. Unset if some dimensions
/// are closed and others open, because this has no closed form.
struct DimensionWiseCounts {
  std::optional<double> rounds, alltoall_volume, allgather_volume;
};
DimensionWiseCounts dimension_wise_counts(problem::Isomorphic const& problem);

/// m_cut: below this block size `torus` is faster than `straightforward` on as many ports. 0 means never, and the
/// largest number always. Unset if there is no such size (because it is faster above a size, block sizes differ, or the
/// torus is a mesh). Every message carries the envelope, which therefore counts as part of its start-up.
std::optional<double> cutoff(problem::Isomorphic const& problem, MachineCost const& cost);

}  // namespace rondo::theory
