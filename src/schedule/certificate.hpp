#pragma once

// A certificate says what it is that arrives in each place: with it every rank can be checked by itself. A rank that
// starts with what it is promised to hold, and gets what the certificate says it gets, must send what its partners get
// and end with what it is owed; round by round nothing else is left to happen. tests/certificates/check.py is a checker
// that shares no code with the prover.
//
//   {"format": "rondo-certificate", "format_version": 1, "schedule": CHECKSUM, "ranks": p, "rounds": D}
//   {"rank": 0, "arrives": [CONTENT, ...]}
//   ...
//
// A line for each rank has the contents of all places of all its receives, in the order of rounds, receives and places.
// CONTENT is [BLOCK, RANK], the block of that number of that rank, or [BLOCK, RANK, n, RANK, n, ...]: what so many
// ranks from each of these on, modulo p, hold under that number, joined; in this order where order was promised.

#include <functional>
#include <string_view>

#include "schedule/collective.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// The lines of the ranks. The schedule keeps its promise, as verify has found; anything else is a ContractViolation or
/// a certificate that no checker accepts. Takes 16 bytes for each slot and for each place that is received.
void write_arrivals(Schedule const& schedule, Collective const& collective,
                    std::function<void(std::string_view)> const& sink);

}  // namespace rondo
