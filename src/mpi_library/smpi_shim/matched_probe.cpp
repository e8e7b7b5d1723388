// Matched probes, and MPI_Pcontrol, whose levels 1 and 0 are reported to Rondo. A message that is probed is received
// here at once, so that no other receive can match it; the receive that names it gets it from here.

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/named_constants.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "mpi_library/smpi_shim/call_reports.hpp"
#include "mpi_library/smpi_shim/fortran.hpp"
#include "mpi_library/smpi_shim/receives.hpp"
#include "mpi_library/smpi_shim/send_target.hpp"

namespace {

using namespace rondo::mpi;

/// A message that was received when it was probed.
struct Matched {
  std::vector<std::byte> bytes;
  MPI_Status status;
};

/// Receives the message that a probe has found.
void take(MPI_Status const& found, MPI_Comm way, MPI_Message* message, MPI_Status* status) {
  if (found.MPI_SOURCE == MPI_PROC_NULL) {
    *message = named_no_proc();
    return write_status(found, status);
  }
  auto matched = std::make_unique<Matched>();
  int size = 0;
  check(PMPI_Get_count(&found, MPI_BYTE, &size));
  matched->bytes.resize(static_cast<std::size_t>(size) + 1);  // so that there is an address
  check(PMPI_Recv(matched->bytes.data(), size, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, way, &matched->status));
  matched->bytes.resize(static_cast<std::size_t>(size));
  write_status(matched->status, status);
  *message = matched.release();
}

std::unique_ptr<Matched> content_of(MPI_Message message) {
  if (message != named_no_proc()) return std::unique_ptr<Matched>(static_cast<Matched*>(message));
  auto nothing = std::make_unique<Matched>();
  set_empty_status(&nothing->status, MPI_SUCCESS);
  nothing->status.MPI_SOURCE = MPI_PROC_NULL;
  return nothing;
}

/// Gives the message to the caller and forgets it.
std::unique_ptr<Matched> received(void* buffer, int count, MPI_Datatype type, MPI_Message* message) {
  if (message == nullptr || *message == MPI_MESSAGE_NULL) throw MpiFailure(MPI_ERR_REQUEST);
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  std::unique_ptr<Matched> matched = content_of(*message);
  *message = MPI_MESSAGE_NULL;
  int element = 0;
  check(PMPI_Type_size(type, &element));
  std::size_t const size = matched->bytes.size();
  if (size > static_cast<std::size_t>(element) * static_cast<std::size_t>(count)) throw MpiFailure(MPI_ERR_TRUNCATE);
  unpack(matched->bytes, buffer, type);
  return matched;
}

// The functions for both languages, whose messages are null, named_no_proc(), or Matched.

int probe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here;
  int const code = guarded([&] {
    MPI_Status found;
    check(PMPI_Probe(source, tag, receive_comm(comm), &found));
    take(found, receive_comm(comm), message, status);
  });
  return answer(comm, code, "MPI_Mprobe");
}

int probe_at_once(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here(Polls::yes);
  int const code = guarded([&] {
    MPI_Status found;
    check(PMPI_Iprobe(source, tag, receive_comm(comm), flag, &found));
    if (*flag != 0) take(found, receive_comm(comm), message, status);
  });
  return answer(comm, code, "MPI_Improbe");
}

int receive(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here;
  int const code = guarded([&] { write_status(received(buf, count, datatype, message)->status, status); });
  return answer(MPI_COMM_WORLD, code, "MPI_Mrecv");
}

int begin_receive(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request) {
  LibraryScope const here;
  int const code = guarded([&] {
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    auto const matched = received(buf, count, datatype, message);
    *request = make_handle(std::make_unique<CompleteRequest>(matched->status), Lifetime::once);
  });
  return answer(MPI_COMM_WORLD, code, "MPI_Imrecv");
}

// To a program in C that does not include rondo/mpi.h, MPI_MESSAGE_NO_PROC and MPI_MESSAGE_NULL are the same.

MPI_Message from_c(MPI_Message message) {
  return !names_constants() && message == MPI_MESSAGE_NO_PROC ? named_no_proc() : message;
}
MPI_Message to_c(MPI_Message message) {
  return !names_constants() && message == named_no_proc() ? MPI_MESSAGE_NO_PROC : message;
}

/// Calls a function with the message of a caller in C, which it may change.
template <typename Function>
int with_message_of_c(MPI_Message* message, Function const& function) {
  if (message == nullptr) return function(message);
  MPI_Message named = from_c(*message);
  int const code = function(&named);
  *message = to_c(named);
  return code;
}

// The handles of Fortran, with the constants of rondo/fortran/mpif.h.

constexpr MPI_Fint no_message = 0, no_proc_in_fortran = -1;

/// The messages of this rank by their handles in Fortran.
std::map<MPI_Fint, MPI_Message>& messages_in_fortran() {
  static std::map<MPI_Fint, MPI_Message>& all = *new std::map<MPI_Fint, MPI_Message>;
  return all;
}

MPI_Message from_fortran(MPI_Fint message) {
  if (message == no_proc_in_fortran) return named_no_proc();
  auto const known = messages_in_fortran().find(message);
  return known == messages_in_fortran().end() ? MPI_MESSAGE_NULL : known->second;
}

MPI_Fint to_fortran(MPI_Message message) {
  if (message == MPI_MESSAGE_NULL) return no_message;
  if (message == named_no_proc()) return no_proc_in_fortran;
  auto& all = messages_in_fortran();
  MPI_Fint const number = all.empty() ? no_message + 1 : all.rbegin()->first + 1;
  all[number] = message;
  return number;
}

/// Calls a function with the message of a caller in Fortran, which it makes null.
template <typename Function>
int with_message_of_fortran(MPI_Fint* message, Function const& function) {
  MPI_Message named = from_fortran(*message);
  int const code = function(&named);
  if (named == MPI_MESSAGE_NULL) messages_in_fortran().erase(std::exchange(*message, no_message));
  return code;
}

}  // namespace

extern "C" {

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return with_message_of_c(message, [&](MPI_Message* named) { return probe(source, tag, comm, named, status); });
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return with_message_of_c(message,
                           [&](MPI_Message* named) { return probe_at_once(source, tag, comm, flag, named, status); });
}

int MPI_Mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  return with_message_of_c(message, [&](MPI_Message* named) { return receive(buf, count, datatype, named, status); });
}

int MPI_Imrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request) {
  return with_message_of_c(message,
                           [&](MPI_Message* named) { return begin_receive(buf, count, datatype, named, request); });
}

MPI_Message MPI_Message_f2c(MPI_Fint message) { return to_c(from_fortran(message)); }

MPI_Fint MPI_Message_c2f(MPI_Message message) { return to_fortran(message); }

void mpi_mprobe_(int* source, int* tag, int* comm, int* message, Word status, int* ierr) {
  MPI_Message found = MPI_MESSAGE_NULL;
  *ierr = probe(*source, *tag, MPI_Comm_f2c(*comm), &found, statuses(status));
  *message = to_fortran(found);
}

void mpi_improbe_(int* source, int* tag, int* comm, int* flag, int* message, Word status, int* ierr) {
  MPI_Message found = MPI_MESSAGE_NULL;
  *ierr = probe_at_once(*source, *tag, MPI_Comm_f2c(*comm), flag, &found, statuses(status));
  if (*flag != 0) *message = to_fortran(found);
}

void mpi_mrecv_(Word buf, int* count, int* datatype, int* message, Word status, int* ierr) {
  *ierr = with_message_of_fortran(message, [&](MPI_Message* named) {
    return receive(plain_address(buf), *count, MPI_Type_f2c(*datatype), named, statuses(status));
  });
}

void mpi_imrecv_(Word buf, int* count, int* datatype, int* message, int* request, int* ierr) {
  MPI_Request begun = MPI_REQUEST_NULL;
  *ierr = with_message_of_fortran(message, [&](MPI_Message* named) {
    return begin_receive(plain_address(buf), *count, MPI_Type_f2c(*datatype), named, &begun);
  });
  *request = MPI_Request_c2f(begun);
}

int MPI_Pcontrol(int const level, ...) {
  if (rondo_timed_region != nullptr) rondo_timed_region(level);
  return MPI_SUCCESS;
}

void mpi_pcontrol_(int* level) { MPI_Pcontrol(*level); }

}  // extern "C"
