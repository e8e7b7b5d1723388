#pragma once

// Derived datatypes that SMPI copies as MPI says. SMPI 3.32 puts the elements of most derived types at wrong places:
// the second element follows the last block of the first one, wherever that is, and structures have no padding. So a
// type is made as an SMPI structure that has marks of its bounds and, last, a block of no length one extent from its
// begin: where SMPI takes the next element to be.

#include <mpi.h>

#include <span>
#include <vector>

#include "mpi_library/smpi_shim/datatype_bounds.hpp"

namespace rondo::mpi {

/// What MPI_Type_get_envelope and MPI_Type_get_contents say: the arguments of the function that made a type.
struct Making {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;
};

/// What is known of a derived type that was made here.
struct Known {
  Bounds bounds;
  Making making;
  std::vector<TypeBlock> blocks;          ///< of an SMPI structure, so that another one of them needs none around it
  MPI_Datatype kept = MPI_DATATYPE_NULL;  ///< freed with the type
};

/// Null for MPI's own types, and those that SMPI has made alone.
Known const* known(MPI_Datatype type);

/// Of any type but MPI_DATATYPE_NULL. Those that SMPI has made alone are as SMPI says.
Bounds bounds_of(MPI_Datatype type);

/// The functions below return a new type, which the caller frees. They throw MpiFailure: MPI_ERR_TYPE for
/// MPI_DATATYPE_NULL, MPI_ERR_COUNT or MPI_ERR_ARG for a negative number.

MPI_Datatype contiguous(int count, MPI_Datatype type);
/// `stride` is in bytes.
MPI_Datatype strided(int count, int length, MPI_Aint stride, MPI_Datatype type, Making making);
MPI_Datatype from_blocks(std::vector<TypeBlock> blocks, Making making);
/// Blocks may be MPI_LB and MPI_UB, which set bounds.
MPI_Datatype structure(std::vector<TypeBlock> blocks, Making making);
MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent);
/// A part of an array; the dimension of which neighbors lie side by side comes first.
struct PartOfDimension {
  int size = 0, part = 0, start = 0;
};
MPI_Datatype subarray(std::span<PartOfDimension const> dimensions, MPI_Datatype type, Making making);
MPI_Datatype duplicate(MPI_Datatype type);
/// The types that a known type was made of: MPI's own, and new ones that equal the others.
std::vector<MPI_Datatype> types_in(Known const& made);

}  // namespace rondo::mpi
