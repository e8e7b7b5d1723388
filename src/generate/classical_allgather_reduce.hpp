#pragma once

// Declares, for classical_allreduce.cpp alone, the allreduce whose ranks keep the vectors of others apart, as a Writer
// cannot.

#include "generate/classical_writer.hpp"

namespace rondo::generate::classical {

/// Bruck's allgather of whole vectors, which every rank then joins in the order of ranks [OMPI, allgather_reduce].
Schedule allgather_reduce(problem::Classical const& problem);

}  // namespace rondo::generate::classical
