// MPI's own names for programs on a real MPI: what was chosen (mpi_library/classical/choice.hpp) goes by Rondo's
// schedules, all else to the MPI library, by the names that MPI's profiling interface has for it. Compiled against a
// real MPI only; under SMPI smpi_shim does this.

#include <mpi.h>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/classical/choice.hpp"
#include "mpi_library/classical/chosen.hpp"
#include "mpi_library/classical/collective_call.hpp"

namespace {

namespace chosen = rondo::mpi::chosen;

int hints_taken(MPI_Comm comm, MPI_Info info) {
  int const code = rondo::mpi::guarded([&] { rondo::mpi::take_hints(comm, info); });
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace

extern "C" {

int MPI_Barrier(MPI_Comm comm) { return chosen::barrier(comm); }

int MPI_Bcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return chosen::bcast(buf, count, datatype, root, comm);
}

int MPI_Gather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return chosen::gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Gatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return chosen::gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
}

int MPI_Scatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return chosen::scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Scatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return chosen::scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}

int MPI_Allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  return chosen::allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                   int const* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  return chosen::allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

int MPI_Alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
  return chosen::alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int MPI_Alltoallv(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype, void* recvbuf,
                  int const* recvcounts, int const* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  return chosen::alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

int MPI_Reduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm) {
  return chosen::reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
}

int MPI_Allreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return chosen::allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Reduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  return chosen::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPI_Reduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm) {
  return chosen::reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm);
}

int MPI_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return chosen::scan(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return chosen::exscan(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Finalize() {
  rondo::mpi::tell_choices_without_effect();
  return PMPI_Finalize();
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  int const code = PMPI_Comm_set_info(comm, info);
  return code == MPI_SUCCESS ? hints_taken(comm, info) : code;
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  int const code = PMPI_Comm_dup_with_info(comm, info, newcomm);
  return code == MPI_SUCCESS ? hints_taken(*newcomm, info) : code;
}

}  // extern "C"
