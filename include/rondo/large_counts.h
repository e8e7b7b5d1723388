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

/* The ranks with which a collective exchanges blocks. */
static inline int rondo_partners(MPI_Comm comm) {
  int inter = 0, n = 0;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) MPI_Comm_remote_size(comm, &n);
  else MPI_Comm_size(comm, &n);
  return n;
}

/* Whether this rank is the root, which alone has lists. */
static inline int rondo_is_root(int root, MPI_Comm comm) {
  int inter = 0, rank = 0;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

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

static inline int MPI_Recv_init_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (count > INT_MAX) return rondo_large_count(comm);
  return MPI_Recv_init(buf, (int)count, datatype, source, tag, comm, request);
}
