// Messages between single ranks. On an inter-communicator they go over its two communicators of both groups
// (mpi_library/intergroup/inter_comm.hpp), on any other one over the communicator itself. See neighbor.cpp.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/library_request.hpp"
#include "mpi_library/graph/neighbor_waits.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/answer.hpp"

namespace {

using namespace rondo::mpi;

/// Where the library is to send to, or to receive on.
struct Way {
  int rank;
  MPI_Comm comm;
};

Way to(MPI_Comm comm, int rank) {
  if (!is_inter(comm)) return {rank, comm};
  auto const inter = inter_comm(comm);
  return {inter->target(rank), inter->to_send->handle()};
}

MPI_Comm from(MPI_Comm comm) { return is_inter(comm) ? inter_comm(comm)->to_receive->handle() : comm; }

/// Both ways at once, which on an inter-communicator are two communicators.
int sent_and_received(Way const& target, void const* sent, int sendcount, MPI_Datatype sendtype, int sendtag,
                      MPI_Comm comm, void* received, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                      MPI_Status* status) {
  return guarded([&] {
    MPI_Request receive = MPI_REQUEST_NULL;
    check(PMPI_Irecv(received, recvcount, recvtype, source, recvtag, from(comm), &receive));
    check(PMPI_Send(sent, sendcount, sendtype, target.rank, sendtag, target.comm));
    check(PMPI_Wait(&receive, status));
  });
}

/// A request that starts a message each time. SMPI loses sends of its own that are started again, and ends the program
/// where their other end is MPI_PROC_NULL.
int init(MPI_Comm comm, MPI_Request* request, char const* function, LibraryRequest::Start start) {
  int const code = guarded([&] {
    if (comm == MPI_COMM_NULL) throw MpiFailure(MPI_ERR_COMM);
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = handle_for(std::make_unique<LibraryRequest>(std::move(start)), Lifetime::persistent);
  });
  return answer(comm, code, function);
}

template <typename Send>
int init_send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request,
              Send const& send, char const* function) {
  if (comm == MPI_COMM_NULL) return answer(comm, MPI_ERR_COMM, function);
  Way const way = to(comm, dest);
  return init(comm, request, function,
              [=](MPI_Request* made) { return send(buf, count, datatype, way.rank, tag, way.comm, made); });
}

/// What the buffer holds, packed.
std::vector<std::byte> packed(void const* buffer, int count, MPI_Datatype type, MPI_Comm comm) {
  int size = 0, end = 0;
  check(PMPI_Pack_size(count, type, comm, &size));
  std::vector<std::byte> result(static_cast<std::size_t>(size) + 1);
  check(PMPI_Pack(buffer, count, type, result.data(), size, &end, comm));
  result.resize(static_cast<std::size_t>(end) + 1);
  return result;
}

}  // namespace

extern "C" {

int MPI_Send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Send(buf, count, datatype, way.rank, tag, way.comm), __func__);
}

int MPI_Ssend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Ssend(buf, count, datatype, way.rank, tag, way.comm), __func__);
}

int MPI_Rsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Rsend(buf, count, datatype, way.rank, tag, way.comm), __func__);
}

int MPI_Bsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Bsend(buf, count, datatype, way.rank, tag, way.comm), __func__);
}

int MPI_Isend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Isend(buf, count, datatype, way.rank, tag, way.comm, request), __func__);
}

int MPI_Issend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Issend(buf, count, datatype, way.rank, tag, way.comm, request), __func__);
}

int MPI_Irsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Irsend(buf, count, datatype, way.rank, tag, way.comm, request), __func__);
}

int MPI_Ibsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  Way const way = to(comm, dest);
  return answer(comm, PMPI_Ibsend(buf, count, datatype, way.rank, tag, way.comm, request), __func__);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return answer(comm, PMPI_Recv(buf, count, datatype, source, tag, from(comm), status), __func__);
}

int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  return answer(comm, PMPI_Irecv(buf, count, datatype, source, tag, from(comm), request), __func__);
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return answer(comm, PMPI_Probe(source, tag, from(comm), status), __func__);
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return answer(comm, PMPI_Iprobe(source, tag, from(comm), flag, status), __func__);
}

int MPI_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  if (!is_inter(comm)) {
    return answer(comm,
                  PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                                recvtag, comm, status),
                  __func__);
  }
  return answer(comm,
                sent_and_received(to(comm, dest), sendbuf, sendcount, sendtype, sendtag, comm, recvbuf, recvcount,
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
    Way const way = to(comm, dest);
    auto const held = packed(buf, count, datatype, way.comm);
    check(sent_and_received(way, held.data(), static_cast<int>(held.size()) - 1, MPI_PACKED, sendtag, comm, buf, count,
                            datatype, source, recvtag, status));
  });
  return answer(comm, code, __func__);
}

int MPI_Send_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return init_send(buf, count, datatype, dest, tag, comm, request, PMPI_Isend, __func__);
}

int MPI_Ssend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return init_send(buf, count, datatype, dest, tag, comm, request, PMPI_Issend, __func__);
}

int MPI_Rsend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return init_send(buf, count, datatype, dest, tag, comm, request, PMPI_Irsend, __func__);
}

int MPI_Bsend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return init_send(buf, count, datatype, dest, tag, comm, request, PMPI_Ibsend, __func__);
}

int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  MPI_Comm const way = from(comm);
  return init(comm, request, __func__,
              [=](MPI_Request* made) { return PMPI_Irecv(buf, count, datatype, source, tag, way, made); });
}

int MPI_Cancel(MPI_Request* request) { return rondo::mpi::cancel(request); }

}  // extern "C"
