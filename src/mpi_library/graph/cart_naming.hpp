#pragma once

// Cartesian naming [Traeff21, Section 3]: names for the ranks of a communicator as points of a grid. MPI itself does
// not know these names.
// unnamed_torus() finds tori that nobody has named: graphs on a communicator without names whose ranks, in their
// order, form a torus.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mpi_library/graph/process_topology.hpp"
#include "topology/torus.hpp"

namespace rondo::mpi {

using Vector = std::vector<int>;

/// How the length of an offset is measured: the sum or the largest of its coordinates.
enum class Metric : std::uint8_t { manhattan, chebyshev };

/// A grid whose points name ranks. A point has a rank if its number is below the size of the communicator. On a closed
/// dimension coordinates are taken modulo its extent.
class CartesianNaming {
 public:
  enum class Order : std::uint8_t { row_major, column_major };

  /// `ranks` is the size of the communicator. Throws InputError unless every extent is at least 1 and the grid has at
  /// most Torus::most_ranks points.
  CartesianNaming(Vector extents, std::vector<bool> closed, Order order, int ranks);

  int dimensions() const { return static_cast<int>(extents_.size()); }
  int size() const { return torus_.size(); }
  Order order() const { return order_; }
  Vector const& extents() const { return extents_; }
  bool closed(int dimension) const { return closed_[static_cast<std::size_t>(dimension)]; }
  /// The points as row-major ranks of a torus. For a column-major grid the dimensions of the torus are in reverse
  /// order.
  Torus const& torus() const { return torus_; }
  Vector in_order_of_ranks(Vector vector) const;

  /// The coordinates of a rank; unset for a rank without a name.
  std::optional<Vector> coordinates(int rank) const;
  /// The rank of a point; unset for a point outside the grid, or one without a rank.
  std::optional<int> rank(Vector coordinates) const;
  /// The rank to which the offset leads from `source`.
  std::optional<int> relative_rank(int source, std::span<int const> offset, int sign = 1) const;
  /// The offset from rank to rank. On a closed dimension it is the shorter one; if both are equal, the positive one.
  std::optional<Vector> offset(int source, int target) const;
  /// The offsets with a length from `shadow` to `depth` that lead from this rank to points with a rank, in
  /// lexicographic order. Throws InputError if it would have to look at more than most_offsets offsets, which happens
  /// only with closed dimensions and depths beyond the grid.
  std::vector<Vector> neighbors(int rank, Metric metric, int shadow, int depth) const;
  static constexpr int most_offsets = 1 << 22;

 private:
  Vector extents_;
  std::vector<bool> closed_;
  Order order_;
  int ranks_;
  Torus torus_;  ///< numbers the points; of column-major grids with the dimensions reversed
};

/// Collective. Names all ranks in row-major order on a torus of up to four dimensions on which all of them have the
/// same neighbors relative to themselves. Among several such tori it takes the one on which the neighbors are nearest.
/// Unset if there is none, or if no rank has a neighbor. Throws MpiFailure.
std::optional<CartesianNaming> unnamed_torus(MPI_Comm comm, ProcessTopology const& topology);

}  // namespace rondo::mpi
