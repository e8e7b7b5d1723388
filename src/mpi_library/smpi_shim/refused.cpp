// What is not to be had on inter-communicators, in MPI either. On any other communicator the library's own, see
// neighbor.cpp.

#include <mpi.h>

#include <cstdio>
#include <memory>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/classical/chosen.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/called.hpp"
#include "mpi_library/smpi_shim/requested.hpp"

namespace {

using namespace rondo::mpi;
using rondo::ClassicalCollective;

void say_refused(char const* function) { std::fprintf(stderr, "%s: not on an inter-communicator\n", function); }

int refuse(MPI_Comm comm, char const* function) {
  say_refused(function);
  return answer(comm, MPI_ERR_COMM, function);
}

auto refuse_request(char const* function) {
  return [=](InterComm const&) -> std::unique_ptr<Requested> {
    say_refused(function);
    throw MpiFailure(MPI_ERR_COMM);
  };
}

/// The library's own function, but not on an inter-communicator.
template <typename Function, typename... Arguments>
int unless_inter(MPI_Comm comm, char const* name, Function function, Arguments... arguments) {
  return is_inter(comm) ? refuse(comm, name) : answer(comm, function(arguments...), name);
}

}  // namespace

extern "C" {

int MPI_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return unless_inter(comm, __func__, chosen::scan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return unless_inter(comm, __func__, chosen::exscan, sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Iscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return begin(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::scan, sendbuf, recvbuf, count, datatype, op),
      refuse_request(__func__),
      [=](MPI_Request* made) { return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({OrderedCall::Kind::inclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

int MPI_Iexscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  rondo::mpi::Called const called(__func__, comm, count, datatype);
  return begin(
      comm, request, __func__, calls::of_reduction(ClassicalCollective::exscan, sendbuf, recvbuf, count, datatype, op),
      refuse_request(__func__),
      [=](MPI_Request* made) { return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, made); },
      ordered({OrderedCall::Kind::exclusive, sendbuf, recvbuf, count, datatype, op, comm}));
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_split_type, comm, split_type, key, info, newcomm);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return unless_inter(comm, __func__, PMPI_Comm_create_group, comm, group, tag, newcomm);
}

}  // extern "C"
