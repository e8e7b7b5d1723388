#pragma once

// The way of each block as a list of hops, for this folder alone: what the closed forms of a single port do not say, on
// several ports and on meshes, is counted from it.

#include <vector>

#include "theory/isomorphic.hpp"

namespace rondo::theory {

struct Walks {
  Torus torus;
  std::vector<std::vector<int>> steps;  ///< the kinds of hops, in the order in which all blocks take them
  std::vector<std::vector<int>> of;     ///< by neighbor: a step for each hop, in their order

  bool self(int step) const { return torus.is_self(steps[static_cast<std::size_t>(step)]); }
};

Walks straightforward_walks(Torus const& torus, Neighborhood const& neighborhood);
Walks unit_walks(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
Walks direct_walks(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order);
Walks step_walks(Torus const& torus, Decomposition const& decomposition);

/// Whether blocks of a rank that have taken the same hops are one and the same.
enum class Sharing : std::uint8_t { none, same_hops };

/// `sizes` only without sharing.
Counts count(Walks const& walks, Sharing sharing, int ports, Sizes const& sizes = {});
/// `walks` are those of the fitting neighborhood, `neighborhood` is the given one. `sizes` only without sharing.
MeshCounts count_on_mesh(Walks const& walks, Neighborhood const& neighborhood, Sharing sharing, int ports,
                         Sizes const& sizes = {});

}  // namespace rondo::theory
