#pragma once

// The process topology that a communicator carries, in the words of MPI's chapter on virtual topologies.

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

/// The neighbors of a rank on one side, in the order of its blocks. Where a neighbor is missing there is MPI_PROC_NULL,
/// whose block is neither sent nor received.
struct Neighbors {
  std::vector<int> ranks;
  std::vector<int> weights;  ///< one for each neighbor; empty on an unweighted graph
};

/// A graph of which all ranks know all edges: index[i] neighbors of the ranks 0 to i, listed one rank after the other.
struct WholeGraph {
  std::vector<int> index, edges;
  /// Whether every edge leads back too, without which a neighborhood collective has no partner at some ranks.
  bool symmetric = true;

  int nodes() const { return static_cast<int>(index.size()); }
  std::span<int const> neighbors(int node) const {
    auto const i = static_cast<std::size_t>(node);
    auto const first = static_cast<std::size_t>(i == 0 ? 0 : index[i - 1]);
    return std::span(edges).subspan(first, static_cast<std::size_t>(index[i]) - first);
  }
};

/// What a rank knows of the graph: its own edges.
struct ProcessTopology {
  enum class Kind : std::uint8_t { cartesian, whole_graph, distributed_graph };
  Kind kind = Kind::distributed_graph;
  bool weighted = false;
  Neighbors sources, targets;
  std::shared_ptr<CartesianGraph const> grid;  ///< where all ranks have the same neighbors relative to themselves
  std::shared_ptr<WholeGraph const> whole;     ///< where all ranks know all edges

  int indegree() const { return static_cast<int>(sources.ranks.size()); }
  int outdegree() const { return static_cast<int>(targets.ranks.size()); }
  /// The source whose block the k-th receive between two ranks is for. On a graph the k-th edge to a rank is the k-th
  /// one from it there. On a Cartesian communicator what leaves in one direction arrives from the other one, which
  /// differs where both lead to the same rank [MPI 4.1, Section 8.6, Example 8.10].
  int receive_order(int k) const { return kind == Kind::cartesian ? k ^ 1 : k; }
};

/// Shared by the communicator it is attached to and the requests that were made on it.
struct CarriedTopology {
  std::shared_ptr<ProcessTopology const> topology;
  std::unique_ptr<OwnComm> comm;                      ///< carries the operations' messages, never the caller's
  MPI_Comm carrier = MPI_COMM_NULL;                   ///< the caller's, until it is freed
  int operations = 0;                                 ///< started so far, at all ranks alike
  int most_edges = 0;                                 ///< to or from other ranks, of the rank that has most
  NeighborTuning tuning;                              ///< naive on inter-communicators
  std::shared_ptr<CombiningGraph const> combining;    ///< once common neighbors have been looked for
  std::array<std::shared_ptr<CachedPlan>, 2> cached;  ///< by the kind of collective
  std::vector<MPI_Request> left_behind;               ///< nobody waits for, see expect_root in sparse_parts.hpp

  /// The tag of the next operation.
  int next_tag();
  void detached() { carrier = MPI_COMM_NULL; }
};

/// Collective: from now on the communicator carries the topology. Throws MpiFailure, and then frees the communicator:
/// see agreed_tuning.
void carry(MPI_Comm comm, std::shared_ptr<ProcessTopology const> topology, MPI_Info info);
/// Gives a communicator the topology and tuning of another one of the same ranks. Makes one communicator.
void carry_same(MPI_Comm comm, CarriedTopology const& original, NewComms& comms);
/// Collective: what the info says of algorithms. Throws MpiFailure as agreed_tuning, and then changes nothing.
void tune(CarriedTopology& home, MPI_Info info);
/// The topology that a communicator carries. Throws MpiFailure: MPI_ERR_COMM for MPI_COMM_NULL, MPI_ERR_TOPOLOGY for a
/// communicator without a topology.
std::shared_ptr<CarriedTopology> carried(MPI_Comm comm);
/// As carried(), but returns null for a communicator without a topology.
std::shared_ptr<CarriedTopology> carried_if_any(MPI_Comm comm);

/// The topology of this rank on a Cartesian communicator: in each dimension first the neighbor in the negative, then
/// the one in the positive direction. Throws MpiFailure.
ProcessTopology cartesian_topology(MPI_Comm comm);

}  // namespace rondo::mpi
