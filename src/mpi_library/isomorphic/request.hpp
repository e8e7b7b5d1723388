#pragma once

// Persistent requests of isomorphic neighborhood collectives, behind the C interface of rondo/isomorphic.h: how a rank
// gets its schedule, and how all ranks check that they ask for the same.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/isomorphic/comm.hpp"

namespace rondo::mpi {

using problem::NeighborCollective;

/// A request of the C interface. It keeps alive what its operation needs of the communicator it was made on.
struct IsoRequest {
  std::shared_ptr<IsoComm> home;
  Operation operation;
};

/// The schedule that all ranks follow, as on a torus. `sizes` are those of each neighbor's block, or the one that an
/// allgather sends.
Schedule schedule_of_all(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes);
/// With open dimensions, the schedule of this rank alone, without the blocks that do not exist; otherwise the schedule
/// of all ranks.
Schedule own_schedule(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes);

/// Collective. A rank that cannot call make_request calls this instead. It throws MpiFailure, as make_request then does
/// at the other ranks, with the largest code of all.
void refuse_request(IsoComm const& home, int code);

/// Collective. Makes the schedule of this rank and its messages. An allgather sends one block. Throws MpiFailure at
/// every rank if some rank describes its blocks wrongly, or if the ranks do not ask for the same.
std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, NeighborCollective collective,
                                         Blocks const& send, Blocks const& receive);

}  // namespace rondo::mpi
