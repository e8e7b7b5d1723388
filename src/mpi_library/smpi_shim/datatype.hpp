#pragma once

// Derived datatypes that SMPI copies as MPI requires. SMPI 3.32 places the elements of most derived types wrongly:
// the second element follows the last block of the first one, wherever that is, and structures have no padding.
// Therefore a type is made here as an SMPI structure with marks of its bounds and, as its last block, a block without
// length one extent after its begin, where SMPI then assumes the next element.

#include <mpi.h>

#include <span>
#include <vector>

#include "mpi_library/smpi_shim/datatype_bounds.hpp"

namespace rondo::mpi {

/// The answer of MPI_Type_get_envelope and MPI_Type_get_contents: the arguments of the function that made a type.
struct Making {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

/// The known facts of a derived type that was made here.
struct DerivedType {
  Bounds bounds;
  Making making;
  std::vector<TypeBlock> blocks;          ///< of an SMPI structure, so that another one can take them over
  MPI_Datatype kept = MPI_DATATYPE_NULL;  ///< freed with the type
};

/// Null for MPI's own types, and for types that SMPI has made by itself.
DerivedType const* known(MPI_Datatype type);

/// The bounds of any type but MPI_DATATYPE_NULL. For a type that SMPI has made by itself they are what SMPI says.
Bounds bounds_of(MPI_Datatype type);

/// The functions below return a new type, which the caller must free. They throw MpiFailure: MPI_ERR_TYPE for
/// MPI_DATATYPE_NULL, MPI_ERR_COUNT or MPI_ERR_ARG for a negative number.

MPI_Datatype contiguous(int count, MPI_Datatype type);
/// `stride` is in bytes.
MPI_Datatype strided(int count, int length, MPI_Aint stride, MPI_Datatype type, Making making);
MPI_Datatype from_blocks(std::vector<TypeBlock> blocks, Making making);
/// Blocks may be MPI_LB and MPI_UB, which set bounds.
MPI_Datatype structure(std::vector<TypeBlock> blocks, Making making);
MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent);
/// Indices that follow each other.
struct Run {
  int start = 0, length = 0;
};
/// A part of one dimension of an array: runs that ascend. The dimension whose neighbors lie side by side in memory
/// comes first.
struct PartOfDimension {
  int size = 0;
  std::vector<Run> runs;
};
MPI_Datatype part_of_array(std::span<PartOfDimension const> dimensions, MPI_Datatype type, Making making);
MPI_Datatype duplicate(MPI_Datatype type);
/// The types from which a known type was made: MPI's own types, and new types that equal the others.
std::vector<MPI_Datatype> types_in(DerivedType const& made);

}  // namespace rondo::mpi
