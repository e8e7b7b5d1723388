#pragma once

// Recursive inertial bisection of a point cloud [Ibanez15, Section 5.2]: ranks and points are halved together until
// each rank has its own part. No rank knows from whom it will get points, so each level is a dynamic sparse
// exchange on a communicator of its own.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/short_messages.hpp"
#include "topology/point_cloud.hpp"

namespace rondo::mpi {

/// The points of this rank, and the counts of all levels.
struct Bisected {
  std::vector<CloudPoint> points;       ///< the points of this rank's part
  int levels = 0;                       ///< that this rank took part in
  std::int64_t reductions = 0;          ///< reductions and scans
  std::int64_t reduction_messages = 0;  ///< sent by this rank in these
  ExchangeCounts counts;                ///< the messages of all levels
};

/// How points are sent.
struct BisectionOptions {
  SparseExchange::Options exchange = {};
  std::size_t beside = 0;  ///< bytes that travel with each point beside its own, the same at all ranks
};

/// Collective. Rank r of p gets floor((r + 1) * n / p) - floor(r * n / p) of all n points, so parts differ by at most
/// one point (in the paper the remainder of each division stays at one rank). A rank stops at the level at which its
/// half of the points is empty. No two points may have the same home and index. The result and its order depend on the
/// points and where they were held, not on the order of messages. Throws MpiFailure.
Bisected bisect(MPI_Comm comm, std::vector<CloudPoint> points, BisectionOptions const& options);

/// Collective. Each rank shows the points of its part to their homes. Returns what is wrong with this rank's part, or
/// with the points that it held `before` (one lost, doubled or changed, or a part of a wrong size); nothing if all is
/// right.
std::string wrong_in_part(SparseExchange& exchange, Reductions& ranks, std::span<CloudPoint const> before,
                          std::span<CloudPoint const> part);

}  // namespace rondo::mpi
