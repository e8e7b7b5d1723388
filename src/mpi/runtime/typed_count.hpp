#pragma once

// Describes a message with more bytes than an int can count to MPI, whose counts are ints.

#include <mpi.h>

#include "base/units.hpp"

namespace rondo::mpi {

/// A number of bytes in the form in which MPI counts them: `count` elements of a basic type.
struct TypedCount {
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
};

/// The bytes themselves if an int can count them; otherwise the narrowest type of 2, 4, 8 or 16 bytes that divides the
/// size and whose count fits. Throws InputError if there is none: a size past 2^31-1 bytes must be a multiple of such a
/// type.
TypedCount typed_count(Bytes size);

}  // namespace rondo::mpi
