// The C interface of isomorphic collectives (rondo/isomorphic.h) [Traeff16]. All ranks of a communicator state the same
// neighborhood; a request is checked by all ranks before any of them uses it.

#include "rondo/isomorphic.h"

#include <memory>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"
#include "mpi_library/isomorphic/iso_comm.hpp"

/// The object behind a request of the C interface.
struct Rondo_Iso_request_state {
  std::unique_ptr<rondo::mpi::IsoRequest> request;
};

namespace {

using namespace rondo::mpi;

/// The torus or mesh of a Cartesian communicator; dimensions that are not periodic are open.
Grid cartesian_grid(MPI_Comm comm) {
  int d = 0;
  if (MPI_Cartdim_get(comm, &d) != MPI_SUCCESS) throw MpiFailure(MPI_ERR_TOPOLOGY);
  auto const length = static_cast<std::size_t>(d);
  std::vector<int> extents(length), periodic(length), own(length);
  check(MPI_Cart_get(comm, d, extents.data(), periodic.data(), own.data()));
  return {extents, rondo::Boundary::closed_in(std::vector<bool>(periodic.begin(), periodic.end()))};
}

/// All ranks agree on the neighborhood first.
int create(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates, MPI_Comm* isocomm) {
  if (isocomm != nullptr) *isocomm = MPI_COMM_NULL;
  // A rank that can keep nothing tells the others, as for any other error.
  auto const checked = [&](MPI_Comm on) {
    if (isocomm == nullptr) throw MpiFailure(MPI_ERR_ARG);
    return grid_of(on);
  };
  return guarded([&] { *isocomm = create_iso_comm(comm, checked, s, coordinates); });
}

/// Makes a request. If this rank has no place for it, all ranks learn of the error.
int init(NeighborCollective collective, Blocks send, Blocks receive, MPI_Comm isocomm, Rondo_Iso_request* request) {
  if (request != nullptr) *request = RONDO_ISO_REQUEST_NULL;
  return guarded([&] {
    auto const home = iso_comm(isocomm);
    if (request == nullptr) refuse_request(*home, MPI_ERR_ARG);
    send.number = collective == NeighborCollective::allgather ? 1 : home->neighborhood.size();
    receive.number = home->neighborhood.size();
    auto made = std::make_unique<Rondo_Iso_request_state>();
    made->request = make_request(home, collective, send, receive);
    *request = made.release();
  });
}

Operation& operation(Rondo_Iso_request const* request) {
  if (request == nullptr || *request == RONDO_ISO_REQUEST_NULL) throw MpiFailure(MPI_ERR_REQUEST);
  return (*request)->request->operation;
}

Operation& inactive(Rondo_Iso_request const* request) {
  Operation& result = operation(request);
  if (result.active()) throw MpiFailure(MPI_ERR_REQUEST);
  return result;
}

}  // namespace

int Rondo_Iso_neighborhood_create(MPI_Comm cartcomm, int s, int const relative_coordinates[], MPI_Comm* isocomm) {
  return create(cartcomm, cartesian_grid, s, relative_coordinates, isocomm);
}

int Rondo_Iso_neighborhood_create_torus(MPI_Comm comm, int d, int const extents[], int s,
                                        int const relative_coordinates[], MPI_Comm* isocomm) {
  auto const given = [&](MPI_Comm) {
    if (d < 0) throw MpiFailure(MPI_ERR_COUNT);
    rondo::mpi::expect_list_fits(s, d);
    if (d > 0 && extents == nullptr) throw MpiFailure(MPI_ERR_ARG);
    return Grid{std::vector<int>(extents, extents + d), rondo::Boundary::periodic};
  };
  return create(comm, given, s, relative_coordinates, isocomm);
}

int Rondo_Iso_option_set(MPI_Comm isocomm, char const* option, char const* value) {
  return guarded([&] {
    if (option == nullptr || value == nullptr) throw MpiFailure(MPI_ERR_ARG);
    iso_comm(isocomm)->options.set(option, value);
  });
}

int Rondo_Iso_algorithm_set(MPI_Comm isocomm, char const* algorithm) {
  return Rondo_Iso_option_set(isocomm, "algorithm", algorithm);
}

int Rondo_Iso_neighbor_alltoall_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                     int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm,
                                     Rondo_Iso_request* request) {
  return init(NeighborCollective::alltoall, regular(sendbuf, sendcount, sendtype),
              regular(recvbuf, recvcount, recvtype), isocomm, request);
}

int Rondo_Iso_neighbor_allgather_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                      int recvcount, MPI_Datatype recvtype, MPI_Comm isocomm,
                                      Rondo_Iso_request* request) {
  return init(NeighborCollective::allgather, regular(sendbuf, sendcount, sendtype),
              regular(recvbuf, recvcount, recvtype), isocomm, request);
}

int Rondo_Iso_neighbor_alltoallv_init(void const* sendbuf, int const sendcounts[], MPI_Aint const senddispls[],
                                      MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                                      MPI_Aint const recvdispls[], MPI_Datatype recvtype, MPI_Comm isocomm,
                                      Rondo_Iso_request* request) {
  return init(NeighborCollective::alltoall, irregular(sendbuf, sendcounts, senddispls, sendtype),
              irregular(recvbuf, recvcounts, recvdispls, recvtype), isocomm, request);
}

int Rondo_Iso_neighbor_alltoallw_init(void const* sendbuf, int const sendcounts[], MPI_Aint const senddispls[],
                                      MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                                      MPI_Aint const recvdispls[], MPI_Datatype const recvtypes[], MPI_Comm isocomm,
                                      Rondo_Iso_request* request) {
  return init(NeighborCollective::alltoall, typed(sendbuf, sendcounts, senddispls, sendtypes),
              typed(recvbuf, recvcounts, recvdispls, recvtypes), isocomm, request);
}

int Rondo_Iso_neighbor_allgatherv_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                       int const recvcounts[], MPI_Aint const recvdispls[], MPI_Datatype recvtype,
                                       MPI_Comm isocomm, Rondo_Iso_request* request) {
  return init(NeighborCollective::allgather, regular(sendbuf, sendcount, sendtype),
              irregular(recvbuf, recvcounts, recvdispls, recvtype), isocomm, request);
}

int Rondo_Iso_neighbor_allgatherw_init(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                       int const recvcounts[], MPI_Aint const recvdispls[],
                                       MPI_Datatype const recvtypes[], MPI_Comm isocomm, Rondo_Iso_request* request) {
  return init(NeighborCollective::allgather, regular(sendbuf, sendcount, sendtype),
              typed(recvbuf, recvcounts, recvdispls, recvtypes), isocomm, request);
}

int Rondo_Iso_request_rounds(Rondo_Iso_request request, int* rounds) {
  return guarded([&] {
    if (rounds == nullptr) throw MpiFailure(MPI_ERR_ARG);
    *rounds = operation(&request).rounds();
  });
}

int Rondo_Iso_start(Rondo_Iso_request* request) {
  int const code = Rondo_Iso_istart(request);
  return code == MPI_SUCCESS ? Rondo_Iso_wait(request) : code;
}

int Rondo_Iso_istart(Rondo_Iso_request* request) {
  return guarded([&] { Progress::of_this_process().start(inactive(request)); });
}

int Rondo_Iso_wait(Rondo_Iso_request* request) {
  return guarded([&] { Progress::of_this_process().wait(operation(request)); });
}

/// A test advances all operations of the process.
int Rondo_Iso_test(Rondo_Iso_request* request, int* flag) {
  return guarded([&] {
    if (flag == nullptr) throw MpiFailure(MPI_ERR_ARG);
    Operation const& tested = operation(request);
    Progress::of_this_process().test();
    *flag = tested.active() ? 0 : 1;
    if (!tested.active()) check(tested.failure());
  });
}

int Rondo_Iso_request_free(Rondo_Iso_request* request) {
  return guarded([&] {
    Progress::of_this_process().forget(inactive(request));
    delete *request;
    *request = RONDO_ISO_REQUEST_NULL;
  });
}
