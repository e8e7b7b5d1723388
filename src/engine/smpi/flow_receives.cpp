// Reports receives to the rules of flow timing: a receive costs its rank's CPU a search, for which the rank waits. SMPI
// itself reports sends only, so these functions replace the weak symbols of SMPI's library.

#include <mpi.h>

#include "engine/smpi/flow.hpp"

namespace {

/// Reports a receive by the calling rank. The source is translated into a rank of MPI_COMM_WORLD; -1 stands for any
/// source. Receives without flow timing, from MPI_PROC_NULL and from the rank itself are not reported.
void report_receive(int source, MPI_Comm comm) {
  rondo::SmpiFlow* const flow = rondo::SmpiFlow::here();
  if (flow == nullptr || source == MPI_PROC_NULL) return;
  int const self = flow->rank_here();
  int world_source = -1;
  if (source != MPI_ANY_SOURCE) {
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &source, world, &world_source);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    if (world_source == self) return;
  }
  flow->post_receive(self, world_source);
}

}  // namespace

extern "C" {

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  report_receive(source, comm);
  return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  report_receive(source, comm);
  return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}
}
