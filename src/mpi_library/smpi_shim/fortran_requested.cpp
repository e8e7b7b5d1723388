// Non-blocking and persistent collectives by their names in Fortran, see fortran.hpp. SimGrid's library has most of
// these, which call its own functions in C.

#define RONDO_IN_THE_LIBRARY

#include "mpi_library/smpi_shim/fortran.hpp"

#include <mpi.h>

#include "rondo/mpi.h"

using rondo::mpi::call;
using rondo::mpi::Word;

extern "C" {

void mpi_allgather_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                         Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Allgather_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

void mpi_allgatherv_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                          Word recvtype, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Allgatherv_init, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
               request);
}

void mpi_allreduce_init_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word info,
                         Word request, int* ierr) {
  *ierr = call(MPI_Allreduce_init, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}

void mpi_alltoall_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                        Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Alltoall_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

void mpi_alltoallv_init_(Word sendbuf, Word sendcounts, Word sdispls, Word sendtype, Word recvbuf, Word recvcounts,
                         Word rdispls, Word recvtype, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Alltoallv_init, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
               info, request);
}

void mpi_barrier_init_(Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Barrier_init, comm, info, request);
}

void mpi_bcast_init_(Word buf, Word count, Word datatype, Word root, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Bcast_init, buf, count, datatype, root, comm, info, request);
}

void mpi_exscan_init_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word info,
                      Word request, int* ierr) {
  *ierr = call(MPI_Exscan_init, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}

void mpi_gather_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                      Word root, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Gather_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}

void mpi_gatherv_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                       Word recvtype, Word root, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Gatherv_init, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
               request);
}

void mpi_iallgather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                     Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iallgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

void mpi_iallgatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                      Word recvtype, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iallgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}

void mpi_iallreduce_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word request,
                     int* ierr) {
  *ierr = call(MPI_Iallreduce, sendbuf, recvbuf, count, datatype, op, comm, request);
}

void mpi_ialltoall_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word comm,
                    Word request, int* ierr) {
  *ierr = call(MPI_Ialltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

void mpi_ialltoallv_(Word sendbuf, Word sendcounts, Word sdispls, Word sendtype, Word recvbuf, Word recvcounts,
                     Word rdispls, Word recvtype, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ialltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
               request);
}

void mpi_ibarrier_(Word comm, Word request, int* ierr) { *ierr = call(MPI_Ibarrier, comm, request); }

void mpi_ibcast_(Word buf, Word count, Word datatype, Word root, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ibcast, buf, count, datatype, root, comm, request);
}

void mpi_iexscan_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iexscan, sendbuf, recvbuf, count, datatype, op, comm, request);
}

void mpi_igather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word root,
                  Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Igather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}

void mpi_igatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                   Word recvtype, Word root, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Igatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
}

void mpi_ineighbor_allgather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                              Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ineighbor_allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

void mpi_ineighbor_allgatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                               Word recvtype, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ineighbor_allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
               request);
}

void mpi_ineighbor_alltoall_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                             Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ineighbor_alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}

void mpi_ineighbor_alltoallv_(Word sendbuf, Word sendcounts, Word sdispls, Word sendtype, Word recvbuf, Word recvcounts,
                              Word rdispls, Word recvtype, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ineighbor_alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
               comm, request);
}

void mpi_ireduce_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word root, Word comm, Word request,
                  int* ierr) {
  *ierr = call(MPI_Ireduce, sendbuf, recvbuf, count, datatype, op, root, comm, request);
}

void mpi_ireduce_scatter_(Word sendbuf, Word recvbuf, Word recvcounts, Word datatype, Word op, Word comm, Word request,
                          int* ierr) {
  *ierr = call(MPI_Ireduce_scatter, sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
}

void mpi_ireduce_scatter_block_(Word sendbuf, Word recvbuf, Word recvcount, Word datatype, Word op, Word comm,
                                Word request, int* ierr) {
  *ierr = call(MPI_Ireduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op, comm, request);
}

void mpi_iscan_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iscan, sendbuf, recvbuf, count, datatype, op, comm, request);
}

void mpi_iscatter_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word root,
                   Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iscatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}

void mpi_iscatterv_(Word sendbuf, Word sendcounts, Word displs, Word sendtype, Word recvbuf, Word recvcount,
                    Word recvtype, Word root, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Iscatterv, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}

void mpi_neighbor_allgather_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount,
                                  Word recvtype, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Neighbor_allgather_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info,
               request);
}

void mpi_neighbor_allgatherv_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts,
                                   Word displs, Word recvtype, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Neighbor_allgatherv_init, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm,
               info, request);
}

void mpi_neighbor_alltoall_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount,
                                 Word recvtype, Word comm, Word info, Word request, int* ierr) {
  *ierr =
      call(MPI_Neighbor_alltoall_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}

void mpi_neighbor_alltoallv_init_(Word sendbuf, Word sendcounts, Word sdispls, Word sendtype, Word recvbuf,
                                  Word recvcounts, Word rdispls, Word recvtype, Word comm, Word info, Word request,
                                  int* ierr) {
  *ierr = call(MPI_Neighbor_alltoallv_init, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
               recvtype, comm, info, request);
}

void mpi_reduce_init_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word root, Word comm, Word info,
                      Word request, int* ierr) {
  *ierr = call(MPI_Reduce_init, sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
}

void mpi_reduce_scatter_block_init_(Word sendbuf, Word recvbuf, Word recvcount, Word datatype, Word op, Word comm,
                                    Word info, Word request, int* ierr) {
  *ierr = call(MPI_Reduce_scatter_block_init, sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
}

void mpi_reduce_scatter_init_(Word sendbuf, Word recvbuf, Word recvcounts, Word datatype, Word op, Word comm, Word info,
                              Word request, int* ierr) {
  *ierr = call(MPI_Reduce_scatter_init, sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
}

void mpi_scan_init_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, Word info, Word request,
                    int* ierr) {
  *ierr = call(MPI_Scan_init, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}

void mpi_scatter_init_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                       Word root, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Scatter_init, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}

void mpi_scatterv_init_(Word sendbuf, Word sendcounts, Word displs, Word sendtype, Word recvbuf, Word recvcount,
                        Word recvtype, Word root, Word comm, Word info, Word request, int* ierr) {
  *ierr = call(MPI_Scatterv_init, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
               request);
}

}  // extern "C"
