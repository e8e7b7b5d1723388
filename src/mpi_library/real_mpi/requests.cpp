// Non-blocking collectives on a real MPI, see collectives.cpp: by the algorithm that is chosen, as requests of our own,
// or the MPI library's. All that completes requests is here too, because it has to know ours.

#include <mpi.h>

#include <memory>
#include <utility>

#include "mpi_library/calls/failed_comm.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/classical/calls.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "rondo/topology.h"

namespace {

using namespace rondo::mpi;
using rondo::ClassicalCollective;

/// The MPI library has told the communicator's handler of its own errors; ours are told here.
template <typename Library>
int begin(MPI_Comm comm, MPI_Request* request, CollectiveCall const& call, Library const& library) {
  bool done = false;
  int const code = guarded([&] {
    std::unique_ptr<Requested> made = requested_by_choice(call, comm);
    if (made == nullptr) return;
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::once);
    done = true;
  });
  if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, code);
  return done || code != MPI_SUCCESS ? code : library();
}

/// The error of a request of ours belongs to the handler of its communicator.
int answer_request(int code) {
  if (code == MPI_SUCCESS) return code;
  MPI_Comm const failed = take_failed();
  if (failed != MPI_COMM_NULL) PMPI_Comm_call_errhandler(failed, code);
  return code;
}

}  // namespace

extern "C" {

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, calls::barrier(), [&] { return PMPI_Ibarrier(comm, request); });
}

int MPI_Ibcast(void* buf, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, calls::bcast(buf, count, datatype, root),
               [&] { return PMPI_Ibcast(buf, count, datatype, root, comm, request); });
}

int MPI_Igather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request,
      calls::of_blocks(ClassicalCollective::gather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      [&] { return PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request); });
}

int MPI_Igatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                 int const* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, calls::gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root), [&] {
        return PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
      });
}

int MPI_Iscatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request,
      calls::of_blocks(ClassicalCollective::scatter, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
      [&] { return PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request); });
}

int MPI_Iscatterv(void const* sendbuf, int const* sendcounts, int const* displs, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, calls::scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root), [&] {
        return PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
      });
}

int MPI_Iallgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request,
      calls::of_blocks(ClassicalCollective::allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      [&] { return PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request); });
}

int MPI_Iallgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int const* recvcounts,
                    int const* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request, calls::allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), [&] {
        return PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
      });
}

int MPI_Ialltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      comm, request,
      calls::of_blocks(ClassicalCollective::alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype),
      [&] { return PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request); });
}

int MPI_Ialltoallv(void const* sendbuf, int const* sendcounts, int const* sdispls, MPI_Datatype sendtype, void* recvbuf,
                   int const* recvcounts, int const* rdispls, MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request) {
  return begin(comm, request,
               calls::alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype), [&] {
                 return PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                        comm, request);
               });
}

int MPI_Ireduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request,
               calls::of_reduction(ClassicalCollective::reduce, sendbuf, recvbuf, count, datatype, op, root),
               [&] { return PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request); });
}

int MPI_Iallreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return begin(comm, request,
               calls::of_reduction(ClassicalCollective::allreduce, sendbuf, recvbuf, count, datatype, op),
               [&] { return PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request); });
}

int MPI_Ireduce_scatter(void const* sendbuf, void* recvbuf, int const* recvcounts, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request, calls::reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op),
               [&] { return PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request); });
}

int MPI_Ireduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return begin(comm, request,
               calls::of_reduction(ClassicalCollective::reduce_scatter, sendbuf, recvbuf, recvcount, datatype, op),
               [&] { return PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request); });
}

int MPI_Iscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return begin(comm, request, calls::of_reduction(ClassicalCollective::scan, sendbuf, recvbuf, count, datatype, op),
               [&] { return PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request); });
}

int MPI_Iexscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return begin(comm, request, calls::of_reduction(ClassicalCollective::exscan, sendbuf, recvbuf, count, datatype, op),
               [&] { return PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request); });
}

// While no request is ours, these are the library's own, with its own errors.

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return any_handles() ? answer_request(Rondo_Wait(request, status)) : PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return any_handles() ? answer_request(Rondo_Waitall(count, requests, statuses))
                       : PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return any_handles() ? answer_request(Rondo_Waitany(count, requests, index, status))
                       : PMPI_Waitany(count, requests, index, status);
}

int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return any_handles() ? answer_request(Rondo_Waitsome(incount, requests, outcount, indices, statuses))
                       : PMPI_Waitsome(incount, requests, outcount, indices, statuses);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return any_handles() ? answer_request(Rondo_Test(request, flag, status)) : PMPI_Test(request, flag, status);
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return any_handles() ? answer_request(Rondo_Testall(count, requests, flag, statuses))
                       : PMPI_Testall(count, requests, flag, statuses);
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return any_handles() ? answer_request(Rondo_Testany(count, requests, index, flag, status))
                       : PMPI_Testany(count, requests, index, flag, status);
}

int MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  return any_handles() ? answer_request(Rondo_Testsome(incount, requests, outcount, indices, statuses))
                       : PMPI_Testsome(incount, requests, outcount, indices, statuses);
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return any_handles() ? answer_request(Rondo_Request_get_status(request, flag, status))
                       : PMPI_Request_get_status(request, flag, status);
}

int MPI_Request_free(MPI_Request* request) {
  return any_handles() ? answer_request(Rondo_Request_free(request)) : PMPI_Request_free(request);
}

}  // extern "C"
