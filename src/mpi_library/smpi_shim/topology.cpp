// Topologies and what completes requests, see neighbor.cpp.

#define RONDO_IN_THE_LIBRARY

#include <mpi.h>

#include "mpi_library/calls/failed_comm.hpp"
#include "mpi_library/intergroup/duplicate_request.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "rondo/mpi.h"
#include "rondo/topology.h"

using rondo::mpi::answer;

namespace {

/// MPI_ERR_ARG where what the number of dimensions of a Cartesian grid allows does not hold: SMPI does not look.
template <typename Fits>
int fits_dimensions(MPI_Comm comm, Fits const& fits) {
  int dimensions = 0;
  int const code = PMPI_Cartdim_get(comm, &dimensions);
  if (code != MPI_SUCCESS) return code;
  return fits(dimensions) ? MPI_SUCCESS : MPI_ERR_ARG;
}

/// Hands an error to the error handler of the communicator on which a neighborhood collective has failed. For errors of
/// other requests no communicator is known.
int answer_request(int code, char const* function) {
  return code == MPI_SUCCESS ? code : answer(rondo::mpi::take_failed(), code, function);
}

}  // namespace

extern "C" {

int MPI_Dist_graph_create(MPI_Comm comm, int n, int const* sources, int const* degrees, int const* destinations,
                          int const* weights, MPI_Info info, int reorder, MPI_Comm* graphcomm) {
  return answer(comm,
                Rondo_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, graphcomm),
                __func__);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const* sources, int const* sourceweights,
                                   int outdegree, int const* destinations, int const* destweights, MPI_Info info,
                                   int reorder, MPI_Comm* graphcomm) {
  return answer(comm,
                Rondo_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree, destinations,
                                                 destweights, info, reorder, graphcomm),
                __func__);
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return answer(comm, Rondo_Dist_graph_neighbors_count(comm, indegree, outdegree, weighted), __func__);
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int* sources, int* sourceweights, int maxoutdegree,
                             int* destinations, int* destweights) {
  return answer(
      comm,
      Rondo_Dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, destinations, destweights),
      __func__);
}

int MPI_Graph_create(MPI_Comm comm, int nnodes, int const* index, int const* edges, int reorder, MPI_Comm* graphcomm) {
  return answer(comm, Rondo_Graph_create(comm, nnodes, index, edges, reorder, graphcomm), __func__);
}

int MPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return answer(comm, Rondo_Graphdims_get(comm, nnodes, nedges), __func__);
}

int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int* index, int* edges) {
  return answer(comm, Rondo_Graph_get(comm, maxindex, maxedges, index, edges), __func__);
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return answer(comm, Rondo_Graph_neighbors_count(comm, rank, nneighbors), __func__);
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int* neighbors) {
  return answer(comm, Rondo_Graph_neighbors(comm, rank, maxneighbors, neighbors), __func__);
}

int MPI_Graph_map(MPI_Comm comm, int nnodes, int const* index, int const* edges, int* newrank) {
  return answer(comm, Rondo_Graph_map(comm, nnodes, index, edges, newrank), __func__);
}

int MPI_Cart_map(MPI_Comm comm, int ndims, int const* dims, int const* periods, int* newrank) {
  return answer(comm, Rondo_Cart_map(comm, ndims, dims, periods, newrank), __func__);
}

int MPI_Topo_test(MPI_Comm comm, int* status) { return answer(comm, Rondo_Topo_test(comm, status), __func__); }

int MPI_Dims_create(int nnodes, int ndims, int* dims) {
  return answer(MPI_COMM_WORLD, Rondo_Dims_create(nnodes, ndims, dims), __func__);
}

int MPI_Cart_create(MPI_Comm comm, int ndims, int const* dims, int const* periods, int reorder, MPI_Comm* cartcomm) {
  return answer(comm, Rondo_Cart_create(comm, ndims, dims, periods, reorder, cartcomm), __func__);
}

int MPI_Cart_sub(MPI_Comm comm, int const* remain_dims, MPI_Comm* cartcomm) {
  return answer(comm, Rondo_Cart_sub(comm, remain_dims, cartcomm), __func__);
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* source, int* dest) {
  int const code = fits_dimensions(comm, [&](int dimensions) { return direction < dimensions; });
  return answer(comm, code != MPI_SUCCESS ? code : PMPI_Cart_shift(comm, direction, disp, source, dest), __func__);
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int* coords) {
  int const code = fits_dimensions(comm, [&](int dimensions) { return maxdims >= dimensions; });
  return answer(comm, code != MPI_SUCCESS ? code : PMPI_Cart_coords(comm, rank, maxdims, coords), __func__);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) { return answer(comm, Rondo_Comm_dup(comm, newcomm), __func__); }

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return answer(comm, Rondo_Comm_dup_with_info(comm, info, newcomm), __func__);
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return answer(comm, Rondo_Comm_idup(comm, newcomm, request), __func__);
}

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  return answer(comm, Rondo_Comm_idup_with_info(comm, info, newcomm, request), __func__);
}

int MPI_Comm_free(MPI_Comm* comm) {
  return rondo::mpi::freed_after_duplicates(comm) ? MPI_SUCCESS : PMPI_Comm_free(comm);
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) { return answer(comm, Rondo_Comm_set_info(comm, info), __func__); }

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                         MPI_Comm* newintercomm) {
  return answer(local_comm,
                Rondo_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm),
                __func__);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* newcomm) {
  return answer(comm, Rondo_Intercomm_merge(comm, high, newcomm), __func__);
}

int MPI_Comm_remote_size(MPI_Comm comm, int* size) {
  return answer(comm, Rondo_Comm_remote_size(comm, size), __func__);
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return answer(comm, Rondo_Comm_remote_group(comm, group), __func__);
}

int MPI_Comm_test_inter(MPI_Comm comm, int* flag) { return answer(comm, Rondo_Comm_test_inter(comm, flag), __func__); }

/// SMPI's own calls a predefined handler as if it were a function of the program.
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  if (comm == MPI_COMM_NULL) return answer(comm, MPI_ERR_COMM, __func__);
  answer(comm, errorcode, __func__);
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int errorcode) { return rondo::mpi::end_ranks(comm, errorcode); }

int MPI_Start(MPI_Request* request) { return answer_request(Rondo_Start(request), __func__); }

int MPI_Startall(int count, MPI_Request* requests) { return answer_request(Rondo_Startall(count, requests), __func__); }

int MPI_Wait(MPI_Request* request, MPI_Status* status) { return answer_request(Rondo_Wait(request, status), __func__); }

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return answer_request(Rondo_Waitall(count, requests, statuses), __func__);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return answer_request(Rondo_Waitany(count, requests, index, status), __func__);
}

int MPI_Waitsome(int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return answer_request(Rondo_Waitsome(incount, requests, outcount, indices, statuses), __func__);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return answer_request(Rondo_Test(request, flag, status), __func__);
}

int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return answer_request(Rondo_Testall(count, requests, flag, statuses), __func__);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return answer_request(Rondo_Testany(count, requests, index, flag, status), __func__);
}

int MPI_Testsome(int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return answer_request(Rondo_Testsome(incount, requests, outcount, indices, statuses), __func__);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return answer_request(Rondo_Request_get_status(request, flag, status), __func__);
}

int MPI_Request_free(MPI_Request* request) { return answer_request(Rondo_Request_free(request), __func__); }

}  // extern "C"

namespace rondo::mpi {

/// For linked.cpp.
__attribute__((alias("MPI_Topo_test"), visibility("hidden"))) int own_topo_test(MPI_Comm comm, int* status);

}  // namespace rondo::mpi
