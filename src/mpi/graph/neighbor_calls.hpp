#pragma once

// The blocks of the C interfaces as NeighborCall has them.

#include "mpi/graph/neighbor_request.hpp"

namespace rondo::mpi {

inline Blocks regular(void const* buffer, int const& count, MPI_Datatype const& type) {
  return {buffer, 0, &count, nullptr, &type};
}

/// Displacements as ints come beside them.
inline Blocks irregular(void const* buffer, int const counts[], MPI_Datatype const& type) {
  return {buffer, 0, counts, nullptr, &type, Blocks::Displaced::by_extents, Blocks::Given::for_each};
}

inline Blocks typed(void const* buffer, int const counts[], MPI_Aint const displacements[],
                    MPI_Datatype const types[]) {
  return {buffer,
          0,
          counts,
          displacements,
          types,
          Blocks::Displaced::by_bytes,
          Blocks::Given::for_each,
          Blocks::Given::for_each};
}

}  // namespace rondo::mpi
