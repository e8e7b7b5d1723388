#pragma once

/* MPI 4's functions for large counts, in programs for simulation. They hand the call to the function of the same name
 * with int counts: a count that an int cannot hold is MPI_ERR_COUNT. The lists of counts that non-blocking and
 * persistent calls need are kept until the program ends.
 * Written by src/mpi_library/functions/large_counts.py from functions.txt. */
/* clang-format off */

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* Whether all values of a list are ints. */
static inline int rondo_are_ints(MPI_Count const* values, MPI_Aint const* places, int n) {
  for (int i = 0; i < n; ++i) {
    if (values != NULL && (values[i] > INT_MAX || values[i] < INT_MIN)) return 0;
    if (places != NULL && (places[i] > INT_MAX || places[i] < INT_MIN)) return 0;
  }
  return 1;
}

/* Copies the list to ints. The caller frees the copy. Returns NULL if neither list is given. */
static inline int* rondo_ints(MPI_Count const* values, MPI_Aint const* places, int n) {
  int* const ints = values == NULL && places == NULL ? NULL : (int*)malloc(sizeof(int) * (size_t)(n + 1));
  for (int i = 0; ints != NULL && i < n; ++i) ints[i] = values != NULL ? (int)values[i] : (int)places[i];
  return ints;
}

/* The same as addresses. */
static inline MPI_Aint* rondo_addresses(MPI_Count const* values, int n) {
  MPI_Aint* const addresses = (MPI_Aint*)malloc(sizeof(MPI_Aint) * (size_t)(n + 1));
  for (int i = 0; addresses != NULL && i < n; ++i) addresses[i] = (MPI_Aint)values[i];
  return addresses;
}

/* The ranks with which a collective exchanges blocks. */
static inline int rondo_partners(MPI_Comm comm) {
  int inter = 0, n = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}

/* The neighbors that send to this rank, and those that it sends to; 0 without a topology. */
static inline int rondo_neighbors(MPI_Comm comm, int sends) {
  int kind = MPI_UNDEFINED, in = 0, out = 0, n = 0;
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &n);
  } else if (kind == MPI_GRAPH) {
    MPI_Comm_rank(comm, &n);
    MPI_Graph_neighbors_count(comm, n, &in);
    out = in;
  } else if (kind == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    in = out = 2 * n;
  }
  return sends ? out : in;
}

/* Whether this rank is the root, which alone has lists. */
static inline int rondo_is_root(int root, MPI_Comm comm) {
  int inter = 0, rank = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

/* The length of a list as an int: at most INT_MAX, and -1 for a negative length. */
static inline int rondo_room(MPI_Count room) { return room > INT_MAX ? INT_MAX : room < 0 ? -1 : (int)room; }

static inline int rondo_large_count(MPI_Comm comm) {
  MPI_Comm_call_errhandler(comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}

static inline int MPI_Get_count_c(MPI_Status const* status, MPI_Datatype datatype, MPI_Count* count) {
  int n = 0;
  int const code = MPI_Get_count(status, datatype, &n);
  *count = n;
  return code;
}

static inline int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count* size) { return MPI_Type_size_x(datatype, size); }

static inline int MPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count* lb, MPI_Count* extent) {
  return MPI_Type_get_extent_x(datatype, lb, extent);
}

static inline int MPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count* true_lb, MPI_Count* true_extent) {
  return MPI_Type_get_true_extent_x(datatype, true_lb, true_extent);
}

static inline int MPI_Get_elements_c(MPI_Status* status, MPI_Datatype datatype, MPI_Count* count) {
  return MPI_Get_elements_x(status, datatype, count);
}

static inline int MPI_Type_create_darray_c(int size, int rank, int ndims, MPI_Count const gsizes[], int const distribs[], int const dargs[], int const psizes[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (!rondo_are_ints(gsizes, NULL, ndims)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_sizes = rondo_ints(gsizes, NULL, ndims);
  int const code = MPI_Type_create_darray(size, rank, ndims, int_sizes, (int*)distribs, (int*)dargs, (int*)psizes, order, oldtype, newtype);
  free(int_sizes);
  return code;
}

static inline int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses, MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  int integers = 0, addresses = 0, datatypes = 0;
  int const code = MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, combiner);
  *num_integers = integers;
  *num_addresses = addresses;
  *num_large_counts = 0;
  *num_datatypes = datatypes;
  return code;
}

static inline int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes, int integers[], MPI_Aint addresses[], MPI_Count large_counts[], MPI_Datatype datatypes[]) {
  (void)max_large_counts;
  (void)large_counts;
  return MPI_Type_get_contents(datatype, rondo_room(max_integers), rondo_room(max_addresses), rondo_room(max_datatypes), integers, addresses, datatypes);
}

static inline int MPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count* size) {
  int n = 0;
  int const code = incount > INT_MAX ? rondo_large_count(comm) : MPI_Pack_size((int)incount, datatype, comm, &n);
  *size = n;
  return code;
}

static inline int MPI_Pack_c(void const* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize, MPI_Count* position, MPI_Comm comm) {
  if (incount > INT_MAX || *position > INT_MAX) return rondo_large_count(comm);
  int at = (int)*position;
  int const code = MPI_Pack(inbuf, (int)incount, datatype, outbuf, rondo_room(outsize), &at, comm);
  *position = at;
  return code;
}

static inline int MPI_Unpack_c(void const* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm) {
  if (outcount > INT_MAX || *position > INT_MAX) return rondo_large_count(comm);
  int at = (int)*position;
  int const code = MPI_Unpack(inbuf, rondo_room(insize), &at, outbuf, (int)outcount, datatype, comm);
  *position = at;
  return code;
}

static inline int MPI_Bcast_c(void* buf, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Bcast(buf, (int)count, datatype, root, comm);
}

static inline int MPI_Ibcast_c(void* buf, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Ibcast(buf, (int)count, datatype, root, comm, request);
}

static inline int MPI_Bcast_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Bcast_init(buf, (int)count, datatype, root, comm, info, request);
}

static inline int MPI_Gather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Gather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm);
}

static inline int MPI_Igather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Igather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, request);
}

static inline int MPI_Gather_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Gather_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, info, request);
}

static inline int MPI_Gatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  int const code = MPI_Gatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, root, comm);
  free(int_recvcounts);
  free(int_displs);
  return code;
}

static inline int MPI_Igatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  return MPI_Igatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, root, comm, request);
}

static inline int MPI_Gatherv_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(rondo_is_root(root, comm) ? recvcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  return MPI_Gatherv_init(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, root, comm, info, request);
}

static inline int MPI_Scatter_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Scatter(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm);
}

static inline int MPI_Iscatter_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Iscatter(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, request);
}

static inline int MPI_Scatter_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Scatter_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, info, request);
}

static inline int MPI_Scatterv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const displs[], MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  int const code = MPI_Scatterv(sendbuf, int_sendcounts, int_displs, sendtype, recvbuf, (int)recvcount, recvtype, root, comm);
  free(int_sendcounts);
  free(int_displs);
  return code;
}

static inline int MPI_Iscatterv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const displs[], MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  return MPI_Iscatterv(sendbuf, int_sendcounts, int_displs, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, request);
}

static inline int MPI_Scatterv_init_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const displs[], MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(rondo_is_root(root, comm) ? sendcounts : NULL, NULL, n);
  int* const int_displs = rondo_ints(NULL, rondo_is_root(root, comm) ? displs : NULL, n);
  return MPI_Scatterv_init(sendbuf, int_sendcounts, int_displs, sendtype, recvbuf, (int)recvcount, recvtype, root, comm, info, request);
}

static inline int MPI_Allgather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Allgather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm);
}

static inline int MPI_Iallgather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Iallgather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, request);
}

static inline int MPI_Allgather_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Allgather_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

static inline int MPI_Allgatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  int const code = MPI_Allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm);
  free(int_recvcounts);
  free(int_displs);
  return code;
}

static inline int MPI_Iallgatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  return MPI_Iallgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm, request);
}

static inline int MPI_Allgatherv_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  return MPI_Allgatherv_init(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm, info, request);
}

static inline int MPI_Alltoall_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Alltoall(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm);
}

static inline int MPI_Ialltoall_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Ialltoall(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, request);
}

static inline int MPI_Alltoall_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Alltoall_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

static inline int MPI_Alltoallv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  int const code = MPI_Alltoallv(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm);
  free(int_sendcounts);
  free(int_sdispls);
  free(int_recvcounts);
  free(int_rdispls);
  return code;
}

static inline int MPI_Ialltoallv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  return MPI_Ialltoallv(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm, request);
}

static inline int MPI_Alltoallv_init_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  return MPI_Alltoallv_init(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm, info, request);
}

static inline int MPI_Reduce_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Reduce(sendbuf, recvbuf, (int)count, datatype, op, root, comm);
}

static inline int MPI_Ireduce_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Ireduce(sendbuf, recvbuf, (int)count, datatype, op, root, comm, request);
}

static inline int MPI_Reduce_init_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Reduce_init(sendbuf, recvbuf, (int)count, datatype, op, root, comm, info, request);
}

static inline int MPI_Allreduce_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Allreduce(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

static inline int MPI_Iallreduce_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Iallreduce(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

static inline int MPI_Allreduce_init_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Allreduce_init(sendbuf, recvbuf, (int)count, datatype, op, comm, info, request);
}

static inline int MPI_Reduce_scatter_c(void const* sendbuf, void* recvbuf, MPI_Count const recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int const code = MPI_Reduce_scatter(sendbuf, recvbuf, int_recvcounts, datatype, op, comm);
  free(int_recvcounts);
  return code;
}

static inline int MPI_Ireduce_scatter_c(void const* sendbuf, void* recvbuf, MPI_Count const recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  return MPI_Ireduce_scatter(sendbuf, recvbuf, int_recvcounts, datatype, op, comm, request);
}

static inline int MPI_Reduce_scatter_init_c(void const* sendbuf, void* recvbuf, MPI_Count const recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  return MPI_Reduce_scatter_init(sendbuf, recvbuf, int_recvcounts, datatype, op, comm, info, request);
}

static inline int MPI_Reduce_scatter_block_c(void const* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Reduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm);
}

static inline int MPI_Ireduce_scatter_block_c(void const* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Ireduce_scatter_block(sendbuf, recvbuf, (int)recvcount, datatype, op, comm, request);
}

static inline int MPI_Reduce_scatter_block_init_c(void const* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Reduce_scatter_block_init(sendbuf, recvbuf, (int)recvcount, datatype, op, comm, info, request);
}

static inline int MPI_Scan_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Scan(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

static inline int MPI_Iscan_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Iscan(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

static inline int MPI_Scan_init_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Scan_init(sendbuf, recvbuf, (int)count, datatype, op, comm, info, request);
}

static inline int MPI_Exscan_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Exscan(sendbuf, recvbuf, (int)count, datatype, op, comm);
}

static inline int MPI_Iexscan_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Iexscan(sendbuf, recvbuf, (int)count, datatype, op, comm, request);
}

static inline int MPI_Exscan_init_c(void const* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Exscan_init(sendbuf, recvbuf, (int)count, datatype, op, comm, info, request);
}

static inline int MPI_Neighbor_allgather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Neighbor_allgather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm);
}

static inline int MPI_Ineighbor_allgather_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Ineighbor_allgather(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, request);
}

static inline int MPI_Neighbor_allgather_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Neighbor_allgather_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

static inline int MPI_Neighbor_allgatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_neighbors(comm, 0);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  int const code = MPI_Neighbor_allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm);
  free(int_recvcounts);
  free(int_displs);
  return code;
}

static inline int MPI_Ineighbor_allgatherv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_neighbors(comm, 0);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  return MPI_Ineighbor_allgatherv(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm, request);
}

static inline int MPI_Neighbor_allgatherv_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  int const n = rondo_neighbors(comm, 0);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, displs, n)) return rondo_large_count(comm);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_displs = rondo_ints(NULL, displs, n);
  return MPI_Neighbor_allgatherv_init(sendbuf, (int)sendcount, sendtype, recvbuf, int_recvcounts, int_displs, recvtype, comm, info, request);
}

static inline int MPI_Neighbor_alltoall_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Neighbor_alltoall(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm);
}

static inline int MPI_Ineighbor_alltoall_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Ineighbor_alltoall(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, request);
}

static inline int MPI_Neighbor_alltoall_init_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Neighbor_alltoall_init(sendbuf, (int)sendcount, sendtype, recvbuf, (int)recvcount, recvtype, comm, info, request);
}

static inline int MPI_Neighbor_alltoallv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sdispls, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_sdispls = rondo_ints(NULL, sdispls, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  int* const int_rdispls = rondo_ints(NULL, rdispls, rondo_neighbors(comm, 0));
  int const code = MPI_Neighbor_alltoallv(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm);
  free(int_sendcounts);
  free(int_sdispls);
  free(int_recvcounts);
  free(int_rdispls);
  return code;
}

static inline int MPI_Ineighbor_alltoallv_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sdispls, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_sdispls = rondo_ints(NULL, sdispls, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  int* const int_rdispls = rondo_ints(NULL, rdispls, rondo_neighbors(comm, 0));
  return MPI_Ineighbor_alltoallv(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm, request);
}

static inline int MPI_Neighbor_alltoallv_init_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype sendtype, void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sdispls, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_sdispls = rondo_ints(NULL, sdispls, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  int* const int_rdispls = rondo_ints(NULL, rdispls, rondo_neighbors(comm, 0));
  return MPI_Neighbor_alltoallv_init(sendbuf, int_sendcounts, int_sdispls, sendtype, recvbuf, int_recvcounts, int_rdispls, recvtype, comm, info, request);
}

static inline int MPI_Neighbor_alltoallw_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  int const code = MPI_Neighbor_alltoallw(sendbuf, int_sendcounts, sdispls, sendtypes, recvbuf, int_recvcounts, rdispls, recvtypes, comm);
  free(int_sendcounts);
  free(int_recvcounts);
  return code;
}

static inline int MPI_Ineighbor_alltoallw_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Request* request) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  return MPI_Ineighbor_alltoallw(sendbuf, int_sendcounts, sdispls, sendtypes, recvbuf, int_recvcounts, rdispls, recvtypes, comm, request);
}

static inline int MPI_Neighbor_alltoallw_init_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  if (!rondo_are_ints(sendcounts, NULL, rondo_neighbors(comm, 1))) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, rondo_neighbors(comm, 0))) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendcounts, NULL, rondo_neighbors(comm, 1));
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, rondo_neighbors(comm, 0));
  return MPI_Neighbor_alltoallw_init(sendbuf, int_sendcounts, sdispls, sendtypes, recvbuf, int_recvcounts, rdispls, recvtypes, comm, info, request);
}

static inline int MPI_Send_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Send(buf, (int)count, datatype, dest, tag, comm);
}

static inline int MPI_Isend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Isend(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Send_init_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Send_init(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Ssend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Ssend(buf, (int)count, datatype, dest, tag, comm);
}

static inline int MPI_Issend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Issend(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Ssend_init_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Ssend_init(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Rsend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Rsend(buf, (int)count, datatype, dest, tag, comm);
}

static inline int MPI_Irsend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Irsend(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Rsend_init_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Rsend_init(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Bsend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Bsend(buf, (int)count, datatype, dest, tag, comm);
}

static inline int MPI_Ibsend_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Ibsend(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Bsend_init_c(void const* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Bsend_init(buf, (int)count, datatype, dest, tag, comm, request);
}

static inline int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  return MPI_Type_contiguous((int)count, oldtype, newtype);
}

static inline int MPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  if (blocklength > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  if (stride > INT_MAX || stride < INT_MIN) return rondo_large_count(MPI_COMM_WORLD);
  return MPI_Type_vector((int)count, (int)blocklength, (int)stride, oldtype, newtype);
}

static inline int MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  if (blocklength > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  return MPI_Type_create_hvector((int)count, (int)blocklength, (MPI_Aint)stride, oldtype, newtype);
}

static inline int MPI_Type_indexed_c(MPI_Count count, MPI_Count const blocklengths[], MPI_Count const displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  int const n = (int)count;
  if (!rondo_are_ints(blocklengths, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  if (!rondo_are_ints(displacements, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_blocklengths = rondo_ints(blocklengths, NULL, n);
  int* const int_displacements = rondo_ints(displacements, NULL, n);
  int const code = MPI_Type_indexed((int)count, int_blocklengths, int_displacements, oldtype, newtype);
  free(int_blocklengths);
  free(int_displacements);
  return code;
}

static inline int MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, MPI_Count const displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  if (blocklength > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  int const n = (int)count;
  if (!rondo_are_ints(displacements, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_displacements = rondo_ints(displacements, NULL, n);
  int const code = MPI_Type_create_indexed_block((int)count, (int)blocklength, int_displacements, oldtype, newtype);
  free(int_displacements);
  return code;
}

static inline int MPI_Type_create_hindexed_c(MPI_Count count, MPI_Count const blocklengths[], MPI_Count const displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  int const n = (int)count;
  if (!rondo_are_ints(blocklengths, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_blocklengths = rondo_ints(blocklengths, NULL, n);
  MPI_Aint* const int_displacements = rondo_addresses(displacements, n);
  int const code = MPI_Type_create_hindexed((int)count, int_blocklengths, int_displacements, oldtype, newtype);
  free(int_blocklengths);
  free(int_displacements);
  return code;
}

static inline int MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, MPI_Count const displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  if (blocklength > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  int const n = (int)count;
  MPI_Aint* const int_displacements = rondo_addresses(displacements, n);
  int const code = MPI_Type_create_hindexed_block((int)count, (int)blocklength, int_displacements, oldtype, newtype);
  free(int_displacements);
  return code;
}

static inline int MPI_Type_create_struct_c(MPI_Count count, MPI_Count const blocklengths[], MPI_Count const displacements[], MPI_Datatype const oldtypes[], MPI_Datatype* newtype) {
  if (count > INT_MAX) return rondo_large_count(MPI_COMM_WORLD);
  int const n = (int)count;
  if (!rondo_are_ints(blocklengths, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_blocklengths = rondo_ints(blocklengths, NULL, n);
  MPI_Aint* const int_displacements = rondo_addresses(displacements, n);
  int const code = MPI_Type_create_struct((int)count, int_blocklengths, int_displacements, oldtypes, newtype);
  free(int_blocklengths);
  free(int_displacements);
  return code;
}

static inline int MPI_Type_create_subarray_c(int ndims, MPI_Count const sizes[], MPI_Count const subsizes[], MPI_Count const starts[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  int const n = ndims;
  if (!rondo_are_ints(sizes, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  if (!rondo_are_ints(subsizes, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  if (!rondo_are_ints(starts, NULL, n)) return rondo_large_count(MPI_COMM_WORLD);
  int* const int_sizes = rondo_ints(sizes, NULL, n);
  int* const int_subsizes = rondo_ints(subsizes, NULL, n);
  int* const int_starts = rondo_ints(starts, NULL, n);
  int const code = MPI_Type_create_subarray(ndims, int_sizes, int_subsizes, int_starts, order, oldtype, newtype);
  free(int_sizes);
  free(int_subsizes);
  free(int_starts);
  return code;
}

static inline int MPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype) {
  return MPI_Type_create_resized(oldtype, (MPI_Aint)lb, (MPI_Aint)extent, newtype);
}

static inline int MPI_Recv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Recv(buf, (int)count, datatype, source, tag, comm, status);
}

static inline int MPI_Irecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Irecv(buf, (int)count, datatype, source, tag, comm, request);
}

static inline int MPI_Sendrecv_c(void const* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  if (sendcount > INT_MAX) return rondo_large_count(comm);
  if (recvcount > INT_MAX) return rondo_large_count(comm);
  return MPI_Sendrecv(sendbuf, (int)sendcount, sendtype, dest, sendtag, recvbuf, (int)recvcount, recvtype, source, recvtag, comm, status);
}

static inline int MPI_Sendrecv_replace_c(void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Sendrecv_replace(buf, (int)count, datatype, dest, sendtag, source, recvtag, comm, status);
}

static inline int MPI_Alltoallw_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  int const code = MPI_Alltoallw(sendbuf, int_sendcounts, int_sdispls, sendtypes, recvbuf, int_recvcounts, int_rdispls, recvtypes, comm);
  free(int_sendcounts);
  free(int_sdispls);
  free(int_recvcounts);
  free(int_rdispls);
  return code;
}

static inline int MPI_Ialltoallw_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  return MPI_Ialltoallw(sendbuf, int_sendcounts, int_sdispls, sendtypes, recvbuf, int_recvcounts, int_rdispls, recvtypes, comm, request);
}

static inline int MPI_Alltoallw_init_c(void const* sendbuf, MPI_Count const sendcounts[], MPI_Aint const sdispls[], MPI_Datatype const sendtypes[], void* recvbuf, MPI_Count const recvcounts[], MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  int const n = rondo_partners(comm);
  if (!rondo_are_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(recvcounts, NULL, n)) return rondo_large_count(comm);
  if (!rondo_are_ints(NULL, rdispls, n)) return rondo_large_count(comm);
  int* const int_sendcounts = rondo_ints(sendbuf != MPI_IN_PLACE ? sendcounts : NULL, NULL, n);
  int* const int_sdispls = rondo_ints(NULL, sendbuf != MPI_IN_PLACE ? sdispls : NULL, n);
  int* const int_recvcounts = rondo_ints(recvcounts, NULL, n);
  int* const int_rdispls = rondo_ints(NULL, rdispls, n);
  return MPI_Alltoallw_init(sendbuf, int_sendcounts, int_sdispls, sendtypes, recvbuf, int_recvcounts, int_rdispls, recvtypes, comm, info, request);
}

static inline int MPI_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Recv_init(buf, (int)count, datatype, source, tag, comm, request);
}
