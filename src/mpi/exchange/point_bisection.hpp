#pragma once

// Recursive inertial bisection of a point cloud [Ibanez15, Section 5.2]: the ranks and the points are halved together
// until each rank has its own part. Nobody knows from whom points come: each level is a dynamic sparse exchange on a
// communicator of its own.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi/exchange/sparse_exchange.hpp"
#include "mpi/runtime/reductions.hpp"
#include "topology/point_cloud.hpp"

namespace rondo::mpi {

struct Bisected {
  std::vector<CloudPoint> points;       ///< the points of this rank's part
  int levels = 0;                       ///< that this rank took part in
  std::int64_t reductions = 0;          ///< reductions and scans
  std::int64_t reduction_messages = 0;  ///< sent by this rank in these
  ExchangeCounts counts;                ///< the messages of all levels
};

struct BisectionOptions {
  SparseExchange::Options exchange = {};
  std::size_t beside = 0;  ///< bytes that travel with each point beside its own, the same at all ranks
};

/// Collective. Rank r of p gets part_size(all, p, r) of all points, so that parts differ by one point at most: the
/// paper leaves the remainder of each division at one rank. Parts without points take no part in further levels. No two
/// points have the same home and index. The result, in order too, depends on the points and where they were held, not
/// on the order of messages. Throws MpiFailure.
Bisected bisect(MPI_Comm comm, std::vector<CloudPoint> points, BisectionOptions const& options);

/// floor((rank + 1) * all / ranks) - floor(rank * all / ranks)
std::int64_t part_size(std::int64_t all, int ranks, int rank);

/// Collective: each rank shows its part's points to their homes. What is wrong with this rank's part, or with what has
/// become of the points that it held `before`, or nothing: one lost, doubled or changed, or a part of a wrong size.
std::string wrong_in_part(SparseExchange& exchange, Reductions& ranks, std::span<CloudPoint const> before,
                          std::span<CloudPoint const> part);

}  // namespace rondo::mpi
