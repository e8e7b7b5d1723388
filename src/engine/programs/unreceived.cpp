// Looks into SMPI's mailboxes when all ranks have ended.

#include "engine/programs/unreceived.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Mailbox.hpp>
#include <unordered_set>

#include "base/units.hpp"
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

}  // namespace

void note_cancelled(MPI_Request request) { cancelled.insert(request); }

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

}  // namespace rondo
