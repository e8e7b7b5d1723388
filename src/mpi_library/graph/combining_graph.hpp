#pragma once

// The facts about a graph that ranks find out once, to combine messages over common neighbors on it [Mirsadeghi17].

#include "mpi/setup/local_pattern.hpp"
#include "mpi_library/graph/neighbor_work.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

/// The pattern of the rank, and the work of all ranks together.
struct CombiningGraph {
  LocalPattern pattern;
  bool repeated = false;  ///< whether some rank has repeated edges
  /// The work of all ranks together (see sum_of_largest) with blocks of one byte: `separate` with one message per edge,
  /// the others with combined messages.
  NeighborWork separate, allgather, alltoall;
};

/// Collective. Sets home.combining; only the first call has an effect. Throws MpiFailure.
void look_for_common_neighbors(AttachedTopology& home);

}  // namespace rondo::mpi
