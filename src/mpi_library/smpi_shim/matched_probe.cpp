// Matched probes, and MPI_Pcontrol, whose levels 1 and 0 are reported to Rondo. A message that is probed is received
// here at once, so that no other receive can match it; the receive that names it gets it from here.

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_library/calls/complete_request.hpp"
#include "mpi_library/calls/guarded.hpp"
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
  auto matched = std::make_unique<Matched>();
  int size = 0;
  check(PMPI_Get_count(&found, MPI_BYTE, &size));
  matched->bytes.resize(static_cast<std::size_t>(size) + 1);  // so that there is an address
  check(PMPI_Recv(matched->bytes.data(), size, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, way, &matched->status));
  matched->bytes.resize(static_cast<std::size_t>(size));
  if (status != MPI_STATUS_IGNORE) *status = matched->status;
  *message = matched.release();
}

/// Gives the message to the caller and forgets it.
std::unique_ptr<Matched> received(void* buffer, int count, MPI_Datatype type, MPI_Message* message) {
  if (message == nullptr || *message == MPI_MESSAGE_NULL) throw MpiFailure(MPI_ERR_REQUEST);
  if (count < 0) throw MpiFailure(MPI_ERR_COUNT);
  if (type == MPI_DATATYPE_NULL) throw MpiFailure(MPI_ERR_TYPE);
  std::unique_ptr<Matched> matched(static_cast<Matched*>(*message));
  *message = MPI_MESSAGE_NULL;
  int element = 0;
  check(PMPI_Type_size(type, &element));
  std::size_t const size = matched->bytes.size();
  if (size > static_cast<std::size_t>(element) * static_cast<std::size_t>(count)) throw MpiFailure(MPI_ERR_TRUNCATE);
  unpack(matched->bytes, buffer, type);
  return matched;
}

/// The messages of this rank by their handles in Fortran.
std::map<MPI_Fint, MPI_Message>& messages_in_fortran() {
  static std::map<MPI_Fint, MPI_Message>& all = *new std::map<MPI_Fint, MPI_Message>;
  return all;
}

/// MPI_MESSAGE_NULL of rondo/fortran/mpif.h.
constexpr MPI_Fint no_message = 0;

/// Calls a function in C, which makes the handle null.
template <typename Function>
int with_message(MPI_Fint* message, Function const& function) {
  MPI_Message named = MPI_Message_f2c(*message);
  int const code = function(&named);
  if (named == MPI_MESSAGE_NULL) messages_in_fortran().erase(std::exchange(*message, no_message));
  return code;
}

}  // namespace

extern "C" {

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here;
  int const code = guarded([&] {
    MPI_Status found;
    check(PMPI_Probe(source, tag, receive_comm(comm), &found));
    take(found, receive_comm(comm), message, status);
  });
  return answer(comm, code, __func__);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here(Polls::yes);
  int const code = guarded([&] {
    MPI_Status found;
    check(PMPI_Iprobe(source, tag, receive_comm(comm), flag, &found));
    if (*flag != 0) take(found, receive_comm(comm), message, status);
  });
  return answer(comm, code, __func__);
}

int MPI_Mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  LibraryScope const here;
  int const code = guarded([&] {
    auto const matched = received(buf, count, datatype, message);
    if (status != MPI_STATUS_IGNORE) *status = matched->status;
  });
  return answer(MPI_COMM_WORLD, code, __func__);
}

int MPI_Imrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Request* request) {
  LibraryScope const here;
  int const code = guarded([&] {
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    auto const matched = received(buf, count, datatype, message);
    *request = make_handle(std::make_unique<CompleteRequest>(matched->status), Lifetime::once);
  });
  return answer(MPI_COMM_WORLD, code, __func__);
}

MPI_Message MPI_Message_f2c(MPI_Fint message) {
  auto const known = messages_in_fortran().find(message);
  return known == messages_in_fortran().end() ? MPI_MESSAGE_NULL : known->second;
}

MPI_Fint MPI_Message_c2f(MPI_Message message) {
  if (message == MPI_MESSAGE_NULL) return no_message;
  auto& all = messages_in_fortran();
  MPI_Fint const number = all.empty() ? no_message + 1 : all.rbegin()->first + 1;
  all[number] = message;
  return number;
}

void mpi_mprobe_(int* source, int* tag, int* comm, int* message, Word status, int* ierr) {
  MPI_Message found = MPI_MESSAGE_NULL;
  *ierr = MPI_Mprobe(*source, *tag, MPI_Comm_f2c(*comm), &found, statuses(status));
  *message = MPI_Message_c2f(found);
}

void mpi_improbe_(int* source, int* tag, int* comm, int* flag, int* message, Word status, int* ierr) {
  MPI_Message found = MPI_MESSAGE_NULL;
  *ierr = MPI_Improbe(*source, *tag, MPI_Comm_f2c(*comm), flag, &found, statuses(status));
  if (*flag != 0) *message = MPI_Message_c2f(found);
}

void mpi_mrecv_(Word buf, int* count, int* datatype, int* message, Word status, int* ierr) {
  *ierr = with_message(message, [&](MPI_Message* named) {
    return MPI_Mrecv(plain_address(buf), *count, MPI_Type_f2c(*datatype), named, statuses(status));
  });
}

void mpi_imrecv_(Word buf, int* count, int* datatype, int* message, int* request, int* ierr) {
  MPI_Request begun = MPI_REQUEST_NULL;
  *ierr = with_message(message, [&](MPI_Message* named) {
    return MPI_Imrecv(plain_address(buf), *count, MPI_Type_f2c(*datatype), named, &begun);
  });
  *request = MPI_Request_c2f(begun);
}

int MPI_Pcontrol(int const level, ...) {
  if (rondo_timed_region != nullptr) rondo_timed_region(level);
  return MPI_SUCCESS;
}

void mpi_pcontrol_(int* level) { MPI_Pcontrol(*level); }

}  // extern "C"
