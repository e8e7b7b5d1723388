#pragma once

// Code that the isomorphic schedules share, for this folder alone. A lane here is a step of the algorithm that all
// ranks take at once (docs/terms.md uses the word for ranks of a group). Every block goes through the lanes in order,
// and takes as many hops in each as it needs. lane_rounds decides which lanes are used in a round: on one port one
// after the other, which is the dimension-wise routing of [Traeff16, Section 3]; on k ports up to k at once. A block
// takes its next hop in the first round in which the lane of the hop is used.
//
// The lanes of the algorithms are: straightforward, one for each neighbor; torus, one for each dimension and
// direction; direct, one for each dimension and coordinate; basis and steiner, one for each step.
//
// Lanes with equal steps may share their messages; such lanes have the same link number (Lane::link), which stands for
// one peer of each rank. For the rounds, each block has a sequence of links, one for each hop. In a round every rank
// sends over up to k links, and every block that waits for one of them takes a hop. So the task is to find a short
// sequence of sets of k links that contains the sequence of each block as a subsequence. On one port the lanes follow
// one another, each until its last block has passed, which is optimal. On k ports there are two kinds of schedules:
//
// - Groups: k' <= k lanes are used at the same time until no block waits for one of them; then the next k' lanes.
// - Searched schedules (lane_search.hpp), if no groups reach a lower bound.
//
// A schedule for k ports is also one for k + 1 ports. So all k' <= k are tried, and the number of rounds never rises
// with k.
//
// A BlockTree is the tree along which the block of a rank goes to all its neighbors, lane by lane. In reverse it is
// the tree along which contributions are joined on their way to a rank.

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "decomposition/routes.hpp"
#include "problem/block_sizes.hpp"
#include "problem/enums.hpp"
#include "schedule/schedule.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo::generate {

using problem::BlockSizes;

/// A lane, and the neighbors whose blocks use it.
struct Lane {
  /// A neighbor whose block goes through the lane, and in how many hops.
  struct Use {
    int neighbor = 0;
    int hops = 0;  ///< > 0
  };
  std::vector<int> step;  ///< d integers, which lead to another rank
  std::vector<Use> uses;  ///< by neighbor
  int link = 0;           ///< lanes with the same link have the same step, and share their messages
};

/// The lanes of a schedule in order.
struct Lanes {
  Torus torus;
  int neighbors = 0;
  std::vector<Lane> lanes;  ///< every lane is used
  int links = 0;            ///< how many different values of Lane::link there are

  /// Adds a lane with a link of its own, unless no block uses it or its step leads back to the rank itself.
  void add(std::vector<int> step, std::vector<Lane::Use> uses);
};

/// The items (numbers of blocks or nodes) that wait for each link.
class Waiting {
 public:
  explicit Waiting(int links) : items_(at(links)), sorted_(at(links), true) {}
  void add(int link, int item);
  /// The items that wait for a link, in ascending order. They no longer wait.
  std::vector<int> take(int link);

 private:
  std::vector<std::vector<int>> items_;  ///< by link
  std::vector<bool> sorted_;             ///< by link
};

/// Throws ContractViolation unless the neighborhood has the dimensions of the torus and the order is a permutation of
/// them.
void expect_problem(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> dimension_order);

/// The lanes of the algorithm straightforward: one hop to each neighbor.
Lanes straightforward_lanes(Torus const& torus, Neighborhood const& neighborhood);
/// The lanes of torus. `dimension_order` must be a permutation of 0 .. d-1. Dimensions of one rank have no lane.
Lanes unit_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// The lanes of direct. Those of a dimension are sorted by coordinate.
Lanes direct_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
/// Whether equal steps share their messages. If they do, a block may take any of them.
enum class EqualSteps : std::uint8_t { apart, shared };
/// The lanes of basis and steiner, from the steps of the decomposition.
Lanes step_lanes(Torus const& torus, Decomposition const& decomposition, EqualSteps equal = EqualSteps::apart);

/// Every block travels separately. It alternates between the receive and the intermediate buffer so that its last hop
/// ends in the receive buffer [Traeff16, Algorithm 1]. On its first hop it is read from the send buffer. The paper
/// prints that all hops of its first lane read from there; Reading::printed reproduces this.
Schedule combine_alltoall(Lanes const& lanes, BlockSizes const& sizes, Promises promises,
                          problem::Reading reading = problem::Reading::repaired);
/// The block of a rank travels once along common hops to several neighbors. It is received directly into the slot of
/// the first neighbor at that position; further neighbors at the same position get a local copy.
Schedule combine_allgather(Lanes const& lanes, Bytes block, Promises promises);

/// The allgather in reverse: every rank gets the reduction of the blocks of its neighbors, each counted as often as it
/// is listed. Contributions go up the trees of combine_allgather, where they are joined and travel on as one block
/// [Traeff19]. The schedule fulfills NeighborReduction (schedule/collective.hpp) on the graph in which the neighbors of
/// a rank are its sources.
Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises);
/// Reduces at `root` only. Each rank has a program of its own.
Schedule combine_reduction(Lanes const& lanes, Bytes block, Promises promises, Rank root);

/// The relative peers of a schedule, each listed once.
class Offsets {
 public:
  explicit Offsets(int dimensions) : dimensions_(dimensions) {}
  int dimensions() const { return dimensions_; }
  /// The index of a step (sign +1) or of the way back (-1). A step and its way back are entered together.
  std::int32_t index(std::vector<int> const& step, int sign);
  std::vector<int> take() && { return std::move(all_); }

 private:
  int dimensions_;
  std::vector<int> all_;
  std::vector<std::pair<std::vector<int>, std::int32_t>> known_;  ///< sorted
};

/// A schedule in which all ranks follow the same program.
Schedule isomorphic(Torus const& torus, Offsets offsets, Promises promises, ProgramBuilder builder);
/// The buffers of an all-to-all, with intermediate slots only if `intermediate` is set. Slots are in the order of the
/// neighbors.
Layout alltoall_layout(int neighbors, BlockSizes const& sizes, bool intermediate);

/// By round: the links in use, in ascending order. A link may be listed although no block waits for it.
using LaneRounds = std::vector<std::vector<int>>;

/// The rounds on `ports` ports; 0 means unlimited. For up to 8 neighbors their number is the smallest of all schedules
/// in which every block takes its links in order, unless the search would need more than `most_search_work`
/// (lane_search.hpp).
LaneRounds lane_rounds(Lanes const& lanes, int ports);

/// The places that a rank's block reaches, relative to the rank, and the rounds in which it does. Node 0 is the rank
/// itself. Neighbors whose blocks have taken the same hops so far share a node.
class BlockTree {
 public:
  /// A position that the block reaches, as an offset from its origin.
  struct Node {
    int parent = 0;  ///< the node from which it is sent
    int lane = 0;
    int round = 0;  ///< the round in which it is received
  };

  /// With k ports, k lanes are used at once; 0 means unlimited ports.
  BlockTree(Lanes const& lanes, int ports);

  std::vector<Node> const& nodes() const { return nodes_; }
  int rounds() const { return static_cast<int>(received_.size()) - 1; }
  /// The nodes that are received in a round; nodes of one link are adjacent.
  std::vector<int> const& received(int round) const { return received_[at(round)]; }
  /// The node at which the block of this neighbor ends.
  int goal(int neighbor) const { return at_[at(neighbor)]; }

 private:
  void pass(Lane const& lane, int number);
  void set_rounds(Lanes const& lanes, int ports);

  std::vector<int> at_;  ///< by neighbor: the node that its block has reached
  std::vector<Node> nodes_;
  /// By node, while a lane is added: the most hops of its blocks, and the first new node.
  std::vector<int> longest_, first_;
  std::vector<std::vector<int>> received_;
};

}  // namespace rondo::generate
