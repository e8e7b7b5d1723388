// Messages and what completes requests by their names in Fortran, see fortran.hpp. SimGrid's library has most of these,
// which call its own functions in C.

#define RONDO_IN_THE_LIBRARY

#include "mpi_library/smpi_shim/fortran.hpp"

#include <mpi.h>

#include "rondo/mpi.h"

using rondo::mpi::call;
using rondo::mpi::Word;

extern "C" {

void mpi_bsend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, int* ierr) {
  *ierr = call(MPI_Bsend, buf, count, datatype, dest, tag, comm);
}

void mpi_bsend_init_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Bsend_init, buf, count, datatype, dest, tag, comm, request);
}

void mpi_ibsend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ibsend, buf, count, datatype, dest, tag, comm, request);
}

void mpi_intercomm_create_(Word local_comm, Word local_leader, Word peer_comm, Word remote_leader, Word tag,
                           Word newintercomm, int* ierr) {
  *ierr = call(MPI_Intercomm_create, local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
}

void mpi_intercomm_merge_(Word comm, Word high, Word newcomm, int* ierr) {
  *ierr = call(MPI_Intercomm_merge, comm, high, newcomm);
}

void mpi_iprobe_(Word source, Word tag, Word comm, Word flag, Word status, int* ierr) {
  *ierr = call(MPI_Iprobe, source, tag, comm, flag, status);
}

void mpi_irecv_(Word buf, Word count, Word datatype, Word source, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Irecv, buf, count, datatype, source, tag, comm, request);
}

void mpi_irsend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Irsend, buf, count, datatype, dest, tag, comm, request);
}

void mpi_isend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Isend, buf, count, datatype, dest, tag, comm, request);
}

void mpi_issend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Issend, buf, count, datatype, dest, tag, comm, request);
}

void mpi_probe_(Word source, Word tag, Word comm, Word status, int* ierr) {
  *ierr = call(MPI_Probe, source, tag, comm, status);
}

void mpi_recv_(Word buf, Word count, Word datatype, Word source, Word tag, Word comm, Word status, int* ierr) {
  *ierr = call(MPI_Recv, buf, count, datatype, source, tag, comm, status);
}

void mpi_recv_init_(Word buf, Word count, Word datatype, Word source, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Recv_init, buf, count, datatype, source, tag, comm, request);
}

void mpi_request_get_status_(Word request, Word flag, Word status, int* ierr) {
  *ierr = call(MPI_Request_get_status, request, flag, status);
}

void mpi_rsend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, int* ierr) {
  *ierr = call(MPI_Rsend, buf, count, datatype, dest, tag, comm);
}

void mpi_rsend_init_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Rsend_init, buf, count, datatype, dest, tag, comm, request);
}

void mpi_send_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, int* ierr) {
  *ierr = call(MPI_Send, buf, count, datatype, dest, tag, comm);
}

void mpi_send_init_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Send_init, buf, count, datatype, dest, tag, comm, request);
}

void mpi_sendrecv_(Word sendbuf, Word sendcount, Word sendtype, Word dest, Word sendtag, Word recvbuf, Word recvcount,
                   Word recvtype, Word source, Word recvtag, Word comm, Word status, int* ierr) {
  *ierr = call(MPI_Sendrecv, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag,
               comm, status);
}

void mpi_sendrecv_replace_(Word buf, Word count, Word datatype, Word dest, Word sendtag, Word source, Word recvtag,
                           Word comm, Word status, int* ierr) {
  *ierr = call(MPI_Sendrecv_replace, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}

void mpi_ssend_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, int* ierr) {
  *ierr = call(MPI_Ssend, buf, count, datatype, dest, tag, comm);
}

void mpi_ssend_init_(Word buf, Word count, Word datatype, Word dest, Word tag, Word comm, Word request, int* ierr) {
  *ierr = call(MPI_Ssend_init, buf, count, datatype, dest, tag, comm, request);
}

}  // extern "C"
