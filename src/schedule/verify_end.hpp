#pragma once

// What lies in the receive buffers when the replay is over (verify_replay.cpp), against what is owed there.

#include <map>
#include <utility>

#include "schedule/verify_cells.hpp"

namespace rondo::verification {

/// Owed slots in which the right block was written over, and in which round. A block that wraps around the torus may
/// pass its goal on the way and come back, so that only the end tells whether that was wrong.
using Passed = std::map<std::pair<Rank, std::uint32_t>, int>;

/// What the replay leaves.
struct ReplayEnd {
  Subject const& subject;
  Fingerprints const& fingerprints;
  Cells& cells;
  Passed const& passed;
};

/// Reports what is lost, lies elsewhere or is made otherwise than at another rank. Whether every owed block lies in its
/// place, in the receive buffers of all followed ranks.
bool check_end(ReplayEnd const& end, Findings& findings);

/// Reports that a block is lost where another one is written into its place; `why` ends the line.
void report_overwritten(Findings& findings, Rank rank, int round, Place place, Packed block, char const* why,
                        char const* how = " written over in");

}  // namespace rondo::verification
