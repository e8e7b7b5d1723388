#pragma once

// The choice of an algorithm for neighborhood collectives, as far as programs and users make it.

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "problem/enums.hpp"

namespace rondo::mpi {

using problem::NeighborAlgorithm;  // `automatic` is explained in neighbor_plan.hpp
using problem::NeighborCollective;

/// Whether the messages that a rank posts at the same time start one after the other, as in the linear model, or side
/// by side, as under smpirun's own models. If they start side by side, nothing is faster than one message per edge, all
/// posted at once.
enum class Startups : std::uint8_t { serialised, overlapping };

/// The choices that all ranks of a communicator have been given alike.
struct NeighborTuning {
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  /// alpha / beta of the linear cost model: so many bytes take as long as the start-up of a message.
  double startup_bytes = 0;
  Startups startups = Startups::serialised;
  std::vector<int> torus = {};  ///< the extents of the torus that the ranks are, in row-major order; empty: not said
};

/// Collective. The algorithm is that of the environment's RONDO_NEIGHBOR_ALGORITHM, otherwise that of the info's key
/// rondo_neighbor_algorithm, otherwise `otherwise`. alpha and the bandwidth 1 / beta come from RONDO_NEIGHBOR_LATENCY
/// and RONDO_NEIGHBOR_BANDWIDTH, otherwise 1us and 1GBps. RONDO_NEIGHBOR_STARTUPS is "serialised" or "overlapping"; the
/// default is the latter on SMPI and the former elsewhere. RONDO_NEIGHBOR_TORUS has extents such as "8,8". Throws
/// MpiFailure at every rank: MPI_ERR_ARG for an environment, MPI_ERR_INFO_VALUE for an info that cannot be read,
/// MPI_ERR_NOT_SAME if ranks are given different choices.
NeighborTuning agreed_tuning(MPI_Comm comm, MPI_Info info, NeighborAlgorithm otherwise);

}  // namespace rondo::mpi
