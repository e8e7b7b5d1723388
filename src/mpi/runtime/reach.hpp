#pragma once

// Computes how far the elements of a datatype reach in memory, so that a buffer can be checked and allocated.

#include <mpi.h>

namespace rondo::mpi {

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
