// The C interface of inter-group collectives (rondo/intergroup.h) [Kang19].

#include "rondo/intergroup.h"

#include <memory>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/intergroup_comm.hpp"

/// The object behind a request of the C interface.
struct Rondo_Intergroup_request_state {
  std::unique_ptr<rondo::mpi::IntergroupRequest> request;
};

namespace {

using namespace rondo::mpi;

Rondo_Intergroup_request_state& state(Rondo_Intergroup_request const* request) {
  if (request == nullptr || *request == RONDO_INTERGROUP_REQUEST_NULL) throw MpiFailure(MPI_ERR_REQUEST);
  return **request;
}

/// Makes a request. A rank without a place for it takes part in the agreement all the same.
int init(IntergroupBlocks blocks, MPI_Comm groupcomm, Rondo_Intergroup_request* request) {
  if (request != nullptr) *request = RONDO_INTERGROUP_REQUEST_NULL;
  blocks.wanted = request != nullptr;
  return guarded([&] {
    auto made = std::make_unique<Rondo_Intergroup_request_state>();
    made->request = make_request(Attached<IntergroupComm>::of(groupcomm), blocks);
    *request = made.release();
  });
}

}  // namespace

int Rondo_Intergroup_create(MPI_Comm comm, int is_sender, MPI_Comm* groupcomm) {
  // A rank that can keep nothing tells the others, as for any other error.
  MPI_Comm created = MPI_COMM_NULL;
  int const code = groupcomm == nullptr ? MPI_ERR_ARG : MPI_SUCCESS;
  int const result = guarded([&] { created = create_intergroup_comm(comm, is_sender != 0, code); });
  if (groupcomm != nullptr) *groupcomm = created;
  return result;
}

int Rondo_Intergroup_sizes(MPI_Comm groupcomm, int* senders, int* receivers) {
  return guarded([&] {
    if (senders == nullptr || receivers == nullptr) throw MpiFailure(MPI_ERR_ARG);
    auto const home = Attached<IntergroupComm>::of(groupcomm);
    *senders = home->problem.groups.senders();
    *receivers = home->problem.groups.receivers();
  });
}

int Rondo_Intergroup_option_set(MPI_Comm groupcomm, char const* option, char const* value) {
  return guarded([&] {
    if (option == nullptr || value == nullptr) throw MpiFailure(MPI_ERR_ARG);
    set_option(Attached<IntergroupComm>::of(groupcomm)->problem, option, value);
  });
}

int Rondo_Intergroup_allgather_init(void const* sendbuf, void* recvbuf, int count, MPI_Datatype type,
                                    MPI_Comm groupcomm, Rondo_Intergroup_request* request) {
  return init({sendbuf, recvbuf, count, type}, groupcomm, request);
}

int Rondo_Intergroup_allgatherv_init(void const* sendbuf, void* recvbuf, int const counts[], MPI_Datatype type,
                                     MPI_Comm groupcomm, Rondo_Intergroup_request* request) {
  return init({sendbuf, recvbuf, 0, type, IntergroupBlocks::Sizes::per_sender, counts}, groupcomm, request);
}

int Rondo_Intergroup_start(Rondo_Intergroup_request* request) {
  return guarded([&] { state(request).request->start(); });
}

int Rondo_Intergroup_request_free(Rondo_Intergroup_request* request) {
  return guarded([&] {
    delete &state(request);
    *request = RONDO_INTERGROUP_REQUEST_NULL;
  });
}
