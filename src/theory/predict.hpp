#pragma once

// Theory from its problem: the closed form and the lower bounds of what the problem asks for, on a machine with the
// linear cost model. Graphs have been made (problem/graph_source.hpp), and sizes are no expressions any more.

#include <optional>

#include "problem/problem.hpp"
#include "theory/cost.hpp"
#include "theory/prediction.hpp"

namespace rondo::theory {

/// What of a machine decides how long messages take.
struct MachineCost {
  LinearCost usual;              ///< cost of a message between two hosts
  LinearCost cheapest;           ///< no message costs less, those between ranks of one host neither; for lower bounds
  int ports = 1;                 ///< sends, and receives, that a rank's messages are served by at once
  Bytes envelope{0};             ///< bytes that every message carries beside its blocks
  bool links_unshared = true;    ///< messages never slow each other down but at the ports of their ends
  bool distance_is_free = true;  ///< any message costs the same before its bytes, however far it goes
  std::optional<Torus> torus = {};  ///< the machine's, if it is one: its neighbors are one hop apart
  /// Of two groups: ranks that are neighbors on their torus, or ring, are on neighboring hosts or on one.
  bool neighbors_beside = false;
  bool linear = true;  ///< whether times are those of this cost; of another model none are asked for
};

Prediction predict(problem::Isomorphic const& problem, MachineCost const& cost);
/// With building blocks of MPI only the bounds: what the library's collectives do is not foretold.
Prediction predict(problem::Intergroup const& problem, MachineCost const& cost);
/// The naive algorithm has a closed form of its counts, but not of its time: all messages are posted at once, and the
/// graph decides their order.
Prediction predict(problem::Neighbor const& problem, MachineCost const& cost);
/// The messages of a root start at once wherever they go to, if no distance and no link tells them apart: their time is
/// rooted_time (sparse_collective.hpp).
Prediction predict(problem::SparseOnGraph const& problem, MachineCost const& cost);
/// The messages by the formulas of the algorithm's description, added up (classical_ledger.hpp). Times are exact where
/// distance and links do not tell messages apart.
Prediction predict(problem::Classical const& problem, MachineCost const& cost);

/// What there is to write down of a collective on all ranks, without its times.
struct MessageCounts {
  std::int64_t messages = 0;
  std::int64_t units = 0;   ///< of all messages, in bytes of a block, or in blocks that have no bytes
  std::int64_t finest = 0;  ///< the largest message of that round in which it is smallest
  /// In rounds in which ranks post several messages, each with all of the busiest rank: so much `predict` looks at.
  double compared = 0;
};
/// Counts as `predict` does, with equal blocks, but in time proportional to the messages; unset if there are more than
/// `most`. Throws InputError where the algorithm does not know such a number of ranks.
std::optional<MessageCounts> count_messages(problem::Classical problem, std::int64_t most);

/// Programs have counts of messages, and no bounds. Those of Luby's algorithm depend on random numbers.
Prediction predict(problem::SparseExchange const& problem, MachineCost const& cost);
Prediction predict(problem::GraphProgram const& problem, MachineCost const& cost);
Prediction predict(problem::Bisection const& problem, MachineCost const& cost);
Prediction predict(problem::UserProgram const& problem, MachineCost const& cost);
/// The bounds of what is promised, for any links: a schedule that nobody here generated has no closed form.
Prediction predict(problem::Custom const& problem, MachineCost const& cost);
/// Nothing is known of several collectives at once.
Prediction predict(problem::Workload const& problem, MachineCost const& cost);

/// The bounds of a promise, without a closed form. `unit_links`: for schedules whose messages go to neighbors on the
/// torus of an isomorphic collective alone. Of a promise written out: no rank has less to receive than the blocks that
/// it is owed and lacks; where blocks lie at their own ranks only, it takes rounds_to_reach (spreading.hpp) to hear of
/// as many other ranks.
Prediction bounds(problem::Promise const& promise, bool unit_links, MachineCost const& cost);

/// What of a torus or mesh the claims about `torus` name: D, V and W on one port, in the problem's dimension order;
/// unset where dimensions of both kinds, that close and that do not, have no closed form.
struct DimensionWiseCounts {
  std::optional<double> rounds, alltoall_volume, allgather_volume;
};
DimensionWiseCounts dimension_wise_counts(problem::Isomorphic const& problem);

/// m_cut: below this block size `torus` is faster than `straightforward` on as many ports; 0: never, the largest
/// number: always; unset where there is no such size (faster above one, block sizes that differ, a mesh). Every message
/// carries the envelope, so that it is a part of its start-up.
std::optional<double> cutoff(problem::Isomorphic const& problem, MachineCost const& cost);

}  // namespace rondo::theory
