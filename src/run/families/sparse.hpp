#pragma once

// What a sparse exchange and programs of such exchanges have in common.

#include "engine/programs/sparse_exchange.hpp"
#include "run/families/observed.hpp"
#include "scenario/problem.hpp"
#include "theory/sparse_exchange.hpp"

namespace rondo {

SparseProtocol protocol_of(scenario::ExchangeWays const& ways);

struct TheoryWays {
  theory::SparseAlgorithm algorithm;
  theory::BarrierKind barrier;
};
TheoryWays theory_of(scenario::ExchangeWays const& ways);

/// What the ranks counted, timed and found wrong.
Observed observed(SparseResult const& result);

}  // namespace rondo
