#pragma once

#include <functional>

namespace rondo::search {

/// What a round costs: one, or the largest or the sum of the sizes of its messages in blocks. A rank sends at most one
/// message in a round.
enum class Cost { one, largest, sum };

/// The least that an inter-group all-to-all broadcast of p senders and q receivers costs, by Dijkstra's algorithm over
/// what each rank holds: in a round each rank sends any of its blocks to at most one rank that `linked` lets it, and
/// gets at most one message. For p + q <= 5.
int cheapest(int p, int q, Cost cost, std::function<bool(int, int)> const& linked);

}  // namespace rondo::search
