#pragma once

// The check at the end of a replay (verify_replay.cpp): compares the contents of the receive buffers with what is
// owed there.

#include <map>
#include <utility>

#include "schedule/verify_state.hpp"

namespace rondo::verification {

/// Owed slots in which the right block was overwritten, each with the round. Only the end tells whether that was a
/// fault: a block that goes around the torus may pass its goal on the way and come back.
using Passed = std::map<std::pair<Rank, std::uint32_t>, int>;

/// The state that the replay ends with.
struct ReplayEnd {
  Subject const& subject;
  Fingerprints const& fingerprints;
  Cells& cells;
  Passed const& passed;
};

/// Reports lost blocks, wrong blocks, and contents that were made in another way than at another rank. Returns whether
/// every owed block lies in its place, in the receive buffers of all followed ranks.
bool check_end(ReplayEnd const& end, Findings& findings);

/// Reports that a block is lost because another one is written into its place. `why` ends the line.
void report_overwritten(Findings& findings, Rank rank, int round, Place place, Packed block, char const* why,
                        char const* how = " written over in");

}  // namespace rondo::verification
