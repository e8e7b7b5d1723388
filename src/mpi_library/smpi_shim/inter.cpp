// Blocking collectives on inter-communicators for which no algorithm can be chosen (see chosen.cpp), and what is made
// of such communicators, see neighbor.cpp. On any other communicator the library's own.

#include <mpi.h>

#include <vector>

#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "mpi_library/smpi_shim/answer.hpp"
#include "rondo/collectives.h"

using rondo::mpi::answer;
using rondo::mpi::is_inter;

namespace {

/// The displacements of MPI_Alltoallw are ints.
std::vector<MPI_Aint> addresses(MPI_Comm comm, int const* displacements) {
  int size = 0;
  Rondo_Comm_remote_size(comm, &size);
  return {displacements, displacements + size};
}

}  // namespace

extern "C" {

int MPI_Alltoallw(void const* sendbuf, int const* sendcnts, int const* sdispls, MPI_Datatype const* sendtypes,
                  void* recvbuf, int const* recvcnts, int const* rdispls, MPI_Datatype const* recvtypes,
                  MPI_Comm comm) {
  if (!is_inter(comm))
    return answer(comm,
                  PMPI_Alltoallw(sendbuf, sendcnts, sdispls, sendtypes, recvbuf, recvcnts, rdispls, recvtypes, comm),
                  __func__);
  std::vector<MPI_Aint> from = addresses(comm, sdispls), into = addresses(comm, rdispls);
  return answer(comm,
                Rondo_Alltoallw(const_cast<void*>(sendbuf), const_cast<int*>(sendcnts), from.data(),
                                const_cast<MPI_Datatype*>(sendtypes), recvbuf, const_cast<int*>(recvcnts), into.data(),
                                const_cast<MPI_Datatype*>(recvtypes), comm),
                __func__);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return answer(
      comm, is_inter(comm) ? Rondo_Comm_split(comm, color, key, newcomm) : PMPI_Comm_split(comm, color, key, newcomm),
      __func__);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return answer(comm, is_inter(comm) ? Rondo_Comm_create(comm, group, newcomm) : PMPI_Comm_create(comm, group, newcomm),
                __func__);
}

int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int* result) {
  if (!is_inter(a) && !is_inter(b)) return answer(a, PMPI_Comm_compare(a, b, result), __func__);
  int const code = rondo::mpi::guarded([&] {
    if (result == nullptr) throw rondo::mpi::MpiFailure(MPI_ERR_ARG);
    *result = rondo::mpi::compare(a, b);
  });
  return answer(a, code, __func__);
}

}  // extern "C"
