#pragma once

// The traffic of a schedule, found without a simulation. The loads are the bytes over each link, along the fixed
// routes of a machine. The moves of blocks, round by round, are what the page of `rondo show` draws.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/platform.hpp"
#include "platform/routing.hpp"
#include "run/families/plan.hpp"
#include "schedule/collective.hpp"
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

/// A schedule as the moves of its blocks. Nothing is judged here (verify does that): a broken schedule moves as it
/// would, as far as it can.
struct BlockMoves {
  static constexpr std::int32_t nothing = -1;
  struct Message {
    int round = 0;
    Rank source, target;
    Bytes bytes;
    std::vector<std::int32_t> blocks;  ///< as indices into `contents`, or nothing where a place is empty
    bool received = false;             ///< whether a receive of its round matches it
  };
  /// A block, or a join of several contributions.
  struct Item {
    Content first;  ///< the block, or the lowest contribution
    int contributions = 1;
  };
  std::vector<Item> contents;
  std::vector<Message> messages;            ///< by round, then by source, then in posting order
  std::vector<std::vector<int>> delivered;  ///< by round from 0, by rank: owed blocks that lie in their places then
  std::vector<int> owed;                    ///< by rank
};

/// Moves the blocks of all ranks, round by round.
BlockMoves block_moves(Schedule const& schedule, Collective const& collective);

}  // namespace rondo
