// The time of a count: the slowest of its chains of messages.

#include "theory/intergroup.hpp"

#include <algorithm>

namespace rondo::theory {

Seconds time(IntergroupCounts const& counts, Bytes envelope, LinearCost const& cost) {
  Seconds slowest;
  for (IntergroupCounts::Chain const& chain : counts.chains) {
    Bytes const carried = chain.bytes + chain.messages * envelope;
    slowest = std::max(slowest, static_cast<double>(chain.messages) * cost.alpha + carried / cost.bandwidth);
  }
  return slowest;
}

}  // namespace rondo::theory
