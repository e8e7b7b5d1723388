#pragma once

// What ranks find out of a graph once, to combine messages over common neighbors on it [Mirsadeghi17].

#include "mpi/setup/local_pattern.hpp"
#include "mpi_library/graph/neighbor_work.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {

struct CombiningGraph {
  LocalPattern pattern;
  bool repeated = false;  ///< whether some rank has repeated edges
  /// The work of all ranks together (see most_of_all) with blocks of one byte: `alone` with a message for each edge,
  /// the others with messages combined.
  NeighborWork alone, allgather, alltoall;
};

/// Collective: sets home.combining; has an effect once. Throws MpiFailure.
void look_for_common_neighbors(CarriedTopology& home);

}  // namespace rondo::mpi
