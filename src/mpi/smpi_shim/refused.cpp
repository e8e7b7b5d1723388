// What is not to be had on inter-communicators, in MPI either. On any other communicator the library's own, see
// neighbor.cpp.

#include <mpi.h>

#include <cstdio>
#include <memory>

#include "mpi/classical/chosen.hpp"
#include "mpi/graph/request_handles.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/runtime/guarded.hpp"
#include "mpi/runtime/ordered_scan.hpp"
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

/// The library's own scan, or ours where that is wrong.
template <auto library>
int begun_in_order(rondo::mpi::ScanCall const& call, MPI_Request* request) {
  using namespace rondo::mpi;
  if (call.comm == MPI_COMM_NULL || request == nullptr || !needs_order(call))
    return library(call.send, call.receive, call.count, call.type, call.op, call.comm, request);
  return guarded([&] { *request = handle_for(std::make_unique<OrderedScan>(call), Lifetime::once); });
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
  using Kind = rondo::mpi::ScanCall::Kind;
  return unless_inter(comm, __func__, begun_in_order<PMPI_Iscan>,
                      rondo::mpi::ScanCall{Kind::inclusive, sendbuf, recvbuf, count, datatype, op, comm}, request);
}

int MPI_Iexscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  using Kind = rondo::mpi::ScanCall::Kind;
  return unless_inter(comm, __func__, begun_in_order<PMPI_Iexscan>,
                      rondo::mpi::ScanCall{Kind::exclusive, sendbuf, recvbuf, count, datatype, op, comm}, request);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_split_type, comm, split_type, key, info, newcomm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_create_group, comm, group, tag, newcomm);
}

}  // extern "C"
