#pragma once

// Counts which bytes of a schedule pass over which links, along the fixed routes of a machine and without a
// simulation.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "platform/routing.hpp"
#include "run/families/plan.hpp"
#include "schedule/schedule.hpp"
#include "schedule/task_graph.hpp"

namespace rondo {

/// A directed link of the topology, and the bytes (payload and envelopes) of all messages that pass over it.
struct LinkLoad {
  LinkId id = 0;
  RouterLink ends;
  std::int64_t bytes = 0;
};

/// The bytes over each resource of a machine.
struct LinkLoads {
  std::vector<LinkLoad> links;  ///< by their numbers; empty where the topology has none, or only SimGrid knows them
  std::vector<std::int64_t> out, in;  ///< by host: bytes over its NIC
  std::vector<std::int64_t> within;   ///< by host: bytes over its memory
};

/// Whether the machine has links or NICs whose loads appear in a record or in a bound.
bool has_loads(Platform const& platform);

LinkLoads link_loads(Schedule const& schedule, Platform const& platform);
LinkLoads link_loads(TaskGraph const& graph, Platform const& platform);

/// The loads of the plan's schedule or task graph. Throws InputError with the file's name if the plan is a program.
LinkLoads link_loads(Plan const& plan, Platform const& platform, std::string const& file);

/// The most bytes over any link, and the mean over all links; unset without links.
std::optional<std::int64_t> max_link_bytes(LinkLoads const& loads);
std::optional<double> mean_link_bytes(LinkLoads const& loads);
/// The bytes over links between the groups of a dragonfly; unset on other machines.
std::optional<std::int64_t> global_link_bytes(LinkLoads const& loads, Platform const& platform);
/// How long the most loaded shared link, NIC or memory takes (docs/model.md); no simulation can be faster. Zero if
/// nothing is shared as far as is known here.
Seconds shared_load_time(LinkLoads const& loads, Platform const& platform);

/// The loads as CSV: one row for each link, with its number, routers, cables and bytes.
std::string links_csv(LinkLoads const& loads);

}  // namespace rondo
