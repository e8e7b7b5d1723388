#pragma once

// What a sparse exchange and programs of such exchanges have in common.

#include "engine/programs/sparse_exchange.hpp"
#include "run/points/record.hpp"
#include "scenario/problem.hpp"
#include "theory/sparse_exchange.hpp"

namespace rondo {

SparseProtocol protocol_of(scenario::ExchangeWays const& ways);

struct TheoryWays {
  theory::SparseAlgorithm algorithm;
  theory::BarrierKind barrier;
};
TheoryWays theory_of(scenario::ExchangeWays const& ways);

/// What was counted, timed and found wrong.
void add_exchanges(Record& record, SparseResult const& result);
/// Makes it an error of the record if theory says one thing and the program counted another.
void expect_predicted(Record& record);

}  // namespace rondo
