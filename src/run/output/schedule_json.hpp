#pragma once

#include <string>

#include "scenario/scenario.hpp"
#include "schedule/schedule.hpp"

namespace rondo {

/// A schedule as JSON, for programs to read:
///
///   {"format": "rondo-schedule", "format_version": 1,
///    "collective": KIND, "algorithm": ALGORITHM, "ranks": p, "block_bytes": m,
///    "torus": [EXTENT, ...],                                absent where the schedule has no torus
///    "promises": {"ports": k, "links": "unit"|"axis"|"any"},  0 ports: unlimited
///    "programs": [PROGRAM, ...]}
///
/// Every rank follows one program. PROGRAM is
///
///   {"ranks": "all" | [RANK, ...],
///    "buffers": {"send": BUFFER, "receive": BUFFER, "intermediate": BUFFER},
///    "rounds": [ROUND, ...]}                                rounds 1, 2, ..
///
/// BUFFER is {"slots": n} with slots of block_bytes, or {"slots": n, "bytes": [SIZE, ...]}. The copies of round 0, done
/// before the first round, are `"copies"` of the program. ROUND is
///
///   {"sends": [TRANSFER, ...], "receives": [TRANSFER, ...], "copies": [[PLACE, PLACE], ...]}
///
/// A copy leads from its first place to its second. Where it joins what it brings with what lies there, it has a third
/// entry, and a receive that does so has "join": "before" for arriving (op) present, "after" for present (op) arriving.
/// PLACE is [BUFFER'S NAME, SLOT]. TRANSFER is {"rank": PARTNER,
/// "bytes": n, "places": [PLACE, ...]}, with "label" where it has one; where all ranks follow one program, its partner
/// is {"offset": [COORDINATE, ...]} instead, relative to the rank on the torus. The k-th place of a send is written to
/// the k-th place of the receive that it matches: those between two ranks match in the order of their lists.
std::string schedule_json(Schedule const& schedule, scenario::Scenario const& scenario);

}  // namespace rondo
