#pragma once

// The memory that datatypes span, by the rules of [MPI 4.1, 5.1.7 to 5.1.8], in bytes relative to an element's
// address.

#include <mpi.h>

#include <optional>
#include <span>

namespace rondo::mpi {

/// The bytes [lower, upper).
struct Interval {
  MPI_Aint lower = 0;
  MPI_Aint upper = 0;
  MPI_Aint length() const { return upper - lower; }
};

/// The memory that one element of a type spans.
struct Bounds {
  Interval span;                 ///< with what lies between elements: upper - lower is the extent
  std::optional<Interval> data;  ///< from the first byte of data to the last: none without data
  /// Whether MPI_Type_create_resized, or a mark in a structure, has set the bound. Such a bound stays set in all types
  /// made from this one.
  bool lower_is_set = false, upper_is_set = false;
  MPI_Aint alignment = 1;  ///< of the basic type with the strictest
  MPI_Aint size = 0;       ///< bytes of data

  /// Whether an element has as many bytes of data as its extent, and begins and ends with data.
  bool dense() const {
    return data && data->lower == 0 && span.lower == 0 && data->upper == span.upper && size == span.upper;
  }
};

/// So many elements of a type, one extent after the other, from a given place on.
struct TypeBlock {
  MPI_Aint at = 0;
  int length = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The bounds of one of MPI's own types.
Bounds bounds_of_named(MPI_Datatype type);

/// Adds up the bounds of the blocks of a type.
class BoundsOfBlocks {
 public:
  /// `of` are the bounds of the block's type.
  void add(TypeBlock const& block, Bounds const& of);
  /// `at` is where a mark of the lower or upper bound stands.
  void set_lower(MPI_Aint at);
  void set_upper(MPI_Aint at);
  /// The bounds of all blocks together. A structure is padded at its end as in C, unless a bound is set.
  Bounds sum(bool padded) const;

 private:
  std::optional<MPI_Aint> set_lower_, set_upper_;
  std::optional<Interval> span_, data_;
  MPI_Aint alignment_ = 1, size_ = 0;
};

}  // namespace rondo::mpi
