// MPI's functions for messages between single ranks, except those that functions/write.py generates.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/request_completion.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/collectives.hpp"
#include "mpi_library/smpi_shim/ways.hpp"

namespace rondo::mpi {

Way way_to(MPI_Comm comm, int rank) {
  if (!is_inter(comm)) return {rank, comm};
  auto const inter = inter_comm(comm);
  return {inter->target(rank), inter->to_send->handle()};
}

MPI_Comm way_from(MPI_Comm comm) { return is_inter(comm) ? inter_comm(comm)->to_receive->handle() : comm; }

namespace {

/// Sends and receives at the same time. On an inter-communicator the two directions use two communicators.
int sent_and_received(Way const& target, void const* sent, int sendcount, MPI_Datatype sendtype, int sendtag,
                      MPI_Comm comm, void* received, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                      MPI_Status* status) {
  return guarded([&] {
    MPI_Request receive = MPI_REQUEST_NULL;
    check(PMPI_Irecv(received, recvcount, recvtype, source, recvtag, way_from(comm), &receive));
    check(PMPI_Send(sent, sendcount, sendtype, target.rank, sendtag, target.comm));
    check(PMPI_Wait(&receive, status));
  });
}

std::unique_ptr<RequestOperation> nothing_of_ours() { return nullptr; }

/// The content of a buffer, packed.
std::vector<std::byte> packed(void const* buffer, int count, MPI_Datatype type, MPI_Comm comm) {
  int size = 0, end = 0;
  check(PMPI_Pack_size(count, type, comm, &size));
  std::vector<std::byte> result(static_cast<std::size_t>(size) + 1);
  check(PMPI_Pack(buffer, count, type, result.data(), size, &end, comm));
  result.resize(static_cast<std::size_t>(end) + 1);
  return result;
}

}  // namespace

int init_send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request,
              Send send, char const* function) {
  if (comm == MPI_COMM_NULL) return answer(comm, MPI_ERR_COMM, function);
  Way const way = way_to(comm, dest);
  return init_request(function, comm, request, nothing_of_ours,
                      [=](MPI_Request* made) { return send(buf, count, datatype, way.rank, tag, way.comm, made); });
}

}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  if (!is_inter(comm)) {
    return answer(comm,
                  PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                                recvtag, comm, status),
                  __func__);
  }
  return answer(comm,
                sent_and_received(way_to(comm, dest), sendbuf, sendcount, sendtype, sendtag, comm, recvbuf, recvcount,
                                  recvtype, source, recvtag, status),
                __func__);
}

int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                         MPI_Comm comm, MPI_Status* status) {
  if (!is_inter(comm)) {
    return answer(comm, PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status),
                  __func__);
  }
  int const code = guarded([&] {
    Way const way = way_to(comm, dest);
    auto const held = packed(buf, count, datatype, way.comm);
    check(sent_and_received(way, held.data(), static_cast<int>(held.size()) - 1, MPI_PACKED, sendtag, comm, buf, count,
                            datatype, source, recvtag, status));
  });
  return answer(comm, code, __func__);
}

int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  MPI_Comm const way = way_from(comm);
  return init_request(__func__, comm, request, nothing_of_ours,
                      [=](MPI_Request* made) { return PMPI_Irecv(buf, count, datatype, source, tag, way, made); });
}

int MPI_Cancel(MPI_Request* request) { return rondo::mpi::cancel(request); }

}  // extern "C"
