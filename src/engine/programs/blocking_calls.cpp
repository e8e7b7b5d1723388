#include "engine/programs/blocking_calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "engine/programs/call_notes.hpp"
#include "engine/programs/unreceived.hpp"
#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

/// One end of a message, as its call named it.
struct End {
  char const* way;  // " from" or " to"; null: of no message
  int peer;
  int tag;
  MPI_Comm comm;
};

struct Call {
  char const* name = nullptr;
  End end{};
  MPI_Request const* requests = nullptr;  // what it waits for; those that are done are null there
  int count = 0;
};

std::vector<Call> calls;                         // by rank; empty: nothing is noted
std::unordered_map<MPI_Request, End> requested;  // what has been posted without waiting

/// Notes, as long as it lives, that the calling rank is in this call.
class Within {
 public:
  explicit Within(Call const& call) : here_(call.name), rank_(calls.empty() ? -1 : rank_here()) {
    if (rank_ >= 0) calls[static_cast<std::size_t>(rank_)] = call;
  }
  ~Within() {
    if (rank_ >= 0) calls[static_cast<std::size_t>(rank_)] = {};
  }
  Within(Within const&) = delete;
  Within& operator=(Within const&) = delete;

 private:
  CallHere here_;
  int rank_;
};

/// The bytes of `count` elements; 0 if they are unknown.
std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL || count <= 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS) return 0;
  return count * size;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  if (comm != MPI_COMM_NULL) PMPI_Comm_size(comm, &size);
  return size;
}

std::int64_t sum_of(int const* counts, MPI_Comm comm) {
  std::int64_t sum = 0;
  for (int i = 0; counts != nullptr && i < size_of(comm); ++i) sum += counts[i];
  return sum;
}

/// The bytes that a rank hands over. With MPI_IN_PLACE they are the bytes that it receives.
std::int64_t sent_bytes(void const* sent, int sendcount, MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype) {
  return sent == MPI_IN_PLACE ? bytes_of(recvcount, recvtype) : bytes_of(sendcount, sendtype);
}

int posted(int code, End const& end, MPI_Request const* request) {
  if (!calls.empty() && code == MPI_SUCCESS) requested[*request] = end;
  return code;
}

/// SMPI's own function with this name, which the loader finds after Rondo's.
template <typename Function>
Function* own(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string text_of(End const& end) {
  std::string text =
      end.peer == MPI_ANY_SOURCE ? fmt::format("{} any rank", end.way) : fmt::format("{} rank {}", end.way, end.peer);
  if (end.comm != MPI_COMM_WORLD) text += " of its communicator";
  return end.tag == MPI_ANY_TAG ? text : text + fmt::format(" with tag {}", end.tag);
}

std::string text_of(MPI_Request request) {
  auto const found = requested.find(request);
  if (found == requested.end()) return "a request";
  return (found->second.way == std::string(" to") ? "a send" : "a receive") + text_of(found->second);
}

std::string text_of_requests(Call const& call) {
  std::string text;
  int more = 0;
  for (int i = 0; i < call.count; ++i) {
    if (call.requests[i] == MPI_REQUEST_NULL) continue;
    if (text.empty()) {
      text = " for " + text_of(call.requests[i]);
    } else {
      ++more;
    }
  }
  return more == 0 ? text : text + fmt::format(" and {} more request{}", more, more == 1 ? "" : "s");
}

}  // namespace

void note_blocking_calls(int ranks) { calls.resize(static_cast<std::size_t>(ranks)); }

std::string blocking_call(Rank rank) {
  Call const& call = calls[static_cast<std::size_t>(rank.value)];
  if (call.name == nullptr) return "";
  return fmt::format(" in {}{}{}", call.name, call.end.way == nullptr ? "" : text_of(call.end), text_of_requests(call));
}

}  // namespace rondo

// These functions replace SMPI's, because the loader finds them first, and they call SMPI's. A program's call without
// the P arrives here too, in SMPI as in librondo_mpi.
extern "C" {

int PMPI_Send(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Send)>("PMPI_Send");
  rondo::Within const within({"MPI_Send", {" to", target, tag, comm}});
  return smpi(buffer, count, type, target, tag, comm);
}

int PMPI_Ssend(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Ssend)>("PMPI_Ssend");
  rondo::Within const within({"MPI_Ssend", {" to", target, tag, comm}});
  return smpi(buffer, count, type, target, tag, comm);
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  static auto const smpi = rondo::own<decltype(PMPI_Recv)>("PMPI_Recv");
  rondo::Within const within({"MPI_Recv", {" from", source, tag, comm}});
  return smpi(buffer, count, type, source, tag, comm, status);
}

int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  static auto const smpi = rondo::own<decltype(PMPI_Probe)>("PMPI_Probe");
  rondo::Within const within({"MPI_Probe", {" from", source, tag, comm}});
  return smpi(source, tag, comm, status);
}

int PMPI_Sendrecv(void const* sent, int sendcount, MPI_Datatype sendtype, int target, int sendtag, void* received,
                  int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  static auto const smpi = rondo::own<decltype(PMPI_Sendrecv)>("PMPI_Sendrecv");
  rondo::Within const within({"MPI_Sendrecv", {" from", source, recvtag, comm}});
  return smpi(sent, sendcount, sendtype, target, sendtag, received, recvcount, recvtype, source, recvtag, comm, status);
}

int PMPI_Isend(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
               MPI_Request* request) {
  static auto const smpi = rondo::own<decltype(PMPI_Isend)>("PMPI_Isend");
  return rondo::posted(smpi(buffer, count, type, target, tag, comm, request), {" to", target, tag, comm}, request);
}

int PMPI_Issend(void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
                MPI_Request* request) {
  static auto const smpi = rondo::own<decltype(PMPI_Issend)>("PMPI_Issend");
  return rondo::posted(smpi(buffer, count, type, target, tag, comm, request), {" to", target, tag, comm}, request);
}

int PMPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  static auto const smpi = rondo::own<decltype(PMPI_Irecv)>("PMPI_Irecv");
  return rondo::posted(smpi(buffer, count, type, source, tag, comm, request), {" from", source, tag, comm}, request);
}

int PMPI_Cancel(MPI_Request* request) {
  static auto const smpi = rondo::own<decltype(PMPI_Cancel)>("PMPI_Cancel");
  if (request != nullptr && *request != MPI_REQUEST_NULL) rondo::note_cancelled(*request);
  return smpi(request);
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  static auto const smpi = rondo::own<decltype(PMPI_Wait)>("PMPI_Wait");
  rondo::Within const within({"MPI_Wait", {}, request, 1});
  return smpi(request, status);
}

int PMPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  static auto const smpi = rondo::own<decltype(PMPI_Waitall)>("PMPI_Waitall");
  rondo::Within const within({"MPI_Waitall", {}, requests, count});
  return smpi(count, requests, statuses);
}

int PMPI_Waitany(int count, MPI_Request* requests, int* which, MPI_Status* status) {
  static auto const smpi = rondo::own<decltype(PMPI_Waitany)>("PMPI_Waitany");
  rondo::Within const within({"MPI_Waitany", {}, requests, count});
  return smpi(count, requests, which, status);
}

int PMPI_Waitsome(int count, MPI_Request* requests, int* done, int* which, MPI_Status* statuses) {
  static auto const smpi = rondo::own<decltype(PMPI_Waitsome)>("PMPI_Waitsome");
  rondo::Within const within({"MPI_Waitsome", {}, requests, count});
  return smpi(count, requests, done, which, statuses);
}

int PMPI_Barrier(MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Barrier)>("PMPI_Barrier");
  rondo::CallHere const here("MPI_Barrier", comm, 0);
  rondo::Within const within({"MPI_Barrier"});
  return smpi(comm);
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Bcast)>("PMPI_Bcast");
  rondo::CallHere const here("MPI_Bcast", comm, rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Bcast"});
  return smpi(buffer, count, type, root, comm);
}

int PMPI_Reduce(void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Reduce)>("PMPI_Reduce");
  rondo::CallHere const here("MPI_Reduce", comm, rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Reduce"});
  return smpi(sent, received, count, type, op, root, comm);
}

int PMPI_Allreduce(void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Allreduce)>("PMPI_Allreduce");
  rondo::CallHere const here("MPI_Allreduce", comm, rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Allreduce"});
  return smpi(sent, received, count, type, op, comm);
}

int PMPI_Gather(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Gather)>("PMPI_Gather");
  rondo::CallHere const here("MPI_Gather", comm, rondo::sent_bytes(sent, sendcount, sendtype, recvcount, recvtype));
  rondo::Within const within({"MPI_Gather"});
  return smpi(sent, sendcount, sendtype, received, recvcount, recvtype, root, comm);
}

int PMPI_Scatter(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Scatter)>("PMPI_Scatter");
  rondo::CallHere const here("MPI_Scatter", comm, rondo::bytes_of(recvcount, recvtype));
  rondo::Within const within({"MPI_Scatter"});
  return smpi(sent, sendcount, sendtype, received, recvcount, recvtype, root, comm);
}

int PMPI_Allgather(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Allgather)>("PMPI_Allgather");
  rondo::CallHere const here("MPI_Allgather", comm, rondo::sent_bytes(sent, sendcount, sendtype, recvcount, recvtype));
  rondo::Within const within({"MPI_Allgather"});
  return smpi(sent, sendcount, sendtype, received, recvcount, recvtype, comm);
}

int PMPI_Alltoall(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Alltoall)>("PMPI_Alltoall");
  rondo::CallHere const here("MPI_Alltoall", comm,
                             rondo::size_of(comm) * rondo::sent_bytes(sent, sendcount, sendtype, recvcount, recvtype));
  rondo::Within const within({"MPI_Alltoall"});
  return smpi(sent, sendcount, sendtype, received, recvcount, recvtype, comm);
}

int PMPI_Comm_free(MPI_Comm* comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Comm_free)>("PMPI_Comm_free");
  if (comm != nullptr) rondo::forget_communicator(*comm);
  return smpi(comm);
}

int PMPI_Gatherv(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int const* counts,
                 int const* places, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Gatherv)>("PMPI_Gatherv");
  rondo::CallHere const here("MPI_Gatherv", comm, sent == MPI_IN_PLACE ? 0 : rondo::bytes_of(sendcount, sendtype));
  rondo::Within const within({"MPI_Gatherv"});
  return smpi(sent, sendcount, sendtype, received, counts, places, recvtype, root, comm);
}

int PMPI_Scatterv(void const* sent, int const* counts, int const* places, MPI_Datatype sendtype, void* received,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Scatterv)>("PMPI_Scatterv");
  rondo::CallHere const here("MPI_Scatterv", comm, rondo::bytes_of(recvcount, recvtype));
  rondo::Within const within({"MPI_Scatterv"});
  return smpi(sent, counts, places, sendtype, received, recvcount, recvtype, root, comm);
}

int PMPI_Allgatherv(void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int const* counts,
                    int const* places, MPI_Datatype recvtype, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Allgatherv)>("PMPI_Allgatherv");
  rondo::CallHere const here("MPI_Allgatherv", comm, sent == MPI_IN_PLACE ? 0 : rondo::bytes_of(sendcount, sendtype));
  rondo::Within const within({"MPI_Allgatherv"});
  return smpi(sent, sendcount, sendtype, received, counts, places, recvtype, comm);
}

int PMPI_Alltoallv(void const* sent, int const* sendcounts, int const* sendplaces, MPI_Datatype sendtype,
                   void* received, int const* counts, int const* places, MPI_Datatype recvtype, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Alltoallv)>("PMPI_Alltoallv");
  rondo::CallHere const here("MPI_Alltoallv", comm,
                             sent == MPI_IN_PLACE ? rondo::bytes_of(rondo::sum_of(counts, comm), recvtype)
                                                  : rondo::bytes_of(rondo::sum_of(sendcounts, comm), sendtype));
  rondo::Within const within({"MPI_Alltoallv"});
  return smpi(sent, sendcounts, sendplaces, sendtype, received, counts, places, recvtype, comm);
}

int PMPI_Reduce_scatter(void const* sent, void* received, int const* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Reduce_scatter)>("PMPI_Reduce_scatter");
  rondo::CallHere const here("MPI_Reduce_scatter", comm, rondo::bytes_of(rondo::sum_of(counts, comm), type));
  rondo::Within const within({"MPI_Reduce_scatter"});
  return smpi(sent, received, counts, type, op, comm);
}

int PMPI_Reduce_scatter_block(void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Reduce_scatter_block)>("PMPI_Reduce_scatter_block");
  rondo::CallHere const here("MPI_Reduce_scatter_block", comm, rondo::size_of(comm) * rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Reduce_scatter_block"});
  return smpi(sent, received, count, type, op, comm);
}

int PMPI_Scan(void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Scan)>("PMPI_Scan");
  rondo::CallHere const here("MPI_Scan", comm, rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Scan"});
  return smpi(sent, received, count, type, op, comm);
}

int PMPI_Exscan(void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static auto const smpi = rondo::own<decltype(PMPI_Exscan)>("PMPI_Exscan");
  rondo::CallHere const here("MPI_Exscan", comm, rondo::bytes_of(count, type));
  rondo::Within const within({"MPI_Exscan"});
  return smpi(sent, received, count, type, op, comm);
}

}  // extern "C"
