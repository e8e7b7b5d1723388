#pragma once

// Sparse exchanges as data: every rank knows what all ranks send, so that each can tell what it must receive.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi/exchange/sparse_exchange.hpp"

namespace rondo::mpi::testing {

/// The messages of one exchange: size[source][target] in bytes, or `none` if there is no message.
struct Traffic {
  static constexpr int none = -1;
  std::vector<std::vector<int>> size;
  int number = 0;  ///< tells the contents of exchanges apart
};

enum class TrafficShape { empty, self, all_to_one, one_to_all, all_to_all, ring, sparse };
inline constexpr int shapes = 7;

/// Makes the same traffic at all ranks. Sizes are from 0 to `largest`.
Traffic traffic(TrafficShape shape, int ranks, std::uint64_t seed, int largest);

/// Packs what `rank` sends, in pieces.
void pack(SparseExchange& comm, Traffic const& traffic);

/// Receives to the end. What is wrong, empty if all is well: exactly the messages of the traffic, their bytes, and
/// their order where `delivery` gives one.
std::string receive_all(SparseExchange& comm, Traffic const& traffic, Delivery delivery);

/// Byte `at` of a message.
std::byte content(Traffic const& traffic, int source, int target, int at);

}  // namespace rondo::mpi::testing
