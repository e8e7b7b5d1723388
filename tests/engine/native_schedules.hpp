#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "schedule/schedule.hpp"

namespace rondo::testing {

/// A message by its two ends; each end is posted in a round of its rank, in the order of the list.
struct PlannedMessage {
  int source = 0, target = 0;
  int sent = 1, received = 1;  ///< rounds; different ones make a broken schedule
  std::int64_t bytes = 0;
};

/// What an end alone makes: a send without a receive, a receive without a send.
inline constexpr int never = 0;

/// Explicit per-rank lists.
Schedule schedule_of(int ranks, std::vector<PlannedMessage> const& planned);

/// Rounds of random messages between random ranks, all of them whole; at most `ports` sends and receives of a rank in
/// a round (0: any number). Sizes are multiples of 1 kB.
std::vector<PlannedMessage> random_payloads(Random& random, int ranks, int rounds, int ports);

/// All ranks of a torus follow one program of random offsets, at most `most` messages a round.
Schedule random_isomorphic(Random& random, Torus const& torus, int rounds, int most);
/// The same schedule with a program a rank.
Schedule expanded(Schedule const& isomorphic);

/// The rule of linear timing (docs/model.md), carried out literally, slowly and in exact fractions: the finish of each
/// rank in nanoseconds, or nothing if ranks are left waiting. `arrival` says when ranks come, if not all at 0. With
/// `parts`, messages are those of parts, which stand in the place of ranks, on a machine that knows them.
std::vector<double> reference_finish(int ranks, std::vector<PlannedMessage> const& planned, Platform const& platform,
                                     std::vector<Seconds> const& arrival = {}, Parts const* parts = nullptr);

/// The same for the rule of flow timing. Every message has both ends, and messages between two ranks are sent and
/// received in one order.
std::vector<double> reference_flow_finish(int ranks, std::vector<PlannedMessage> const& planned,
                                          Platform const& platform, std::vector<Seconds> const& arrival = {},
                                          Parts const* parts = nullptr);

/// The timing of a simulation that must succeed.
Timing simulate_native(Schedule const& schedule, Platform const& platform);
/// The finish of a rank, also where one entry stands for all.
Seconds finish(Timing const& timing, int rank);

}  // namespace rondo::testing
