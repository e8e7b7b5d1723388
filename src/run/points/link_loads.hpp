#pragma once

// Where the bytes of a schedule go: counted over the fixed routes of a machine, without any simulation.

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

/// A directed link of the topology and the bytes, payload and envelopes, of all messages that cross it.
struct LinkLoad {
  LinkId id = 0;
  RouterLink ends;
  std::int64_t bytes = 0;
};

struct LinkLoads {
  std::vector<LinkLoad> links;  ///< by their numbers; empty where the topology has none, or only SimGrid knows them
  std::vector<std::int64_t> out, in;  ///< by host: bytes over its NIC
  std::vector<std::int64_t> within;   ///< by host: bytes over its memory
};

/// Whether the machine has links or NICs whose loads a record tells or a bound rests on.
bool has_loads(Platform const& platform);

LinkLoads link_loads(Schedule const& schedule, Platform const& platform);
LinkLoads link_loads(TaskGraph const& graph, Platform const& platform);

/// The loads of the plan's schedule or task graph. Throws InputError, which names the file, where the plan is a
/// program.
LinkLoads link_loads(Plan const& plan, Platform const& platform, std::string const& file);

/// The most bytes over a link, and their mean over all links; unset without links.
std::optional<std::int64_t> max_link_bytes(LinkLoads const& loads);
std::optional<double> mean_link_bytes(LinkLoads const& loads);
/// Bytes over the links between the groups of a dragonfly; unset elsewhere.
std::optional<std::int64_t> global_link_bytes(LinkLoads const& loads, Platform const& platform);
/// How long the most loaded of those links, NICs and memories takes that messages share (docs/model.md): no simulation
/// is faster. Zero where nothing is shared, as far as is known here.
Seconds shared_load_time(LinkLoads const& loads, Platform const& platform);

/// The loads as CSV: a row a link, with its number, routers, cables and bytes.
std::string links_csv(LinkLoads const& loads);

}  // namespace rondo
