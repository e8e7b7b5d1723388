#pragma once

// A Collective is a promise, apart from any schedule: what each rank holds at the start, and what must lie in its
// receive buffer at the end. `verify` replays a schedule against it and knows no algorithm.

#include <optional>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "topology/groups.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/process_graph.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// A block by its name: the rank it comes from and which of that rank's blocks it is.
struct Content {
  Rank origin;
  BlockId block;
  friend constexpr auto operator<=>(Content const&, Content const&) = default;
};

/// Every rank R sends its block i to R (+) C^i: send slot i of R ends in receive slot i of R (+) C^i
/// [Traeff16, Section 2]. On an open torus a block whose target falls outside goes nowhere, and a receive slot whose
/// source falls outside is nobody's.
struct IsomorphicAlltoall {
  Torus torus;
  Neighborhood neighborhood;
  Boundary boundary = Boundary::periodic;
};

/// Every rank R sends its one block, in send slot 0, to all R (+) C^i: receive slot i of R gets the block of R (-) C^i
/// [Traeff16, Section 2]. Open tori as above.
struct IsomorphicAllgather {
  Torus torus;
  Neighborhood neighborhood;
  Boundary boundary = Boundary::periodic;
};

/// Every receiver gets the block of every sender; senders are owed nothing [Kang19, Section III]. A block may be cut in
/// pieces: block i in pieces[i] >= 1 of them, or `pieces` is empty and every block is whole. Send slot k of sender i
/// holds its piece k; the receive slots hold the pieces by sender, then by piece: whole block i in slot i.
struct IntergroupAllgather {
  Groups groups;
  std::vector<int> pieces = {};
};

/// Every rank sends its one block, in send slot 0, along all its edges: receive slot j of R gets the block of its j-th
/// source (MPI_Neighbor_allgather).
struct NeighborAllgather {
  ProcessGraph graph;
};

/// Every rank sends its block i along the edge to its i-th target, to the receive slot of that edge there
/// (MPI_Neighbor_alltoall).
struct NeighborAlltoall {
  ProcessGraph graph;
};

using Collective =
    std::variant<IsomorphicAlltoall, IsomorphicAllgather, IntergroupAllgather, NeighborAllgather, NeighborAlltoall>;

int ranks(Collective const& collective);
/// The blocks in the send buffer of `rank` at the start, by slot.
std::vector<Content> held(Collective const& collective, Rank rank);
/// The blocks that must lie in the receive buffer of `rank` at the end, by slot; unset: the slot is nobody's.
std::vector<std::optional<Content>> owed(Collective const& collective, Rank rank);
/// Whether the promise looks the same from every rank under the translations of `torus`.
bool same_from_every_rank(Collective const& collective, Torus const& torus);

}  // namespace rondo
