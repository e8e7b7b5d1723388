// Notes in which call each rank of a program is. The functions PMPI_* here stand before SMPI's, which they call; so
// they see the calls of programs and of librondo_mpi. unreceived_messages() looks into SMPI's mailboxes when all
// ranks have ended.

#include "engine/programs/blocking_calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Mailbox.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text.hpp"
#include "base/units.hpp"
#include "engine/programs/call_notes.hpp"
#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

std::unordered_set<void const*> cancelled;

/// The first members of a request of SMPI, which no installed header declares (SimGrid 3.32, smpi_request.hpp and
/// smpi_f2c.hpp).
struct RequestHead {
  void* functions;
  int fortran_id;
  bool deleted;
  std::string call_location;
  void *buffer, *old_buffer;
  MPI_Datatype type;
  std::size_t bytes;
  long source, target;  // actors
  int tag;
};

/// The messages that wait, and the first of them as a phrase.
struct Waiting {
  std::int64_t messages = 0;
  std::string first;
};

/// Notes a send. Another version of SimGrid may lay its requests out differently. So an entry is only believed if it
/// names two ranks and the mailbox in which it is.
void note(Waiting& waiting, RequestHead const& send, long mailbox) {
  int const from = rank_of_actor(send.source), to = rank_of_actor(send.target);
  if (send.target != mailbox || from < 0 || to < 0 || send.tag < 0) return;
  if (waiting.messages++ > 0) return;
  waiting.first = fmt::format("from rank {} to rank {} with tag {} ({})", from, to, send.tag,
                              print(Bytes(static_cast<std::int64_t>(send.bytes))));
}

/// Notes every send that waits in the mailbox of an actor. The function given to iprobe matches none, so no send is
/// removed.
void note_all(Waiting& waiting, long actor) {
  constexpr int sends = 0;
  auto* const mailbox = simgrid::s4u::Mailbox::by_name(fmt::format("SMPI-{}", actor));
  mailbox->iprobe(
      sends,
      [&](void* /*ours*/, void* request, simgrid::kernel::activity::CommImpl*) {
        if (!cancelled.contains(request)) note(waiting, *static_cast<RequestHead const*>(request), actor);
        return false;
      },
      nullptr);
}

/// A cancelled request is no message any more. SMPI keeps a cancelled eager send among the sends that wait.
void note_cancelled(MPI_Request request) { cancelled.insert(request); }

}  // namespace

/// The messages that were sent and never received: a fault of the program that SMPI itself does not report. Empty if
/// there are none.
std::string unreceived_messages() {
  Waiting waiting;
  for (auto const& actor : simgrid::s4u::Engine::get_instance()->get_all_actors()) {
    if (rank_of_actor(actor->get_pid()) >= 0) note_all(waiting, actor->get_pid());
  }
  if (waiting.messages == 0) return "";
  return fmt::format("{}{} {}; MPI asks that all are received before MPI_Finalize", waiting.messages,
                     waiting.messages == 1 ? "," : ", the first", waiting.first);
}

namespace {

/// One end of a message, as its call named it.
struct End {
  char const* way;  // " from" or " to"; null: of no message
  int peer;
  int tag;
  MPI_Comm comm;
};

/// The call of a rank, with the end of its message or its requests.
struct Call {
  char const* name = nullptr;
  End end{};
  MPI_Request const* requests = nullptr;  // what it waits for; those that are done are null there
  int count = 0;
};

std::vector<Call> calls;                         // by rank; empty: nothing is noted
std::unordered_map<MPI_Request, End> requested;  // what has been posted without waiting

/// Notes, as long as it lives, that the calling rank is in this call.
class CallScope {
 public:
  explicit CallScope(Call const& call) : here_(call.name), rank_(calls.empty() ? -1 : rank_here()) {
    if (rank_ >= 0) calls[static_cast<std::size_t>(rank_)] = call;
  }
  ~CallScope() {
    if (rank_ >= 0) calls[static_cast<std::size_t>(rank_)] = {};
  }
  CallScope(CallScope const&) = delete;
  CallScope& operator=(CallScope const&) = delete;

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
Function* smpi_function(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// An end of a message as a phrase: "from rank 3 with tag 7".
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

/// The requests that a call waits for, at most a few of them.
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
  return more == 0 ? text : text + " and " + counted(more, "more request");
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
// the P arrives here too, in SMPI as in librondo_mpi. Each row is a function: its name, its parameters, the same as
// arguments, and what is noted of a call. They stand in no namespace: only there are they the functions that mpi.h
// declares as visible to the loader.
extern "C" {

// What is done before the call.
#define NOTING(name, parameters, arguments, ...)                                  \
  int PMPI_##name parameters {                                                    \
    using namespace rondo;                                                        \
    static auto const smpi = smpi_function<decltype(PMPI_##name)>("PMPI_" #name); \
    __VA_ARGS__;                                                                  \
    return smpi arguments;                                                        \
  }
// The end of the message, or the requests, that the call waits for.
#define BLOCKING(name, parameters, arguments, ...) \
  NOTING(name, parameters, arguments, CallScope const within({"MPI_" #name, __VA_ARGS__}))
// The bytes that the rank hands over.
#define COLLECTIVE(name, parameters, arguments, ...)                                        \
  NOTING(name, parameters, arguments, CallHere const here("MPI_" #name, comm, __VA_ARGS__); \
         CallScope const within({"MPI_" #name}))
// The end of the message that a later call waits for.
#define POSTING(name, parameters, arguments, ...)                                 \
  int PMPI_##name parameters {                                                    \
    using namespace rondo;                                                        \
    static auto const smpi = smpi_function<decltype(PMPI_##name)>("PMPI_" #name); \
    return posted(smpi arguments, __VA_ARGS__, request);                          \
  }

BLOCKING(Send, (void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
         (buffer, count, type, target, tag, comm), {" to", target, tag, comm})
BLOCKING(Ssend, (void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm),
         (buffer, count, type, target, tag, comm), {" to", target, tag, comm})
BLOCKING(Recv, (void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status),
         (buffer, count, type, source, tag, comm, status), {" from", source, tag, comm})
BLOCKING(Probe, (int source, int tag, MPI_Comm comm, MPI_Status* status), (source, tag, comm, status),
         {" from", source, tag, comm})
BLOCKING(Sendrecv,
         (void const* sent, int sendcount, MPI_Datatype sendtype, int target, int sendtag, void* received,
          int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status),
         (sent, sendcount, sendtype, target, sendtag, received, recvcount, recvtype, source, recvtag, comm, status),
         {" from", source, recvtag, comm})
POSTING(Isend,
        (void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, target, tag, comm, request), {" to", target, tag, comm})
POSTING(Issend,
        (void const* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, target, tag, comm, request), {" to", target, tag, comm})
POSTING(Irecv, (void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request),
        (buffer, count, type, source, tag, comm, request), {" from", source, tag, comm})
NOTING(Cancel, (MPI_Request * request), (request),
       if (request != nullptr && *request != MPI_REQUEST_NULL) note_cancelled(*request))
BLOCKING(Wait, (MPI_Request * request, MPI_Status* status), (request, status), {}, request, 1)
BLOCKING(Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), (count, requests, statuses), {}, requests,
         count)
BLOCKING(Waitany, (int count, MPI_Request* requests, int* which, MPI_Status* status), (count, requests, which, status),
         {}, requests, count)
BLOCKING(Waitsome, (int count, MPI_Request* requests, int* done, int* which, MPI_Status* statuses),
         (count, requests, done, which, statuses), {}, requests, count)
COLLECTIVE(Barrier, (MPI_Comm comm), (comm), 0)
COLLECTIVE(Bcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm), bytes_of(count, type))
COLLECTIVE(Reduce, (void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (sent, received, count, type, op, root, comm), bytes_of(count, type))
COLLECTIVE(Allreduce, (void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sent, received, count, type, op, comm), bytes_of(count, type))
COLLECTIVE(Gather,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           (sent, sendcount, sendtype, received, recvcount, recvtype, root, comm),
           sent_bytes(sent, sendcount, sendtype, recvcount, recvtype))
COLLECTIVE(Scatter,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           (sent, sendcount, sendtype, received, recvcount, recvtype, root, comm), bytes_of(recvcount, recvtype))
COLLECTIVE(Allgather,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           (sent, sendcount, sendtype, received, recvcount, recvtype, comm),
           sent_bytes(sent, sendcount, sendtype, recvcount, recvtype))
COLLECTIVE(Alltoall,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
            MPI_Datatype recvtype, MPI_Comm comm),
           (sent, sendcount, sendtype, received, recvcount, recvtype, comm),
           size_of(comm) * sent_bytes(sent, sendcount, sendtype, recvcount, recvtype))
NOTING(Comm_free, (MPI_Comm * comm), (comm), if (comm != nullptr) forget_communicator(*comm))
COLLECTIVE(Gatherv,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int const* counts,
            int const* places, MPI_Datatype recvtype, int root, MPI_Comm comm),
           (sent, sendcount, sendtype, received, counts, places, recvtype, root, comm),
           sent == MPI_IN_PLACE ? 0 : bytes_of(sendcount, sendtype))
COLLECTIVE(Scatterv,
           (void const* sent, int const* counts, int const* places, MPI_Datatype sendtype, void* received,
            int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
           (sent, counts, places, sendtype, received, recvcount, recvtype, root, comm), bytes_of(recvcount, recvtype))
COLLECTIVE(Allgatherv,
           (void const* sent, int sendcount, MPI_Datatype sendtype, void* received, int const* counts,
            int const* places, MPI_Datatype recvtype, MPI_Comm comm),
           (sent, sendcount, sendtype, received, counts, places, recvtype, comm),
           sent == MPI_IN_PLACE ? 0 : bytes_of(sendcount, sendtype))
COLLECTIVE(Alltoallv,
           (void const* sent, int const* sendcounts, int const* sendplaces, MPI_Datatype sendtype, void* received,
            int const* counts, int const* places, MPI_Datatype recvtype, MPI_Comm comm),
           (sent, sendcounts, sendplaces, sendtype, received, counts, places, recvtype, comm),
           sent == MPI_IN_PLACE ? bytes_of(sum_of(counts, comm), recvtype)
                                : bytes_of(sum_of(sendcounts, comm), sendtype))
COLLECTIVE(Reduce_scatter,
           (void const* sent, void* received, int const* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sent, received, counts, type, op, comm), bytes_of(sum_of(counts, comm), type))
COLLECTIVE(Reduce_scatter_block,
           (void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sent, received, count, type, op, comm), size_of(comm) * bytes_of(count, type))
COLLECTIVE(Scan, (void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sent, received, count, type, op, comm), bytes_of(count, type))
COLLECTIVE(Exscan, (void const* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (sent, received, count, type, op, comm), bytes_of(count, type))

#undef POSTING
#undef COLLECTIVE
#undef BLOCKING
#undef NOTING

}  // extern "C"
