#pragma once

// Decompositions of a neighborhood into sums of few vectors. Each vector is one round of an all-to-all or allgather, so
// the fewest vectors give the fewest rounds of this kind [Traeff16, Section 5].

#include "decomposition/routes.hpp"
#include "topology/neighborhood.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Limits up to which an exact search finds a basis, or proves that none exists: its size, and the number of
/// dimensions.
inline constexpr int exact_basis_size = 5;
inline constexpr int exact_basis_dimensions = 6;

/// As few vectors as possible such that each offset is a sum of distinct ones. The vectors need not be offsets
/// themselves, and two of them may be equal, because each is a round of its own [Traeff16, Section 5;
/// docs/notes.md#additive-bases]. Offsets are taken as integers. Offsets that lead back to the rank itself, and
/// dimensions of one rank, are left out. On a torus, if there are few offsets, each may be replaced by one that wraps
/// around once in some dimensions, if that makes the basis smaller: (0, 1, -1) is (0, 1, 1) + (0, 0, 1) if the last
/// extent is 3. All replacements are tried if there are at most 1024.
///
/// The result is proved smallest (`least`) if it has at most exact_basis_size + 1 vectors, or the smallest number b
/// with 2^b > offsets. Otherwise it is the smallest of: the offsets themselves; bases of the coordinates of each
/// dimension, found in the same way; and vectors that are chosen one by one, each the one that turns the most offsets
/// into sums.
///
/// With open dimensions, on a mesh, every partial sum stays between the rank and the neighbor, so routes only use
/// ranks that exist: each vector points in the direction of its neighbor in all dimensions, and no further. Then the
/// result is the smallest of those bases that do so, and of: for each dimension and direction, the coordinates
/// themselves or powers of two.
Decomposition additive_basis(Torus const& torus, Neighborhood const& neighborhood,
                             Boundary const& boundary = Boundary::periodic);

/// The largest number of vectors that may be stated.
inline constexpr int most_stated_vectors = 16;

/// Decomposes by a stated basis, in its order: each offset into the fewest of its vectors that sum up to it; of several
/// sets, the first one. Throws InputError, which names the offset, if there is none.
Decomposition stated_basis(Torus const& torus, Neighborhood const& neighborhood,
                           std::vector<std::vector<int>> const& vectors);

}  // namespace rondo
