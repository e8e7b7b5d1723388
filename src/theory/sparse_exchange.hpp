#pragma once

// The messages and the memory of dynamic sparse exchanges [Ibanez15; Hoefler, Siebert, Lumsdaine 2010], from the
// problem alone. A message of a rank to itself does not count.

#include <cstdint>
#include <span>

#include "base/units.hpp"
#include "problem/enums.hpp"

namespace rondo::theory {

using problem::Barrier;
using problem::ExchangeAlgorithm;

/// The messages of one barrier: p * ceil(log2 p) by dissemination, 2(p - 1) on a binomial tree.
std::int64_t barrier_messages(Barrier kind, std::int64_t p);

/// The messages of exchanges by their purpose.
struct SparseCounts {
  std::int64_t data = 0;
  std::int64_t acks = 0;
  std::int64_t barrier = 0;  ///< also the messages of the reduce-scatter that replaces a barrier
  std::int64_t messages() const { return data + acks + barrier; }
};
/// The counts of one exchange of K data messages between p ranks. nbx: K data messages, K acknowledgements and two
/// barriers. nbx_tagged: one barrier instead of two. personalized: K data messages, and a reduce-scatter of p *
/// ceil(log2 p) messages. personalized_rooted: K data messages, and a reduction and a scatter of p - 1 messages each.
SparseCounts sparse_exchange(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t data_messages);

/// The bisection of a point cloud into a part for each of p ranks (mpi/exchange/point_bisection.hpp). A set of ranks is
/// halved, with the lower half rounded down, as long as it has several ranks and a point. Rank r has floor((r+1)n/p) -
/// floor(rn/p) of n points.
struct BisectionCounts {
  std::int64_t levels = 0;            ///< ceil(log2 p) if there are at least p points
  std::int64_t barrier_messages = 0;  ///< for one exchange in each set of ranks that is halved
};
BisectionCounts bisection(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t points);

/// The capacity of a buffer that grows from 0 to 3(c + 1) / 2 until `bytes` fit.
std::int64_t grown(std::int64_t bytes);

/// The memory of one rank at the end of an exchange: the data that it sends, in grown buffers; the data that it
/// receives, in exact buffers; and with personalized p + floor(p / 2) words of 4 bytes. With personalized_rooted it
/// holds p words, and those of the longest signal that it receives: p if it passes on counts of others, else 1. Sizes
/// are in bytes. Messages to itself count as sent.
Bytes sparse_memory(ExchangeAlgorithm algorithm, std::int64_t p, std::span<std::int64_t const> sent,
                    std::span<std::int64_t const> received, std::int64_t rank = 0);

}  // namespace rondo::theory
