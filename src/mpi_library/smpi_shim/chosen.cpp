// Blocking collectives for which an algorithm can be chosen (mpi_library/classical/choice.hpp), see neighbor.cpp: by
// that one, by the library's own, or on inter-communicators by Rondo's.

#include "mpi_library/classical/chosen.hpp"
#include "mpi_library/classical/choice.hpp"

#include <mpi.h>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/called.hpp"
#include "rondo/collectives.h"

using rondo::mpi::answer;
using rondo::mpi::is_inter;
namespace chosen = rondo::mpi::chosen;

extern "C" {

int MPI_Finalize() {
  rondo::mpi::tell_choices_without_effect();
  return PMPI_Finalize();
}

int MPI_Barrier(MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm);
  return answer(comm, is_inter(comm) ? Rondo_Barrier(comm) : chosen::barrier(comm), __func__);
}

int MPI_Bcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return answer(
      comm,
      is_inter(comm) ? Rondo_Bcast(buf, count, datatype, root, comm) : chosen::bcast(buf, count, datatype, root, comm),
      __func__);
}

int MPI_Gather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return answer(comm,
                is_inter(comm) ? Rondo_Gather(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf, recvcount,
                                              recvtype, root, comm)
                               : chosen::gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
                __func__);
}

int MPI_Scatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, recvcount, recvtype);
  return answer(
      comm,
      is_inter(comm)
          ? Rondo_Scatter(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
          : chosen::scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
      __func__);
}

int MPI_Allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return answer(comm,
                is_inter(comm) ? Rondo_Allgather(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf, recvcount,
                                                 recvtype, comm)
                               : chosen::allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                __func__);
}

int MPI_Allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                   int const* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? 0 : sendcount, sendtype);
  return answer(comm,
                is_inter(comm)
                    ? Rondo_Allgatherv(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf,
                                       const_cast<int*>(recvcounts), const_cast<int*>(displs), recvtype, comm)
                    : chosen::allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
                __func__);
}

int MPI_Alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
  rondo::mpi::Called const called = rondo::mpi::Called::blocks(
      __func__, comm, sendbuf == MPI_IN_PLACE ? recvcount : sendcount, sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return answer(comm,
                is_inter(comm) ? Rondo_Alltoall(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf, recvcount,
                                                recvtype, comm)
                               : chosen::alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                __func__);
}

int MPI_Gatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? 0 : sendcount, sendtype);
  return answer(comm,
                is_inter(comm)
                    ? Rondo_Gatherv(const_cast<void*>(sendbuf), sendcount, sendtype, recvbuf,
                                    const_cast<int*>(recvcounts), const_cast<int*>(displs), recvtype, root, comm)
                    : chosen::gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
                __func__);
}

int MPI_Scatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, recvcount, recvtype);
  return answer(comm,
                is_inter(comm)
                    ? Rondo_Scatterv(const_cast<void*>(sendbuf), const_cast<int*>(sendcounts), const_cast<int*>(displs),
                                     sendtype, recvbuf, recvcount, recvtype, root, comm)
                    : chosen::scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
                __func__);
}

int MPI_Alltoallv(void const* sendbuf, int const* sendcounts, int const* senddisps, MPI_Datatype sendtype,
                  void* recvbuf, int const* recvcounts, int const* recvdisps, MPI_Datatype recvtype, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, sendbuf == MPI_IN_PLACE ? recvcounts : sendcounts,
                                  sendbuf == MPI_IN_PLACE ? recvtype : sendtype);
  return answer(
      comm,
      is_inter(comm)
          ? Rondo_Alltoallv(const_cast<void*>(sendbuf), const_cast<int*>(sendcounts), const_cast<int*>(senddisps),
                            sendtype, recvbuf, const_cast<int*>(recvcounts), const_cast<int*>(recvdisps), recvtype,
                            comm)
          : chosen::alltoallv(sendbuf, sendcounts, senddisps, sendtype, recvbuf, recvcounts, recvdisps, recvtype, comm),
      __func__);
}

int MPI_Reduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return answer(comm,
                is_inter(comm) ? Rondo_Reduce(const_cast<void*>(sendbuf), recvbuf, count, datatype, op, root, comm)
                               : chosen::reduce(sendbuf, recvbuf, count, datatype, op, root, comm),
                __func__);
}

int MPI_Allreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return answer(comm,
                is_inter(comm) ? Rondo_Allreduce(const_cast<void*>(sendbuf), recvbuf, count, datatype, op, comm)
                               : chosen::allreduce(sendbuf, recvbuf, count, datatype, op, comm),
                __func__);
}

int MPI_Reduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, recvcounts, datatype);
  return answer(comm,
                is_inter(comm) ? Rondo_Reduce_scatter(const_cast<void*>(sendbuf), recvbuf, const_cast<int*>(recvcounts),
                                                      datatype, op, comm)
                               : chosen::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm),
                __func__);
}

int MPI_Reduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm) {
  rondo::mpi::Called const called = rondo::mpi::Called::blocks(__func__, comm, recvcount, datatype);
  return answer(comm,
                is_inter(comm)
                    ? Rondo_Reduce_scatter_block(const_cast<void*>(sendbuf), recvbuf, recvcount, datatype, op, comm)
                    : chosen::reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
                __func__);
}

}  // extern "C"
