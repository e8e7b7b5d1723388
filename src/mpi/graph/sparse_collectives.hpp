#pragma once

// What the collectives of MPI that have no neighborhood form mean on a graph [Traeff21, Section 2]. All are collective
// and blocking, and throw MpiFailure. A rank whose arguments are wrong does its part with empty blocks.

#include <mpi.h>

#include "mpi/graph/process_topology.hpp"

namespace rondo::mpi {

/// A single buffer.
struct Data {
  void const* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_BYTE;
};

/// A buffer of blocks, one for each neighbor.
struct DataBlocks {
  void const* buffer = nullptr;
  int count = 0;  ///< the elements of each block, unless there are counts
  int const* counts = nullptr;
  int const* displacements = nullptr;  ///< in extents; null: one behind the other
  MPI_Datatype type = MPI_BYTE;
};

/// The graph a communicator carries, or null: what does not carry one is fully connected, or an inter-communicator.
std::shared_ptr<CarriedTopology> graph_of(MPI_Comm comm);

/// Returns when all sources have entered.
void sparse_barrier(std::shared_ptr<CarriedTopology> const& home);
/// Sends data from the root to its targets.
void sparse_bcast(std::shared_ptr<CarriedTopology> const& home, Data const& data, int root);
/// The sources of the root send it a block for each edge; it receives them in the order of its sources.
void sparse_gather(std::shared_ptr<CarriedTopology> const& home, Data const& sent, DataBlocks const& received,
                   int root);
/// The root sends a block to each of its targets; a target of several edges keeps the block of the last one.
void sparse_scatter(std::shared_ptr<CarriedTopology> const& home, DataBlocks const& sent, Data const& received,
                    int root);
/// What the sources of the root give, reduced in their order; MPI_ERR_OP for an operation that does not commute.
void sparse_reduce(std::shared_ptr<CarriedTopology> const& home, Data const& sent, void* received, MPI_Op op, int root);
/// The same at every rank: a neighborhood allgather, by the algorithm that is chosen for those, then reductions.
void sparse_allreduce(std::shared_ptr<CarriedTopology> const& home, Data const& sent, void* received, MPI_Op op);

}  // namespace rondo::mpi
