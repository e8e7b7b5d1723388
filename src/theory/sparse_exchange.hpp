#pragma once

// What dynamic sparse exchanges cost in messages and memory [Ibanez15; Hoefler, Siebert, Lumsdaine 2010], from the
// problem alone. A message of a rank to itself does not count.

#include <cstdint>
#include <span>

#include "base/units.hpp"
#include "problem/words.hpp"

namespace rondo::theory {

using problem::Barrier;
using problem::ExchangeAlgorithm;

/// Messages of one barrier: p * ceil(log2 p) by dissemination, 2(p - 1) on a binomial tree.
std::int64_t barrier_messages(Barrier kind, std::int64_t p);
/// Rounds of one barrier: ceil(log2 p), twice that on a tree.
std::int64_t barrier_rounds(Barrier kind, std::int64_t p);

struct SparseCounts {
  std::int64_t data = 0;
  std::int64_t acks = 0;
  std::int64_t barrier = 0;  ///< and, in its place, the messages of the reduce-scatter
  std::int64_t messages() const { return data + acks + barrier; }
};
/// Counts the messages of one exchange of K data messages between p ranks: K data messages, K acknowledgements and two
/// barriers with nbx, one barrier instead of two with nbx_tagged; with personalized, K data messages and a
/// reduce-scatter of p * ceil(log2 p) messages; with personalized_rooted, K data messages, a reduction and a scatter of
/// p - 1 messages each.
SparseCounts sparse_exchange(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t data_messages);

/// The bisection of a point cloud into a part for each of p ranks (mpi/exchange/point_bisection.hpp): ranks are halved,
/// the lower half rounded down, as long as they are several and have a point; rank r has floor((r+1)n/p) - floor(rn/p)
/// of n.
struct BisectionCounts {
  std::int64_t levels = 0;            ///< ceil(log2 p) from p points on
  std::int64_t barrier_messages = 0;  ///< for one exchange in each set of ranks that is halved
};
BisectionCounts bisection(ExchangeAlgorithm algorithm, Barrier barrier, std::int64_t p, std::int64_t points);

/// The ways of [Ibanez15, Section 2.3] and of Hoefler et al. to learn who sends, beside the data messages themselves.
/// Words are counts of messages.
struct ConsensusCosts {
  std::int64_t reduce_messages = 0, reduce_words = 0;    ///< personalized: to one rank, all p words in each message,
  std::int64_t scatter_messages = 0, scatter_words = 0;  ///< then scattered, both along a binomial tree
  std::int64_t reduce_scatter_rounds = 0;                ///< rounds of these two together
  std::int64_t halving_messages = 0, halving_words = 0;  ///< personalized: reduce-scatter; words of a process
  std::int64_t direct_messages = 0;                      ///< personalized exchange: all-to-all, a word in each message
  std::int64_t bruck_messages = 0, bruck_words = 0;      ///< the same by Bruck's algorithm; words of a process
  std::int64_t memory_words = 0;                         ///< words that a process holds, with each of them
};
ConsensusCosts consensus_costs(std::int64_t p);

/// The capacity of a buffer that grows to 3(c + 1) / 2 from 0 until `bytes` fit.
std::int64_t grown(std::int64_t bytes);

/// What one rank holds at the end of an exchange: what it sends, in grown buffers, what it receives, in exact ones, and
/// with personalized p + floor(p / 2) words of 4 bytes. With personalized_rooted it holds p words, and those of the
/// longest signal that it receives: p where it passes on counts of others, else 1. Sizes in bytes; messages to itself
/// count as sent.
Bytes sparse_memory(ExchangeAlgorithm algorithm, std::int64_t p, std::span<std::int64_t const> sent,
                    std::span<std::int64_t const> received, std::int64_t rank = 0);

}  // namespace rondo::theory
