// The C interface of the neighborhood collectives: words in, one call, an error class out.

#include <utility>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/neighbor_request.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "rondo/topology.h"

namespace {

using namespace rondo::mpi;
using Kind = NeighborCall::Kind;
int run(NeighborCall const& call, MPI_Comm comm) {
  return guarded([&] { carry_out(*make_request(comm, call)); });
}

int begin(NeighborCall call, MPI_Comm comm, MPI_Request* request) {
  return guarded([&] {
    call.form = NeighborForm::non_blocking;
    auto made = make_request(comm, call);
    if (request == nullptr) {
      // The others wait for what this rank has for them.
      carry_out(*made);
      throw MpiFailure(MPI_ERR_ARG);
    }
    *request = handle_for(std::move(made), Lifetime::once);
  });
}

int init(NeighborCall call, MPI_Comm comm, MPI_Request* request) {
  return guarded([&] {
    call.form = NeighborForm::persistent;
    // Also where it cannot be kept: the others may wait to agree.
    auto made = make_request(comm, call);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::move(made), Lifetime::persistent);
  });
}

}  // namespace

int Rondo_Neighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm) {
  return run(
      {Kind::allgather, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm);
}

int Rondo_Ineighbor_allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      {Kind::allgather, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm, request);
}

int Rondo_Neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      {Kind::allgather, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm, request);
}

int Rondo_Neighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                              int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return run({Kind::allgather, regular(sendbuf, sendcount, sendtype), irregular(recvbuf, recvcounts, nullptr, recvtype),
              nullptr, displs},
             comm);
}

int Rondo_Ineighbor_allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                               int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Request* request) {
  return begin({Kind::allgather, regular(sendbuf, sendcount, sendtype),
                irregular(recvbuf, recvcounts, nullptr, recvtype), nullptr, displs},
               comm, request);
}

int Rondo_Neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   int const recvcounts[], int const displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                   MPI_Info, MPI_Request* request) {
  return init({Kind::allgather, regular(sendbuf, sendcount, sendtype),
               irregular(recvbuf, recvcounts, nullptr, recvtype), nullptr, displs},
              comm, request);
}

int Rondo_Neighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  return run(
      {Kind::alltoall, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm);
}

int Rondo_Ineighbor_alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return begin(
      {Kind::alltoall, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm, request);
}

int Rondo_Neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init(
      {Kind::alltoall, regular(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype), nullptr, nullptr},
      comm, request);
}

int Rondo_Neighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                             void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm) {
  return run({Kind::alltoall, irregular(sendbuf, sendcounts, nullptr, sendtype),
              irregular(recvbuf, recvcounts, nullptr, recvtype), sdispls, rdispls},
             comm);
}

int Rondo_Ineighbor_alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[], MPI_Datatype sendtype,
                              void* recvbuf, int const recvcounts[], int const rdispls[], MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Request* request) {
  return begin({Kind::alltoall, irregular(sendbuf, sendcounts, nullptr, sendtype),
                irregular(recvbuf, recvcounts, nullptr, recvtype), sdispls, rdispls},
               comm, request);
}

int Rondo_Neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], int const sdispls[],
                                  MPI_Datatype sendtype, void* recvbuf, int const recvcounts[], int const rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info, MPI_Request* request) {
  return init({Kind::alltoall, irregular(sendbuf, sendcounts, nullptr, sendtype),
               irregular(recvbuf, recvcounts, nullptr, recvtype), sdispls, rdispls},
              comm, request);
}

int Rondo_Neighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                             MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                             MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  return run({Kind::alltoall, typed(sendbuf, sendcounts, sdispls, sendtypes),
              typed(recvbuf, recvcounts, rdispls, recvtypes), nullptr, nullptr},
             comm);
}

int Rondo_Ineighbor_alltoallw(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                              MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                              MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm,
                              MPI_Request* request) {
  return begin({Kind::alltoall, typed(sendbuf, sendcounts, sdispls, sendtypes),
                typed(recvbuf, recvcounts, rdispls, recvtypes), nullptr, nullptr},
               comm, request);
}

int Rondo_Neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const sdispls[],
                                  MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                  MPI_Aint const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm, MPI_Info,
                                  MPI_Request* request) {
  return init({Kind::alltoall, typed(sendbuf, sendcounts, sdispls, sendtypes),
               typed(recvbuf, recvcounts, rdispls, recvtypes), nullptr, nullptr},
              comm, request);
}
