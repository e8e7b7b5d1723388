// MPI's functions for messages between single ranks, except those that functions/write.py generates.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/request_completion.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/collectives.hpp"
#include "mpi_library/smpi_shim/datatype.hpp"
#include "mpi_library/smpi_shim/helpers.hpp"
#include "mpi_library/smpi_shim/receives.hpp"
#include "mpi_library/smpi_shim/send_target.hpp"

namespace rondo::mpi {

SendTarget send_target(MPI_Comm comm, int rank) {
  if (!is_inter(comm)) return {rank, comm};
  auto const inter = inter_comm(comm);
  return {inter->target(rank), inter->to_send->handle()};
}

MPI_Comm receive_comm(MPI_Comm comm) { return is_inter(comm) ? inter_comm(comm)->to_receive->handle() : comm; }

namespace {

/// What a call sends, and where the message goes.
struct Outgoing {
  void const* buffer;
  int count;
  MPI_Datatype type;
  int target, tag;
};

/// Sends and receives at the same time, on the two communicators of an inter-communicator. Returns an error code, as
/// the next two functions do.
int exchanged_between_groups(Outgoing const& out, MPI_Comm comm, Destination const& in, int source, int tag,
                             MPI_Status* status) {
  return guarded([&] {
    SendTarget const target = send_target(comm, out.target);
    MPI_Request receive = MPI_REQUEST_NULL;
    check(PMPI_Irecv(in.buffer, in.count, in.type, source, tag, receive_comm(comm), &receive));
    check(PMPI_Send(out.buffer, out.count, out.type, target.rank, out.tag, target.comm));
    check(PMPI_Wait(&receive, status));
  });
}

/// Sends and receives with SMPI's MPI_Sendrecv, and corrects what it reports: it returns no error if the message is too
/// long. If a rank sends to itself, the status has no error either, and a wrong source.
int exchanged_in_group(Outgoing const& out, MPI_Comm comm, Destination const& in, int source, int tag,
                       MPI_Status* status) {
  MPI_Status own{};
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  int const code = PMPI_Sendrecv(out.buffer, out.count, out.type, out.target, out.tag, in.buffer, in.count, in.type,
                                 source, tag, comm, seen);
  if (code != MPI_SUCCESS || source == MPI_PROC_NULL) return code;
  if (source != MPI_ANY_SOURCE) seen->MPI_SOURCE = source;
  int arrived = 0, size = 0;
  PMPI_Get_count(seen, MPI_BYTE, &arrived);
  PMPI_Type_size(in.type, &size);
  if (arrived > std::int64_t{in.count} * size) seen->MPI_ERROR = MPI_ERR_TRUNCATE;
  return seen->MPI_ERROR;
}

/// Sends and receives at the same time on any communicator, and unpacks the message if that is necessary.
int exchanged(Outgoing const& out, MPI_Comm comm, Destination const& in, int source, int tag, MPI_Status* status) {
  return receive(in, status, [&](Destination const& room, MPI_Status* seen) {
    return is_inter(comm) ? exchanged_between_groups(out, comm, room, source, tag, seen)
                          : exchanged_in_group(out, comm, room, source, tag, seen);
  });
}

/// Leaves a request to SMPI (see Make in collectives.hpp).
std::unique_ptr<RequestOperation> nothing_of_ours() { return nullptr; }

/// The content of a buffer, packed, and one more byte, so that there is an address even without content.
std::vector<std::byte> packed(void const* buffer, int count, MPI_Datatype type) {
  int size = 0, end = 0;
  check(PMPI_Type_size(type, &size));
  std::vector<std::byte> result(static_cast<std::size_t>(size) * static_cast<std::size_t>(count) + 1);
  int const bytes = static_cast<int>(result.size()) - 1;
  if (count > 0) check(PMPI_Pack(buffer, count, type, result.data(), bytes, &end, MPI_COMM_SELF));
  return result;
}

/// Begins a receive by SMPI's MPI_Irecv.
BeginReceive begins(int source, int tag, MPI_Comm comm) {
  return [=, way = receive_comm(comm)](Destination const& room, MPI_Request* request) {
    return PMPI_Irecv(room.buffer, room.count, room.type, source, tag, way, request);
  };
}

}  // namespace

int init_send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request,
              Send send, char const* function) {
  if (comm == MPI_COMM_NULL) return answer(comm, MPI_ERR_COMM, function);
  SendTarget const way = send_target(comm, dest);
  auto const begin = [=, kept = keep_objects({datatype}, MPI_OP_NULL)](MPI_Request* made) {
    return send(buf, count, datatype, way.rank, tag, way.comm, made);
  };
  return init_request(function, comm, request, nothing_of_ours, begin);
}

}  // namespace rondo::mpi

using namespace rondo::mpi;

extern "C" {

int MPI_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  LibraryScope const here;
  Outgoing const out{sendbuf, sendcount, sendtype, dest, sendtag};
  return answer(comm, exchanged(out, comm, {recvbuf, recvcount, recvtype}, source, recvtag, status), __func__);
}

// SMPI's own function clears the part of the buffer that a shorter message does not fill, and ends the program if the
// count is 0.
int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
                         MPI_Comm comm, MPI_Status* status) {
  LibraryScope const here;
  int const code = guarded([&] {
    if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
    std::vector<std::byte> const held = packed(buf, count, datatype);
    bool const is_own = known(datatype) != nullptr;
    Outgoing const out{held.data(), is_own ? static_cast<int>(held.size()) - 1 : count, is_own ? MPI_PACKED : datatype,
                       dest, sendtag};
    check(exchanged(out, comm, {buf, count, datatype}, source, recvtag, status));
  });
  return answer(comm, code, __func__);
}

int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  LibraryScope const here;
  MPI_Comm const way = receive_comm(comm);
  int const code = receive({buf, count, datatype}, status, [&](Destination const& room, MPI_Status* seen) {
    return PMPI_Recv(room.buffer, room.count, room.type, source, tag, way, seen);
  });
  return answer(comm, code, __func__);
}

int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  LibraryScope const here;
  BeginReceive const begin = begins(source, tag, comm);
  int code = MPI_SUCCESS;
  int const guard = guarded([&] {
    Destination const plain = plain_destination({buf, count, datatype});
    if (source == MPI_PROC_NULL || !needs_unpacking(plain)) return void(code = begin(plain, request));
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *request = make_handle(receive_request(plain, begin), Lifetime::once);
  });
  return answer(comm, guard != MPI_SUCCESS ? guard : code, __func__);
}

int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  Destination const destination{buf, count, datatype};
  BeginReceive const begin = begins(source, tag, comm);
  return init_request(
      __func__, comm, request,
      [&] { return needs_unpacking(plain_destination(destination)) ? receive_request(destination, begin) : nullptr; },
      [=, kept = keep_objects({datatype}, MPI_OP_NULL)](MPI_Request* made) {
        return begin(plain_destination(destination), made);
      });
}

int MPI_Cancel(MPI_Request* request) { return rondo::mpi::cancel(request); }

}  // extern "C"
