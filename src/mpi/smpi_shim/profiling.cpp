// What SMPI lacks, by the names that MPI gives tools and libraries which stand between a program and MPI. SMPI's own
// end the program.

#include <mpi.h>

extern "C" {

int PMPI_Cart_map(MPI_Comm comm, int ndims, int const* dims, int const* periods, int* newrank) {
  return MPI_Cart_map(comm, ndims, dims, periods, newrank);
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return MPI_Comm_idup(comm, newcomm, request);
}

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) { return MPI_Comm_remote_group(comm, group); }

int PMPI_Comm_remote_size(MPI_Comm comm, int* size) { return MPI_Comm_remote_size(comm, size); }

int PMPI_Dist_graph_create(MPI_Comm comm, int n, int const* sources, int const* degrees, int const* destinations,
                           int const* weights, MPI_Info info, int reorder, MPI_Comm* graphcomm) {
  return MPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder, graphcomm);
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, int const* sources, int const* sourceweights,
                                    int outdegree, int const* destinations, int const* destweights, MPI_Info info,
                                    int reorder, MPI_Comm* graphcomm) {
  return MPI_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree, destinations, destweights,
                                        info, reorder, graphcomm);
}

int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int* sources, int* sourceweights, int maxoutdegree,
                              int* destinations, int* destweights) {
  return MPI_Dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, destinations, destweights);
}

int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return MPI_Dist_graph_neighbors_count(comm, indegree, outdegree, weighted);
}

int PMPI_Graph_create(MPI_Comm comm, int nnodes, int const* index, int const* edges, int reorder, MPI_Comm* graphcomm) {
  return MPI_Graph_create(comm, nnodes, index, edges, reorder, graphcomm);
}

int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int* index, int* edges) {
  return MPI_Graph_get(comm, maxindex, maxedges, index, edges);
}

int PMPI_Graph_map(MPI_Comm comm, int nnodes, int const* index, int const* edges, int* newrank) {
  return MPI_Graph_map(comm, nnodes, index, edges, newrank);
}

int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int* neighbors) {
  return MPI_Graph_neighbors(comm, rank, maxneighbors, neighbors);
}

int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return MPI_Graph_neighbors_count(comm, rank, nneighbors);
}

int PMPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) { return MPI_Graphdims_get(comm, nnodes, nedges); }

int PMPI_Ineighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return MPI_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

int PMPI_Ineighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                              int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                              MPI_Request* request) {
  return MPI_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}

int PMPI_Ineighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return MPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

int PMPI_Ineighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                             void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request* request) {
  return MPI_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
                                 request);
}

int PMPI_Ineighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                             MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                             MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm,
                             MPI_Request* request) {
  return MPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm,
                                 request);
}

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm* newintercomm) {
  return MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
}

int PMPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* newcomm) {
  return MPI_Intercomm_merge(comm, high, newcomm);
}

int PMPI_Neighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  return MPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int PMPI_Neighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return MPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

int PMPI_Neighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  return MPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int PMPI_Neighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm) {
  return MPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

int PMPI_Neighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                            MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                            MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  return MPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

int PMPI_Topo_test(MPI_Comm comm, int* status) { return MPI_Topo_test(comm, status); }

}  // extern "C"
