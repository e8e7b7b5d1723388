#pragma once

// Properties of datatypes that MPI does not state in a usable form. typed_count() describes messages to MPI, whose
// counts are ints, also messages with more bytes than an int can count. reach() computes how far the elements of a
// datatype reach in memory, so that a buffer can be checked and allocated.

#include <mpi.h>

#include "base/units.hpp"

namespace rondo::mpi {

/// A number of bytes in the form in which MPI counts them: `count` elements of a basic type.
struct TypedCount {
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
};

/// Counts the bytes themselves if an int can count them. Otherwise takes the narrowest type of 2, 4, 8 or 16 bytes
/// whose size divides the number of bytes and whose count fits an int. Throws InputError if there is none.
TypedCount typed_count(Bytes size);

/// The bytes [first, end) relative to the address of the first element.
struct Reach {
  MPI_Aint first = 0;
  MPI_Aint end = 0;
};

/// The bytes in which `count` elements have data. The distance from one element to the next is an extent, which may be
/// negative, and smaller than the span of an element. Empty for no elements and for a type without data. On SMPI, whose
/// true extents are wrong for resized types and for negative strides, it is computed from the way in which the type was
/// made. Throws MpiFailure, with MPI_ERR_TYPE if SMPI cannot tell.
Reach reach(MPI_Datatype type, MPI_Aint count);

}  // namespace rondo::mpi
