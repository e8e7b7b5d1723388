#pragma once

// What the isomorphic schedules have in common, for this folder alone. A lane is a step that all ranks take at once;
// every block goes through the lanes in their order, as many hops in each as it needs. Which lanes are used in a round
// lane_rounds.hpp says: on one port one after the other, the dimension-wise routing of [Traeff16, Section 3]; on k
// ports up to k at once. A block takes its next hop in the first round in which that lane is used.
//
// Straightforward: a lane for each neighbor. Torus: a lane for each dimension and direction. Direct: one for each
// dimension and coordinate. Basis and Steiner: one for each step.

#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "decomposition/decomposition.hpp"
#include "problem/block_sizes.hpp"
#include "problem/words.hpp"
#include "schedule/schedule.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::generate {

using problem::BlockSizes;

struct Lane {
  struct Use {
    int neighbor = 0;
    int hops = 0;  ///< > 0
  };
  std::vector<int> step;  ///< d integers, which lead to another rank
  std::vector<Use> uses;  ///< by neighbor
  int link = 0;           ///< lanes of one link, which have the same step, share their messages
};

struct Lanes {
  Torus torus;
  int neighbors = 0;
  std::vector<Lane> lanes;  ///< each is used
  int links = 0;

  /// Adds a lane with a link of its own, unless nothing uses it or it leads back to the rank itself.
  void add(std::vector<int> step, std::vector<Lane::Use> uses);
};

/// Items, numbers, that wait for links.
class Waiting {
 public:
  explicit Waiting(int links) : items_(at(links)), sorted_(at(links), true) {}
  void add(int link, int item);
  /// Those that wait for a link, ascending. They wait no longer.
  std::vector<int> take(int link);

 private:
  std::vector<std::vector<int>> items_;  ///< by link
  std::vector<bool> sorted_;             ///< by link
};

/// A ContractViolation unless the neighborhood has the torus' dimensions and the order is a permutation of them.
void expect_problem(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> dimension_order);

Lanes straightforward_lanes(Torus const& torus, Neighborhood const& neighborhood);
/// `dimension_order` is a permutation of 0 .. d-1. Dimensions of one rank have no lane.
Lanes unit_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// The coordinates of a dimension from the smallest up.
Lanes direct_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// Whether equal steps share their messages: then a block may take any of them.
enum class EqualSteps : std::uint8_t { apart, shared };
Lanes step_lanes(Torus const& torus, Decomposition const& decomposition, EqualSteps equal = EqualSteps::apart);

/// Every block travels by itself. It alternates between the receive and the intermediate buffer so that its last hop
/// ends in the receive buffer [Traeff16, Algorithm 1]. It is read from the send buffer on its first hop; as printed, on
/// all hops in its first lane.
Schedule combine_alltoall(Lanes const& lanes, BlockSizes const& sizes, Promises promises,
                          problem::Reading reading = problem::Reading::repaired);
/// A rank's block travels once where it takes the same hops to several neighbors, and is received straight into the
/// slot of the first neighbor that lies there. Further neighbors at the same place get a local copy.
Schedule combine_allgather(Lanes const& lanes, Bytes block, Promises promises);

/// Backwards: every rank gets the reduction of the blocks of its neighbors, of each as often as it is listed, up the
/// trees of combine_allgather, where contributions join and travel on as one block [Traeff19]. The promise is that of
/// ranks whose sources are the neighbors.
Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises);
/// Reduces at one rank alone; ranks follow programs of their own.
Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises, Rank root);

/// The relative peers of a schedule, each once.
class Offsets {
 public:
  explicit Offsets(int dimensions) : dimensions_(dimensions) {}
  int dimensions() const { return dimensions_; }
  /// The index of a step (sign +1) or of the way back (-1); a step and its way back are entered together.
  std::int32_t index(std::vector<int> const& step, int sign);
  std::vector<int> take() && { return std::move(all_); }

 private:
  int dimensions_;
  std::vector<int> all_;
  std::vector<std::pair<std::vector<int>, std::int32_t>> known_;  ///< sorted
};

/// A schedule in which all ranks follow one program.
Schedule isomorphic(Torus const& torus, Offsets offsets, Promises promises, ProgramBuilder builder);
/// The buffers of an all-to-all with `intermediate` slots, those of the neighbors in turn.
Layout alltoall_layout(int neighbors, BlockSizes const& sizes, bool intermediate);

}  // namespace rondo::generate
