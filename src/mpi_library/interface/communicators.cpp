// The C interface for duplicates of communicators (with their topology, their hints or an info, blocking or not) and
// for inter-communicators. SMPI 3.32 has no inter-communicators, so Rondo makes them of two intra-communicators.

#include "mpi_library/interface/communicators.hpp"

#include <memory>
#include <utility>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/request_operation.hpp"
#include "mpi_library/classical/collective_call.hpp"
#include "mpi_library/graph/cart_comm.hpp"
#include "mpi_library/graph/request_handles.hpp"
#include "mpi_library/intergroup/duplicate_request.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "rondo/topology.h"

namespace {

using namespace rondo::mpi;

/// A duplicate with everything that the original carries.
MPI_Comm plain(MPI_Comm comm, NewComms& comms) {
  if (auto const inter = inter_comm(comm)) return duplicate(comm, *inter, comms);
  MPI_Comm const result = comms.duplicate(comm);
  carry_on(comm, result, comms);
  return result;
}

/// A duplicate with this info. An algorithm for neighborhood collectives in the info is ignored, because ranks would
/// have to agree on it, for which this call must not wait.
MPI_Comm with_info(MPI_Comm comm, MPI_Info info, NewComms& comms) {
  if (auto const inter = inter_comm(comm)) return duplicate(comm, *inter, comms);
  MPI_Comm const result = comms.duplicate(comm, info);
  take_hints(result, info);
  carry_on(comm, result, comms);
  return result;
}

/// A copy of an info, because the caller may free the info before it is used.
class OwnInfo {
 public:
  explicit OwnInfo(MPI_Info original) {
    if (original != MPI_INFO_NULL) check(MPI_Info_dup(original, &info_));
  }
  ~OwnInfo() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  OwnInfo(OwnInfo const&) = delete;
  OwnInfo& operator=(OwnInfo const&) = delete;
  MPI_Info handle() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Gives the caller a request that is complete already.
int give_complete(MPI_Request* request) {
  return guarded([&] {
    if (request == nullptr) throw MpiFailure(MPI_ERR_ARG);
    MPI_Status status;
    set_empty_status(&status, MPI_SUCCESS);
    *request = make_handle(std::make_unique<CompleteRequest>(status), Lifetime::once);
  });
}

int begin_duplicate(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request, DuplicateRequest::Make make) {
  return guarded([&] {
    if (request == nullptr || newcomm == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newcomm = MPI_COMM_NULL;
    *request = make_handle(std::make_unique<DuplicateRequest>(comm, newcomm, std::move(make)), Lifetime::once);
  });
}

}  // namespace

int Rondo_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  NewComms comms;
  return give(newcomm, [&] { return plain(comm, comms); });
}

int Rondo_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return give(newcomm, [&] {
    NewComms comms;
    if (auto const inter = inter_comm(comm)) return duplicate(comm, *inter, comms);
    MPI_Comm const result = comms.duplicate(comm, info);
    take_hints(result, info);
    carry_on(comm, result, info);
    return result;
  });
}

int Rondo_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  if (CommNumbers::available()) return begin_duplicate(comm, newcomm, request, plain);
  int const code = Rondo_Comm_dup(comm, newcomm);
  return code == MPI_SUCCESS ? give_complete(request) : code;
}

/// MPI lets the caller free the info at once, so a copy is kept until the duplicate is made.
int Rondo_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  if (!CommNumbers::available()) {
    int const code = Rondo_Comm_dup_with_info(comm, info, newcomm);
    return code == MPI_SUCCESS ? give_complete(request) : code;
  }
  std::shared_ptr<OwnInfo> own;
  int const code = guarded([&] { own = std::make_shared<OwnInfo>(info); });
  if (code != MPI_SUCCESS) return code;
  return begin_duplicate(comm, newcomm, request, [own](MPI_Comm original, NewComms& comms) {
    return with_info(original, own->handle(), comms);
  });
}

namespace {

using namespace rondo::mpi;

std::shared_ptr<InterComm> inter(MPI_Comm comm) {
  auto found = inter_comm(comm);
  if (found == nullptr) throw MpiFailure(MPI_ERR_COMM);
  return found;
}

}  // namespace

int Rondo_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                           MPI_Comm* newintercomm) {
  return guarded([&] {
    if (newintercomm == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newintercomm = MPI_COMM_NULL;
    *newintercomm = create_inter_comm(local_comm, local_leader, peer_comm, remote_leader, tag);
  });
}

int Rondo_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return guarded([&] {
    if (newintracomm == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *newintracomm = MPI_COMM_NULL;
    *newintracomm = merged(*inter(intercomm), high != 0);
  });
}

int Rondo_Comm_remote_size(MPI_Comm comm, int* size) {
  return guarded([&] {
    if (size == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *size = inter(comm)->remote_size;
  });
}

int Rondo_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return guarded([&] {
    if (group == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *group = remote_group(*inter(comm));
  });
}

int Rondo_Comm_test_inter(MPI_Comm comm, int* flag) {
  return guarded([&] {
    if (flag == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *flag = inter_comm(comm) != nullptr ? 1 : 0;
    // One of the library's own, where it has them.
    if (*flag == 0) check(PMPI_Comm_test_inter(comm, flag));
  });
}
