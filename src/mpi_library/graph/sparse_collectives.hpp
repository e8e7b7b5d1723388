#pragma once

// The collectives of MPI that have no neighborhood form, with their meaning on a graph [Traeff21, Section 2]. All
// functions are collective: like make_request() they make the operation of a rank, which the caller starts. They throw
// MpiFailure for a root that does not exist. A rank whose arguments are wrong does its part with empty blocks.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>

#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/process_topology.hpp"

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

/// The graph that a communicator carries; null for a fully connected communicator or an inter-communicator.
std::shared_ptr<AttachedTopology> graph_of(MPI_Comm comm);

/// Ends when all sources have entered it.
std::unique_ptr<NeighborRequest> sparse_barrier(std::shared_ptr<AttachedTopology> const& home);
/// Sends data from the root to its targets.
std::unique_ptr<NeighborRequest> sparse_bcast(std::shared_ptr<AttachedTopology> const& home, Data const& data,
                                              int root);
/// The sources of the root send it a block for each edge. The root receives the blocks in the order of its sources.
std::unique_ptr<NeighborRequest> sparse_gather(std::shared_ptr<AttachedTopology> const& home, Data const& sent,
                                               DataBlocks const& received, int root);
/// The root sends a block to each of its targets; a target of several edges keeps the block of the last one.
std::unique_ptr<NeighborRequest> sparse_scatter(std::shared_ptr<AttachedTopology> const& home, DataBlocks const& sent,
                                                Data const& received, int root);
/// Reduces the contributions of the root's sources in the order of the sources. MPI_ERR_OP for an operation that does
/// not commute.
std::unique_ptr<NeighborRequest> sparse_reduce(std::shared_ptr<AttachedTopology> const& home, Data const& sent,
                                               void* received, MPI_Op op, int root);
/// Gives every rank the reduction of its sources' vectors: a neighborhood allgather by the chosen algorithm, then local
/// reductions.
std::unique_ptr<NeighborRequest> sparse_allreduce(std::shared_ptr<AttachedTopology> const& home, Data const& sent,
                                                  void* received, MPI_Op op);

// Between two groups alone, whose ranks list all ranks of the other group.

/// The operation of a rank that a collective with a root does not concern.
std::unique_ptr<NeighborRequest> sparse_nothing(std::shared_ptr<AttachedTopology> const& home);
/// Reduces the vectors of the other group, and gives each rank `count` elements of the result, in the order of the
/// `local_size` ranks of its group. MPI_ERR_COUNT if the ranks of the other group could not all get the same number of
/// elements.
std::unique_ptr<NeighborRequest> inter_reduce_scatter_block(std::shared_ptr<AttachedTopology> const& home,
                                                            Data const& received, void const* sent, MPI_Op op,
                                                            int local_size);
/// Reduces and scatters with a count for each rank of the own group, of which this rank is number `own`. No rank knows
/// the counts of the other group, so that each sends its whole vector to all ranks of the other group.
std::unique_ptr<NeighborRequest> inter_reduce_scatter(std::shared_ptr<AttachedTopology> const& home, void* received,
                                                      std::span<int const> counts, std::size_t own, Data const& sent,
                                                      MPI_Op op);

}  // namespace rondo::mpi
