#pragma once

// The process topology that a communicator carries, in the terms of MPI's chapter on virtual topologies.

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/graph/neighbor_algorithm.hpp"

namespace rondo::mpi {

struct CartesianGraph;
struct CombiningGraph;
struct CachedPlan;

/// The neighbors of a rank on one side, in the order of its blocks. MPI_PROC_NULL stands for a missing neighbor, whose
/// block is neither sent nor received.
struct Neighbors {
  std::vector<int> ranks;
  std::vector<int> weights;  ///< one for each neighbor; empty on an unweighted graph
};

/// A graph that all ranks know as a whole: index[i] is the number of neighbors of the ranks 0 to i together, and their
/// lists follow each other.
struct WholeGraph {
  std::vector<int> index, edges;
  /// Whether every edge also leads back. Without that, a neighborhood collective lacks a partner at some ranks.
  bool symmetric = true;

  int nodes() const { return static_cast<int>(index.size()); }
  std::span<int const> neighbors(int node) const {
    auto const i = static_cast<std::size_t>(node);
    auto const first = static_cast<std::size_t>(i == 0 ? 0 : index[i - 1]);
    return std::span(edges).subspan(first, static_cast<std::size_t>(index[i]) - first);
  }
};

/// The part of the graph that a rank knows: its own edges.
struct ProcessTopology {
  enum class Kind : std::uint8_t { cartesian, whole_graph, distributed_graph };
  Kind kind = Kind::distributed_graph;
  bool weighted = false;
  Neighbors sources, targets;
  std::shared_ptr<CartesianGraph const> grid;  ///< set if all ranks have the same neighbors relative to themselves
  std::shared_ptr<WholeGraph const> whole;     ///< set if all ranks know all edges

  int indegree() const { return static_cast<int>(sources.ranks.size()); }
  int outdegree() const { return static_cast<int>(targets.ranks.size()); }
  /// Which of the blocks from another rank the k-th receive between the two ranks is for. On a graph, the k-th edge to
  /// a rank arrives there as its k-th edge. On a Cartesian communicator, a block that leaves in one direction arrives
  /// from the opposite one; this makes a difference if both directions lead to the same rank [MPI 4.1, Section 8.6,
  /// Example 8.10].
  int receive_order(int k) const { return kind == Kind::cartesian ? k ^ 1 : k; }
};

/// The topology of a communicator with its state. The communicator and the requests that were made on it share it.
struct AttachedTopology {
  std::shared_ptr<ProcessTopology const> topology;
  std::unique_ptr<OwnComm> comm;     ///< carries the operations' messages, never the caller's
  MPI_Comm carrier = MPI_COMM_NULL;  ///< the caller's, until it is freed
  int operations = 0;                ///< started so far; equal at all ranks, which call in the same order
  int most_edges = 0;                ///< to or from other ranks, at the rank with the most
  NeighborTuning tuning;             ///< naive on inter-communicators
  std::shared_ptr<CombiningGraph const> combining;    ///< once common neighbors have been looked for
  std::array<std::shared_ptr<CachedPlan>, 2> cached;  ///< by the kind of collective
  std::vector<MPI_Request> left_behind;  ///< requests that nobody waits for, see expect_root in sparse_parts.hpp

  /// The tag of the next operation.
  int next_tag();
  void detached() { carrier = MPI_COMM_NULL; }
};

/// Collective. Attaches the topology to the communicator. If it throws MpiFailure (see agreed_tuning), it frees the
/// communicator.
void attach_topology(MPI_Comm comm, std::shared_ptr<ProcessTopology const> topology, MPI_Info info);
/// Gives a communicator the topology and tuning of another one with the same ranks. Makes one communicator.
void attach_same_topology(MPI_Comm comm, AttachedTopology const& original, NewComms& comms);
/// Collective. Takes the info's choices of algorithms. Throws MpiFailure as agreed_tuning, and then changes nothing.
void tune(AttachedTopology& home, MPI_Info info);
/// The topology that a communicator carries. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without a topology.
std::shared_ptr<AttachedTopology> attached_topology(MPI_Comm comm);
/// Like attached_topology(), but returns null for a communicator without a topology.
std::shared_ptr<AttachedTopology> find_attached_topology(MPI_Comm comm);

/// The topology of this rank on a Cartesian communicator: in each dimension first the neighbor in the negative, then
/// the one in the positive direction. Throws MpiFailure.
ProcessTopology cartesian_topology(MPI_Comm comm);

}  // namespace rondo::mpi
