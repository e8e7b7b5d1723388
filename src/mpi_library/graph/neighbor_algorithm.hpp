#pragma once

// How neighborhood collectives are carried out, as far as programs and users say so.

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "problem/words.hpp"

namespace rondo::mpi {

using problem::NeighborAlgorithm;  // `automatic` is explained in neighbor_plan.hpp
using problem::NeighborCollective;

/// Whether the messages that a rank posts at once start one after the other, as in the linear model, or side by side,
/// as under smpirun's own models: then one message for each edge, all at once, is as fast as anything.
enum class Startups : std::uint8_t { serialised, overlapping };

/// What the ranks of a communicator have been told alike.
struct NeighborTuning {
  NeighborAlgorithm algorithm = NeighborAlgorithm::naive;
  /// alpha / beta of the linear cost model: so many bytes take as long as the start-up of a message.
  double startup_bytes = 0;
  Startups startups = Startups::serialised;
  std::vector<int> torus = {};  ///< the extents of the torus that the ranks are, in row-major order; empty: not said
};

/// Collective: the algorithm of the environment's RONDO_NEIGHBOR_ALGORITHM, else of the info's key
/// rondo_neighbor_algorithm, else `otherwise`; alpha and the bandwidth 1 / beta of RONDO_NEIGHBOR_LATENCY and
/// RONDO_NEIGHBOR_BANDWIDTH, else 1us and 1GBps; "serialised" or "overlapping" of RONDO_NEIGHBOR_STARTUPS, else the
/// latter on SMPI, the former elsewhere; extents such as "8,8" of RONDO_NEIGHBOR_TORUS. Throws MpiFailure at every
/// rank: MPI_ERR_ARG for an environment, MPI_ERR_INFO_VALUE for an info that cannot be read, MPI_ERR_NOT_SAME where
/// ranks are told different things.
NeighborTuning agreed_tuning(MPI_Comm comm, MPI_Info info, NeighborAlgorithm otherwise);

}  // namespace rondo::mpi
