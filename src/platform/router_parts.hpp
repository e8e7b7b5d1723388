#pragma once

// Partitions of a machine's routers: switches and subtrees, groups, halves and slabs of each dimension. Bounds by cuts
// try the links out of each part.

#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace rondo {

/// One partition of the routers into parts: by router the number of its part, or -1 for none, and the name of each
/// part.
struct RouterParts {
  std::vector<int> part_of;
  std::vector<std::string> names;
};

/// The partitions that the topology has; none if it is a platform file or fully connected.
std::vector<RouterParts> router_parts(MachineTopology const& topology);

}  // namespace rondo
