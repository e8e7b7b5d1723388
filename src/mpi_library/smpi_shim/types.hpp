#pragma once

// The datatypes that MPI's functions make, see datatype.hpp, by the parameters of these functions. Those that make a
// type throw MpiFailure.

#include <mpi.h>

#include <functional>

#include "mpi_library/smpi_shim/datatype.hpp"

namespace rondo::mpi {

/// Gives `newtype` the type that `made` returns, and MPI_DATATYPE_NULL where that fails. The error of `function`.
int make_type(char const* function, MPI_Datatype* newtype, std::function<MPI_Datatype()> const& made);

namespace types {

using mpi::contiguous;
using mpi::resized;
inline MPI_Datatype dup(MPI_Datatype oldtype) { return duplicate(oldtype); }
MPI_Datatype vector(int count, int blocklength, int stride, MPI_Datatype oldtype);
MPI_Datatype hvector(int count, int length, MPI_Aint stride, MPI_Datatype type);
MPI_Datatype indexed(int count, int const* lengths, int const* places, MPI_Datatype type);
MPI_Datatype indexed_block(int count, int blocklength, int const* displacements, MPI_Datatype oldtype);
MPI_Datatype hindexed(int count, int const* lengths, MPI_Aint const* places, MPI_Datatype type);
MPI_Datatype hindexed_block(int count, int blocklength, MPI_Aint const* displacements, MPI_Datatype oldtype);
MPI_Datatype structure(int count, int const* lengths, MPI_Aint const* places, MPI_Datatype const* types);
MPI_Datatype subarray(int ndims, int const* sizes, int const* parts, int const* starts, int order, MPI_Datatype type);
MPI_Datatype darray(int size, int rank, int ndims, int const* sizes, int const* distributions, int const* arguments,
                    int const* processes, int order, MPI_Datatype type);
/// The same with named_default_argument where the default is wanted.
MPI_Datatype named_darray(int size, int rank, int ndims, int const* sizes, int const* distributions,
                          int const* arguments, int const* processes, int order, MPI_Datatype type);
/// One of MPI's own types, which is not new.
MPI_Datatype match_size(int typeclass, int size);

}  // namespace types
}  // namespace rondo::mpi
