#pragma once

// Describes messages to MPI, whose counts are ints, also messages with more bytes than an int can count.

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

}  // namespace rondo::mpi
