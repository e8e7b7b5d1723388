#pragma once

// The links between routers, with the bytes over each, for the page of a schedule.

#include <nlohmann/json.hpp>

#include "platform/platform.hpp"
#include "run/points/block_moves.hpp"
#include "run/points/link_loads.hpp"

namespace rondo {

/// The most links that are drawn.
inline constexpr std::int64_t most_shown_links = 20'000;

/// What the page of a schedule draws of the links between routers, null where the machine has none, where messages
/// choose their routes as they start, and where there are too many:
///
///   {"layout": {"kind": "ring" | "torus" | "clusters" | "levels" | "circle", "extents": [...] of a torus, "sizes":
///    routers of each group or level}, "routers", "capacity": bytes a second of a cable, "loads": [[FROM, TO, CABLES,
///    BYTES], ...] with envelopes, "busiest": its place in loads, or null if none carries a byte, "crossing": the
///    messages over it, by their place in moves.messages}
nlohmann::ordered_json show_links(LinkLoads const& loads, BlockMoves const& moves, Platform const& platform);

}  // namespace rondo
