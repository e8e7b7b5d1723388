#pragma once

// Which algorithm carries out a neighborhood collective: the one place where it is chosen.
//
// All ranks choose the same, whatever they were called with, so that no rank waits for another in vain. Therefore the
// choice depends only on what they have agreed on: when the communicator was made (its tuning, whether its graph is
// Cartesian), in some blocking calls, or when a request of a named algorithm is made. It never depends on a rank's own
// arguments.
//
// Algorithms. On a Cartesian graph `torus`: message combining along the dimensions [Traeff16], D rounds and V blocks.
// On any graph `common_neighbors` [Mirsadeghi17]. `naive`: each edge a message, all at once. `automatic` takes the
// combining one where it is faster in the linear model, see `faster`, and `naive` elsewhere:
//
//   blocking      blocks of one size: naive, until the calls have taken so long that an agreement on the size of blocks
//   is
//                 a twentieth of it; then the ranks agree in the calls number n, 2n, 4n, ... of the kind of collective
//                 on the communicator, and the calls between them follow. Sizes of each block (v, w), which may be
//                 others at any rank in any call: naive
//   non-blocking, persistent  naive: these must go on while the caller is elsewhere
//   where the start-ups of messages overlap (Startups), all forms: naive
//
// A named algorithm is used in all forms, but for v and w forms of non-blocking calls. Ranks then agree on the sizes of
// v and w forms in each blocking call, and of persistent forms when the request is made.
// It is left for `naive` where it cannot be: `torus` on a graph that is not Cartesian; `common_neighbors` in all-to-all
// with repeated edges; where ranks do not agree, or say different sizes. Then errors are those of `naive`.

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

enum class NeighborForm : std::uint8_t { blocking, non_blocking, persistent };

/// The blocks of a call in the order of the neighbors: in an allgather one is sent.
struct NeighborSlots {
  std::vector<Slot> send, receive;
};

/// What of a call all ranks have in common.
struct NeighborTraits {
  NeighborCollective kind = NeighborCollective::alltoall;
  NeighborForm form = NeighborForm::blocking;
  bool one_size = true;  ///< whether MPI demands one size for all blocks of all ranks
};

/// What a communicator remembers between blocking calls of one kind of collective.
struct CachedPlan {
  std::uint32_t calls = 0;                 ///< with blocks of one size
  bool combined = false;                   ///< since they last agreed
  std::optional<bool> may_be_faster = {};  ///< combined than alone, for some size
  /// The last schedule of this rank, and what it is for.
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  std::vector<Bytes> sizes;
  std::shared_ptr<Schedule const> schedule;
};

struct CombinedPlan {
  std::shared_ptr<Schedule const> schedule;  ///< with this rank's program
  SlotTable slots;
};

/// Unset: naive. Collective where ranks agree. `failure`: MPI_SUCCESS, or what is wrong with this rank's arguments;
/// then its blocks are empty.
std::optional<CombinedPlan> combined_plan(CarriedTopology& home, NeighborTraits const& traits,
                                          NeighborSlots const& blocks, int failure);

}  // namespace rondo::mpi
