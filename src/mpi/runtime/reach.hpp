#pragma once

// How far elements of a datatype reach in memory.

#include <mpi.h>

namespace rondo::mpi {

/// The bytes [first, end), relative to the address of the first element.
struct Reach {
  MPI_Aint first = 0;
  MPI_Aint end = 0;
};

/// Where `count` elements have data: an extent lies between one and the next, which may be negative, and smaller than
/// what an element spans. Empty for no elements and for a type without data. On SMPI, whose true extents are wrong
/// where a type was resized or has a negative stride, of which it tells how it was made. Throws MpiFailure,
/// MPI_ERR_TYPE if SMPI cannot tell.
Reach reach(MPI_Datatype type, MPI_Aint count);

}  // namespace rondo::mpi
