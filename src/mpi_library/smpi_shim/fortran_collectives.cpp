// Blocking collectives by their names in Fortran, see fortran.hpp. SimGrid's library has most of these, which call its
// own functions in C.

#define RONDO_IN_THE_LIBRARY

#include "mpi_library/smpi_shim/fortran.hpp"

#include <mpi.h>

#include "rondo/mpi.h"

using rondo::mpi::call;
using rondo::mpi::Word;

extern "C" {

void mpi_allgather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word comm,
                    int* ierr) {
  *ierr = call(MPI_Allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void mpi_allgatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                     Word recvtype, Word comm, int* ierr) {
  *ierr = call(MPI_Allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

void mpi_allreduce_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, int* ierr) {
  *ierr = call(MPI_Allreduce, sendbuf, recvbuf, count, datatype, op, comm);
}

void mpi_alltoall_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word comm,
                   int* ierr) {
  *ierr = call(MPI_Alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void mpi_alltoallv_(Word sendbuf, Word sendcounts, Word senddisps, Word sendtype, Word recvbuf, Word recvcounts,
                    Word recvdisps, Word recvtype, Word comm, int* ierr) {
  *ierr = call(MPI_Alltoallv, sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts, recvdisps, recvtype, comm);
}

void mpi_barrier_(Word comm, int* ierr) { *ierr = call(MPI_Barrier, comm); }

void mpi_bcast_(Word buf, Word count, Word datatype, Word root, Word comm, int* ierr) {
  *ierr = call(MPI_Bcast, buf, count, datatype, root, comm);
}

void mpi_exscan_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, int* ierr) {
  *ierr = call(MPI_Exscan, sendbuf, recvbuf, count, datatype, op, comm);
}

void mpi_gather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word root,
                 Word comm, int* ierr) {
  *ierr = call(MPI_Gather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

void mpi_gatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                  Word recvtype, Word root, Word comm, int* ierr) {
  *ierr = call(MPI_Gatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
}

void mpi_neighbor_allgather_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                             Word comm, int* ierr) {
  *ierr = call(MPI_Neighbor_allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void mpi_neighbor_allgatherv_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcounts, Word displs,
                              Word recvtype, Word comm, int* ierr) {
  *ierr = call(MPI_Neighbor_allgatherv, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

void mpi_neighbor_alltoall_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype,
                            Word comm, int* ierr) {
  *ierr = call(MPI_Neighbor_alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

void mpi_neighbor_alltoallv_(Word sendbuf, Word sendcounts, Word sdispls, Word sendtype, Word recvbuf, Word recvcounts,
                             Word rdispls, Word recvtype, Word comm, int* ierr) {
  *ierr = call(MPI_Neighbor_alltoallv, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
               comm);
}

void mpi_reduce_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word root, Word comm, int* ierr) {
  *ierr = call(MPI_Reduce, sendbuf, recvbuf, count, datatype, op, root, comm);
}

void mpi_reduce_scatter_(Word sendbuf, Word recvbuf, Word recvcounts, Word datatype, Word op, Word comm, int* ierr) {
  *ierr = call(MPI_Reduce_scatter, sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

void mpi_reduce_scatter_block_(Word sendbuf, Word recvbuf, Word recvcount, Word datatype, Word op, Word comm,
                               int* ierr) {
  *ierr = call(MPI_Reduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op, comm);
}

void mpi_scan_(Word sendbuf, Word recvbuf, Word count, Word datatype, Word op, Word comm, int* ierr) {
  *ierr = call(MPI_Scan, sendbuf, recvbuf, count, datatype, op, comm);
}

void mpi_scatter_(Word sendbuf, Word sendcount, Word sendtype, Word recvbuf, Word recvcount, Word recvtype, Word root,
                  Word comm, int* ierr) {
  *ierr = call(MPI_Scatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

void mpi_scatterv_(Word sendbuf, Word sendcounts, Word displs, Word sendtype, Word recvbuf, Word recvcount,
                   Word recvtype, Word root, Word comm, int* ierr) {
  *ierr = call(MPI_Scatterv, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

}  // extern "C"
