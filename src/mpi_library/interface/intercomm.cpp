// The C interface of inter-communicators. SMPI 3.32 has none, so Rondo makes them of two intra-communicators.

#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "rondo/topology.h"

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
