#pragma once

// MPI counts are ints: how a message of more bytes than an int can count is described to MPI.

#include <mpi.h>

#include "base/units.hpp"

namespace rondo::mpi {

/// A number of bytes as MPI counts them: `count` elements of a basic type.
struct Units {
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
};

/// Bytes while their number fits an int, else the narrowest type of 2, 4, 8 or 16 bytes that divides the size and
/// whose count fits. Throws InputError when there is no such type: past 2^31-1 bytes a size must be a multiple of such
/// a type.
Units units(Bytes size);

}  // namespace rondo::mpi
