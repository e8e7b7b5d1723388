// Computes lower bound, extent, true extent and alignment of datatypes.

#include "mpi_library/smpi_shim/datatype_bounds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

Interval around(std::optional<Interval> const& known, Interval more) {
  if (!known) return more;
  return {std::min(known->lower, more.lower), std::max(known->upper, more.upper)};
}

/// The alignment of one of MPI's own types. Complex numbers and pairs of equal parts are aligned like their parts;
/// other pairs like the larger part.
MPI_Aint alignment_of_named(MPI_Datatype type, MPI_Aint size) {
  constexpr int parts = 2;
  std::array const halved{MPI_C_FLOAT_COMPLEX,
                          MPI_C_DOUBLE_COMPLEX,
                          MPI_C_LONG_DOUBLE_COMPLEX,
                          MPI_COMPLEX8,
                          MPI_COMPLEX16,
                          MPI_COMPLEX32,
                          MPI_FLOAT_INT,
                          MPI_DOUBLE_INT,
                          MPI_LONG_INT,
                          MPI_SHORT_INT,
                          MPI_2INT,
                          MPI_2FLOAT,
                          MPI_2DOUBLE,
                          MPI_LONG_DOUBLE_INT};
  if (std::find(halved.begin(), halved.end(), type) != halved.end()) return size / parts;
  MPI_Aint alignment = 1;
  while (2 * alignment <= std::min<MPI_Aint>(size, alignof(std::max_align_t))) alignment *= 2;
  return alignment;
}

}  // namespace

/// The bounds of a type of MPI's own.
Bounds bounds_of_named(MPI_Datatype type) {
  Bounds result;
  check(PMPI_Type_get_extent(type, &result.span.lower, &result.span.upper));
  result.span.upper += result.span.lower;
  int size = 0;
  check(PMPI_Type_size(type, &size));
  if (size > 0) result.data = result.span;
  result.alignment = alignment_of_named(type, size);
  result.size = size;
  return result;
}

/// Elements of a block follow each other by the extent, which may be negative.
void BoundsOfBlocks::add(TypeBlock const& block, Bounds const& of) {
  if (block.length <= 0) return;
  MPI_Aint const last = (block.length - 1) * of.span.length();
  MPI_Aint const down = block.at + std::min<MPI_Aint>(last, 0), up = block.at + std::max<MPI_Aint>(last, 0);
  if (of.lower_is_set) set_lower(of.span.lower + down);
  if (of.upper_is_set) set_upper(of.span.upper + up);
  if (!of.data) return;
  span_ = around(span_, {of.span.lower + down, of.span.upper + up});
  data_ = around(data_, {of.data->lower + down, of.data->upper + up});
  alignment_ = std::max(alignment_, of.alignment);
  size_ += block.length * of.size;
}

void BoundsOfBlocks::set_lower(MPI_Aint at) { set_lower_ = std::min(set_lower_.value_or(at), at); }

void BoundsOfBlocks::set_upper(MPI_Aint at) { set_upper_ = std::max(set_upper_.value_or(at), at); }

/// A structure is padded to the strictest alignment, as a compiler does; explicit bounds prevent that.
Bounds BoundsOfBlocks::sum(bool padded) const {
  Bounds result{span_.value_or(Interval{}), data_, set_lower_.has_value(), set_upper_.has_value(), alignment_, size_};
  if (set_lower_) result.span.lower = *set_lower_;
  if (set_upper_) result.span.upper = *set_upper_;
  if (padded && !set_lower_ && !set_upper_) {
    MPI_Aint const units = (result.span.length() + alignment_ - 1) / alignment_;
    result.span.upper = result.span.lower + units * alignment_;
  }
  return result;
}

}  // namespace rondo::mpi
