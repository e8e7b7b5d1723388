// The C interface of process topologies. Each function translates its arguments, makes one call and returns an error
// class.

#include "rondo/topology.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/named_constants.hpp"
#include "mpi_library/classical/collective_call.hpp"
#include "mpi_library/graph/cart_comm.hpp"
#include "mpi_library/graph/dist_graph.hpp"
#include "mpi_library/graph/graph_comm.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "mpi_library/interface/communicators.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"

namespace {

using namespace rondo::mpi;

std::shared_ptr<AttachedTopology> graph(MPI_Comm comm) {
  auto found = attached_topology(comm);
  if (found->topology->kind != ProcessTopology::Kind::distributed_graph) throw MpiFailure(MPI_ERR_TOPOLOGY);
  return found;
}

/// Copies as many values as there is room for.
void copy_some(std::span<int const> values, int room, int* into) {
  if (room < 0) throw MpiFailure(MPI_ERR_ARG);
  std::size_t const count = std::min(values.size(), static_cast<std::size_t>(room));
  if (count > 0 && into == nullptr) throw MpiFailure(MPI_ERR_ARG);
  std::copy_n(values.begin(), count, into);
}

void tell(Neighbors const& neighbors, int room, int* ranks, int* weights) {
  copy_some(neighbors.ranks, room, ranks);
  if (!is_unweighted(weights) && weights != MPI_WEIGHTS_EMPTY) copy_some(neighbors.weights, room, weights);
}

/// The answer of MPI_Topo_test.
int topology_type(MPI_Comm comm) {
  int inter = 0;
  check(Rondo_Comm_test_inter(comm, &inter));
  if (inter != 0) return MPI_INTER;
  auto const found = find_attached_topology(comm);
  if (found == nullptr) return MPI_UNDEFINED;
  switch (found->topology->kind) {
    case ProcessTopology::Kind::cartesian:
      return MPI_CART;
    case ProcessTopology::Kind::whole_graph:
      return MPI_GRAPH;
    case ProcessTopology::Kind::distributed_graph:
      return MPI_DIST_GRAPH;
  }
  return MPI_UNDEFINED;
}

std::span<int const> neighbors_of(WholeGraph const& graph, int rank) {
  if (rank < 0 || rank >= graph.nodes()) throw MpiFailure(MPI_ERR_RANK);
  return graph.neighbors(rank);
}

}  // namespace

int Rondo_Dist_graph_create(MPI_Comm comm, int n, int const sources[], int const degrees[], int const destinations[],
                            int const weights[], MPI_Info info, int, MPI_Comm* graphcomm) {
  return give(graphcomm, [&] { return create_graph(comm, {n, sources, degrees, destinations, weights}, info); });
}

int Rondo_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const sources[], int const sourceweights[],
                                     int outdegree, int const destinations[], int const destweights[], MPI_Info info,
                                     int, MPI_Comm* graphcomm) {
  return give(graphcomm, [&] {
    return create_adjacent_graph(comm, {indegree, sources, sourceweights}, {outdegree, destinations, destweights},
                                 info);
  });
}

int Rondo_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return guarded([&] {
    if (indegree == nullptr || outdegree == nullptr || weighted == nullptr) throw MpiFailure(MPI_ERR_ARG);
    ProcessTopology const& topology = *graph(comm)->topology;
    *indegree = topology.indegree();
    *outdegree = topology.outdegree();
    *weighted = topology.weighted ? 1 : 0;
  });
}

int Rondo_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
                               int destinations[], int destweights[]) {
  return guarded([&] {
    ProcessTopology const& topology = *graph(comm)->topology;
    tell(topology.sources, maxindegree, sources, sourceweights);
    tell(topology.targets, maxoutdegree, destinations, destweights);
  });
}

int Rondo_Graph_create(MPI_Comm comm, int nnodes, int const index[], int const edges[], int, MPI_Comm* graphcomm) {
  return give(graphcomm, [&] { return create_whole_graph(comm, {nnodes, index, edges}); });
}

int Rondo_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return guarded([&] {
    if (nnodes == nullptr || nedges == nullptr) throw MpiFailure(MPI_ERR_ARG);
    auto const found = whole_graph(comm);
    *nnodes = found->nodes();
    *nedges = static_cast<int>(found->edges.size());
  });
}

int Rondo_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]) {
  return guarded([&] {
    auto const found = whole_graph(comm);
    copy_some(found->index, maxindex, index);
    copy_some(found->edges, maxedges, edges);
  });
}

int Rondo_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return guarded([&] {
    if (nneighbors == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *nneighbors = static_cast<int>(neighbors_of(*whole_graph(comm), rank).size());
  });
}

int Rondo_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return guarded([&] {
    auto const found = whole_graph(comm);
    copy_some(neighbors_of(*found, rank), maxneighbors, neighbors);
  });
}

int Rondo_Graph_map(MPI_Comm comm, int nnodes, int const index[], int const edges[], int* newrank) {
  return guarded([&] {
    if (newrank == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newrank = rank_on_graph(comm, {nnodes, index, edges});
  });
}

int Rondo_Topo_test(MPI_Comm comm, int* status) {
  return guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    if (status == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *status = topology_type(comm);
  });
}

int Rondo_Dims_create(int nnodes, int ndims, int dims[]) {
  return guarded([&] {
    if (ndims < 0) throw MpiFailure(MPI_ERR_DIMS);
    if (ndims > 0 && dims == nullptr) throw MpiFailure(MPI_ERR_ARG);
    std::vector<int> extents(dims, dims + ndims);
    fill_in_extents(nnodes, extents);
    std::copy(extents.begin(), extents.end(), dims);
  });
}

int Rondo_Cart_create(MPI_Comm comm, int ndims, int const dims[], int const periods[], int, MPI_Comm* cartcomm) {
  return give(cartcomm, [&] { return create_cartesian(comm, ndims, dims, periods); });
}

int Rondo_Cart_map(MPI_Comm comm, int ndims, int const dims[], int const periods[], int* newrank) {
  return guarded([&] {
    if (newrank == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newrank = rank_on_grid(comm, ndims, dims, periods);
  });
}

int Rondo_Cart_sub(MPI_Comm comm, int const remain_dims[], MPI_Comm* cartcomm) {
  return give(cartcomm, [&] { return cartesian_part(comm, remain_dims); });
}

int Rondo_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  return guarded([&] {
    auto const home = inter_comm(comm) ? nullptr : find_attached_topology(comm);
    if (home != nullptr) tune(*home, info);
    take_hints(comm, info);
    check(PMPI_Comm_set_info(comm, info));
  });
}
