#pragma once

// The allreduce whose ranks store the vectors of other ranks separately, for classical_allreduce.cpp alone. The class
// Writer cannot express it, because it has one content for each piece.

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Bruck's allgather of whole vectors, which every rank then joins in the order of ranks [OMPI, allgather_reduce].
Schedule allgather_reduce(problem::Classical const& problem);

}  // namespace rondo::generate::classical
