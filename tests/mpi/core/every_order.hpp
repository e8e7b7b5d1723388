#pragma once

// Every order of events that a few ranks' exchanges can take over a network that delivers when it likes: messages of
// one source and tag in the order sent, all else in any order. States that were seen are not explored again.

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/exchange/core.hpp"

namespace rondo::mpi::testing {

/// The targets of each rank.
using Targets = std::vector<std::vector<int>>;

struct Explored {
  std::int64_t states = 0;
  std::int64_t ends = 0;            ///< states without an event left
  std::vector<std::string> faults;  ///< a message mixed into another exchange, one lost, a rank that hangs
};

/// What lies between two exchanges at a rank: nothing, or a non-blocking barrier, which it starts when it has completed
/// the first one and waits for before it begins the second.
enum class Between : std::uint8_t { nothing, barrier };

/// Runs the exchanges one behind the other at every rank, in every order. `tags`: so many numbers of exchanges are told
/// apart, after which they repeat.
Explored explore(ExchangeRules rules, std::vector<Targets> const& exchanges, int tags,
                 Between between = Between::nothing);

}  // namespace rondo::mpi::testing
