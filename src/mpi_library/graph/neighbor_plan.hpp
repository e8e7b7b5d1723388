#pragma once

// The choice of the algorithm that carries out a neighborhood collective; it is made only here.
//
// All ranks must choose the same algorithm, whatever their arguments are, so that no rank waits for another in vain.
// Therefore the choice depends only on facts on which they have agreed: when the communicator was made (its tuning,
// whether its graph is Cartesian), in some blocking calls, or when a request of a named algorithm is made. It never
// depends on a rank's own arguments.
//
// The algorithms are: on a Cartesian graph `torus`, message combining along the dimensions [Traeff16] with D rounds
// and V blocks; on any graph `common_neighbors` [Mirsadeghi17]; and `naive`, one message per edge, all at once.
// `automatic` takes the combining one if it is faster in the linear model (see combining_is_faster), and `naive`
// otherwise:
//
//   blocking, blocks of one size    naive, until the calls have taken so long that an agreement on the size of
//                                   blocks is a twentieth of it. Then the ranks agree in the calls number n, 2n, 4n,
//                                   ... of this kind of collective on the communicator, and the calls between follow.
//   blocking, sizes of each block   naive: the sizes (v, w) may differ between ranks and calls
//   non-blocking, persistent        naive: these must go on while the caller is elsewhere
//   overlapping start-ups           naive, in all forms (see Startups)
//
// A named algorithm is used in all forms except in v and w forms of non-blocking calls. For v and w forms, ranks
// agree on the sizes in each blocking call, and for persistent forms when the request is made. `naive` takes its place
// where it is impossible: `torus` on a graph that is not Cartesian, `common_neighbors` in all-to-all with repeated
// edges, and both if ranks do not agree or state different sizes. Then errors are those of `naive`.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/runtime/slots.hpp"
#include "mpi_library/graph/neighbor_algorithm.hpp"
#include "mpi_library/graph/process_topology.hpp"
#include "schedule/schedule.hpp"

namespace rondo::mpi {

/// The forms of MPI's functions.
enum class NeighborForm : std::uint8_t { blocking, non_blocking, persistent };

/// The blocks of a call in the order of the neighbors. An allgather sends a single block.
struct NeighborSlots {
  std::vector<Slot> send, receive;
};

/// The properties of a call that are the same at all ranks.
struct NeighborTraits {
  NeighborCollective kind = NeighborCollective::alltoall;
  NeighborForm form = NeighborForm::blocking;
  bool one_size = true;  ///< whether MPI demands one size for all blocks of all ranks
};

/// The state that a communicator keeps between blocking calls of one kind of collective.
struct CachedPlan {
  std::uint32_t calls = 0;                 ///< with blocks of one size
  bool combined = false;                   ///< since they last agreed
  std::optional<bool> may_be_faster = {};  ///< combined than alone, for some size
  /// The last schedule of this rank, and for which algorithm and sizes it was made.
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  std::vector<Bytes> sizes;
  std::shared_ptr<Schedule const> schedule;
};

/// A schedule and the memory of its slots.
struct CombinedPlan {
  std::shared_ptr<Schedule const> schedule;  ///< with this rank's program
  SlotTable slots;
};

/// The schedule and slots of a combining algorithm; unset for naive. Collective in the calls in which ranks agree.
/// `failure` is MPI_SUCCESS, or the error in this rank's arguments; then its blocks are empty.
std::optional<CombinedPlan> combined_plan(AttachedTopology& home, NeighborTraits const& traits,
                                          NeighborSlots const& blocks, int failure);

}  // namespace rondo::mpi
