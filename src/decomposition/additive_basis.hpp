#pragma once

#include "decomposition/decomposition.hpp"
#include "topology/mesh.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Up to this size, and in as many dimensions, a basis is found by exact search, or shown not to exist.
inline constexpr int exact_basis_size = 5;
inline constexpr int exact_basis_dimensions = 6;

/// As few vectors as possible such that each offset is a sum of distinct ones; they need not be offsets themselves, and
/// two of them may be equal, as each is a round of its own [Traeff16, Section 5; docs/notes.md#additive-bases]. Offsets
/// are taken as integers; those that lead back to the rank itself are left out, and so are dimensions of one rank. On a
/// torus each of a few offsets may also be replaced by one that wraps round once in some dimensions, if that makes the
/// basis smaller: (0, 1, -1) is (0, 1, 1) + (0, 0, 1) where the last extent is 3. All replacements are tried, if there
/// are at most 1024.
///
/// Exact (`least`) if the basis has at most exact_basis_size + 1 vectors or as few as 2^b > offsets allows. Others are
/// the smallest of: the offsets themselves; bases of the coordinates of each dimension, found the same way; vectors
/// chosen one by one, each the one that makes most offsets sums.
///
/// With open dimensions, on a mesh, every sum stays between the rank and the neighbor, so that it leads over ranks that
/// are there: each vector points the way of its neighbor in all dimensions, and no further. Then the smallest of those
/// that do, and of: for each dimension and direction the coordinates themselves, or powers of two.
Decomposition additive_basis(Torus const& torus, Neighborhood const& neighborhood,
                             Boundary const& boundary = Boundary::periodic);

/// At most so many vectors may be stated.
inline constexpr int most_stated_vectors = 16;

/// Decomposes by a basis that is stated, in its order: each offset into the fewest of its vectors that sum up to it,
/// and among those into the first. Throws InputError, which names the offset, if none do.
Decomposition stated_basis(Torus const& torus, Neighborhood const& neighborhood,
                           std::vector<std::vector<int>> const& vectors);

}  // namespace rondo
