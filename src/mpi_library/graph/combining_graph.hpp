#pragma once

// Message combining over common neighbors [Mirsadeghi17]. NeighborWork estimates how long a collective takes in the
// linear model, and neighbor_plan.hpp chooses an algorithm by this estimate. combined_program() turns a rank's
// communication pattern into its program: the messages and copies of a neighborhood collective. CombiningGraph holds
// the facts about a graph that ranks find out once.

#include <mpi.h>

#include <vector>

#include "base/units.hpp"
#include "mpi/setup/local_pattern.hpp"
#include "mpi_library/graph/neighbor_algorithm.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The messages that a rank sends one after the other, and their bytes. For all ranks together, a round counts the most
/// messages of any rank and the most bytes of any rank; these may be two different ranks.
struct NeighborWork {
  double messages = 0, bytes = 0;
  NeighborWork& operator+=(NeighborWork const& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

/// Whether combining takes less time than one message per edge in the linear model: D alpha + beta V m < s alpha + beta
/// s m. `startup_bytes` is alpha / beta. If V > s, this holds below the cut-off m = (alpha / beta) (s - D) / (V - s) of
/// [Traeff16, Section 3.1, corrected].
inline bool combining_is_faster(NeighborWork const& combined, NeighborWork const& separate, double startup_bytes) {
  return combined.messages * startup_bytes + combined.bytes < separate.messages * startup_bytes + separate.bytes;
}

/// The work of a rank in each round of its program. A rank sends and receives at the same time, so each round counts
/// the messages of the direction with more messages, and the bytes of the direction with more bytes.
std::vector<NeighborWork> work_by_round(Program const& program);

/// The work of all rounds together.
NeighborWork sum(std::vector<NeighborWork> const& rounds);

/// The work with blocks of this size, from the work with blocks of one byte.
NeighborWork scaled(NeighborWork const& blocks, Bytes size);

/// The program of a rank in [Mirsadeghi17, Algorithm 3], made from what the rank itself knows. Its rounds are those of
/// generate::neighbor_common_neighbors. All blocks have `block` bytes, and peers are ranks. In allgather repeated edges
/// share a message, and local copies fill the other slots; all-to-all must have no repeated edges. `pattern` was
/// computed from the distinct targets and sources, without the rank itself.
Program combined_program(NeighborCollective kind, ProcessTopology const& topology, LocalPattern const& pattern,
                         Rank self, Bytes block);

/// The pattern of the rank, and the work of all ranks together.
struct CombiningGraph {
  LocalPattern pattern;
  bool repeated = false;  ///< whether some rank has repeated edges
  /// The most messages and the most bytes of any rank in each round, summed over the rounds, with blocks of one byte:
  /// `separate` with one message per edge, the others with combined messages.
  NeighborWork separate, allgather, alltoall;
};

/// Collective. Finds common neighbors by messages between the ranks, and stores the result in home.combining. Later
/// calls have no effect. Throws MpiFailure.
void look_for_common_neighbors(AttachedTopology& home);

}  // namespace rondo::mpi
