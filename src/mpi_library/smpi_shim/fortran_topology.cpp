// Topologies and communicators by their names in Fortran, see fortran.hpp. SimGrid's library has most of these, which
// call its own functions in C.

#define RONDO_IN_THE_LIBRARY

#include "mpi_library/smpi_shim/fortran.hpp"

#include <mpi.h>

#include "rondo/mpi.h"

using rondo::mpi::call;
using rondo::mpi::Word;

extern "C" {

void mpi_abort_(Word comm, Word errorcode, int* ierr) { *ierr = call(MPI_Abort, comm, errorcode); }

void mpi_cart_create_(Word comm, Word ndims, Word dims, Word periods, Word reorder, Word cartcomm, int* ierr) {
  *ierr = call(MPI_Cart_create, comm, ndims, dims, periods, reorder, cartcomm);
}

void mpi_cart_map_(Word comm, Word ndims, Word dims, Word periods, Word newrank, int* ierr) {
  *ierr = call(MPI_Cart_map, comm, ndims, dims, periods, newrank);
}

void mpi_cart_sub_(Word comm, Word remain_dims, Word cartcomm, int* ierr) {
  *ierr = call(MPI_Cart_sub, comm, remain_dims, cartcomm);
}

void mpi_comm_compare_(Word a, Word b, Word result, int* ierr) { *ierr = call(MPI_Comm_compare, a, b, result); }

void mpi_comm_create_(Word comm, Word group, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_create, comm, group, newcomm);
}

void mpi_comm_create_group_(Word comm, Word group, Word tag, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_create_group, comm, group, tag, newcomm);
}

void mpi_comm_dup_(Word comm, Word newcomm, int* ierr) { *ierr = call(MPI_Comm_dup, comm, newcomm); }

void mpi_comm_dup_with_info_(Word comm, Word info, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_dup_with_info, comm, info, newcomm);
}

void mpi_comm_remote_group_(Word comm, Word group, int* ierr) { *ierr = call(MPI_Comm_remote_group, comm, group); }

void mpi_comm_remote_size_(Word comm, Word size, int* ierr) { *ierr = call(MPI_Comm_remote_size, comm, size); }

void mpi_comm_set_info_(Word comm, Word info, int* ierr) { *ierr = call(MPI_Comm_set_info, comm, info); }

void mpi_comm_split_(Word comm, Word color, Word key, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_split, comm, color, key, newcomm);
}

void mpi_comm_split_type_(Word comm, Word split_type, Word key, Word info, Word newcomm, int* ierr) {
  *ierr = call(MPI_Comm_split_type, comm, split_type, key, info, newcomm);
}

void mpi_comm_test_inter_(Word comm, Word flag, int* ierr) { *ierr = call(MPI_Comm_test_inter, comm, flag); }

void mpi_dims_create_(Word nnodes, Word ndims, Word dims, int* ierr) {
  *ierr = call(MPI_Dims_create, nnodes, ndims, dims);
}

void mpi_dist_graph_create_(Word comm, Word n, Word sources, Word degrees, Word destinations, Word weights, Word info,
                            Word reorder, Word graphcomm, int* ierr) {
  *ierr = call(MPI_Dist_graph_create, comm, n, sources, degrees, destinations, weights, info, reorder, graphcomm);
}

void mpi_dist_graph_create_adjacent_(Word comm, Word indegree, Word sources, Word sourceweights, Word outdegree,
                                     Word destinations, Word destweights, Word info, Word reorder, Word graphcomm,
                                     int* ierr) {
  *ierr = call(MPI_Dist_graph_create_adjacent, comm, indegree, sources, sourceweights, outdegree, destinations,
               destweights, info, reorder, graphcomm);
}

void mpi_dist_graph_neighbors_(Word comm, Word maxindegree, Word sources, Word sourceweights, Word maxoutdegree,
                               Word destinations, Word destweights, int* ierr) {
  *ierr = call(MPI_Dist_graph_neighbors, comm, maxindegree, sources, sourceweights, maxoutdegree, destinations,
               destweights);
}

void mpi_dist_graph_neighbors_count_(Word comm, Word indegree, Word outdegree, Word weighted, int* ierr) {
  *ierr = call(MPI_Dist_graph_neighbors_count, comm, indegree, outdegree, weighted);
}

void mpi_graph_create_(Word comm, Word nnodes, Word index, Word edges, Word reorder, Word graphcomm, int* ierr) {
  *ierr = call(MPI_Graph_create, comm, nnodes, index, edges, reorder, graphcomm);
}

void mpi_graph_get_(Word comm, Word maxindex, Word maxedges, Word index, Word edges, int* ierr) {
  *ierr = call(MPI_Graph_get, comm, maxindex, maxedges, index, edges);
}

void mpi_graph_map_(Word comm, Word nnodes, Word index, Word edges, Word newrank, int* ierr) {
  *ierr = call(MPI_Graph_map, comm, nnodes, index, edges, newrank);
}

void mpi_graph_neighbors_(Word comm, Word rank, Word maxneighbors, Word neighbors, int* ierr) {
  *ierr = call(MPI_Graph_neighbors, comm, rank, maxneighbors, neighbors);
}

void mpi_graph_neighbors_count_(Word comm, Word rank, Word nneighbors, int* ierr) {
  *ierr = call(MPI_Graph_neighbors_count, comm, rank, nneighbors);
}

void mpi_graphdims_get_(Word comm, Word nnodes, Word nedges, int* ierr) {
  *ierr = call(MPI_Graphdims_get, comm, nnodes, nedges);
}

}  // extern "C"
