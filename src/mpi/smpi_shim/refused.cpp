// What is not to be had on inter-communicators, in MPI either. On any other communicator the library's own, see
// neighbor.cpp.

#include <mpi.h>

#include <cstdio>

#include "mpi/classical/chosen.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/smpi_shim/answer.hpp"

using rondo::mpi::answer;
using rondo::mpi::is_inter;

namespace {

int refuse(MPI_Comm comm, char const* function) {
  std::fprintf(stderr, "%s: not on an inter-communicator\n", function);
  return answer(comm, MPI_ERR_COMM, function);
}

/// The library's own function, but not on an inter-communicator.
template <typename Function, typename... Arguments>
int unless_inter(MPI_Comm comm, char const* name, Function function, Arguments... arguments) {
  return is_inter(comm) ? refuse(comm, name) : answer(comm, function(arguments...), name);
}

}  // namespace

extern "C" {

int MPI_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return unless_inter(comm, __func__, rondo::mpi::chosen::scan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return unless_inter(comm, __func__, rondo::mpi::chosen::exscan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Iscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iscan, sendbuf, recvbuf, count, datatype, op, comm, request);
}

int MPI_Iexscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return unless_inter(comm, __func__, PMPI_Iexscan, sendbuf, recvbuf, count, datatype, op, comm, request);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_split_type, comm, split_type, key, info, newcomm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_create_group, comm, group, tag, newcomm);
}

}  // extern "C"
