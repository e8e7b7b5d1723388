// Symmetric schedules under flow timing: one rank is simulated in place of all, in time independent of their number.
// run.hpp proves why this is exact.

#include <algorithm>

#include "base/index.hpp"
#include "engine/native/costs.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/run.hpp"

namespace rondo::native {

namespace {

/// Whether messages between any two hosts share only NICs and take the same time.
bool all_pairs_are_alike(Platform const& platform) {
  return !std::holds_alternative<PlatformFile>(platform.topology) && Costs(platform).uniform() &&
         platform.links == LinkSharing::unshared;
}

bool flow_machine_is_symmetric(Schedule const& schedule, Platform const& platform) {
  if (!has_plain_hosts(platform)) return false;
  return platform.ranks_per_host == 1 && (all_pairs_are_alike(platform) || machine_is_the_torus(schedule, platform));
}

/// Whether the simulated rank may take the k-th send and the k-th receive of a round as two ends of one message. It may
/// if they are, or if all messages of the round have one size and the same treatment at their receivers.
bool ends_are_alike(Schedule const& schedule, int round) {
  Peers const peers(schedule);
  Program const& program = schedule.programs.front();
  auto const sends = program.sends(round);
  auto const receives = program.receives(round);
  Sizes const size(program);
  bool in_order = true, alike = true;
  for (std::size_t k = 0; k < sends.size(); ++k) {
    if (peers.ahead(sends[k]) == 0) return false;
    in_order = in_order && peers.ahead(sends[k]) == peers.behind(receives[k]);
    alike = alike && size(sends[k]) == size(sends[0]) && receives[k].join == receives[0].join;
  }
  return in_order || alike;
}

/// Whether every round sends as many messages of each size as it receives.
bool all_ends_are_alike(Schedule const& schedule) {
  int const last = schedule.programs.front().rounds();
  for (int round = 1; round <= last; ++round) {
    if (!ends_are_alike(schedule, round)) return false;
  }
  return true;
}

/// A schedule of one rank that follows the program and sends all messages to itself.
Schedule one_rank_schedule(Schedule const& schedule) {
  Schedule one;
  one.ranks = 1;
  one.programs = schedule.programs;
  one.torus = Torus({1});
  one.offsets.assign(schedule.offsets.size() / at(schedule.torus->dimensions()), 0);
  one.promises = schedule.promises;
  return one;
}

}  // namespace

/// run.hpp has the conditions and their proof.
std::optional<Run> time_representative_with_cpus(Schedule const& schedule, Platform const& platform,
                                                 Deadline const& deadline) {
  if (platform.timing != TimingModel::flow || !all_ranks_do_the_same(schedule)) return std::nullopt;
  // Searching costs time in proportion to the waiting entries, which depends on the order in which messages are taken.
  if (platform.flow.match > Seconds(0)) return std::nullopt;
  if (!flow_machine_is_symmetric(schedule, platform) || !all_ends_are_alike(schedule)) return std::nullopt;
  Messages const ways = messages_of_one(schedule, platform);
  FlowLinks const flow_links = FlowLinks::of_one_rank(platform, schedule.torus->dimensions());
  auto timed = time_with_cpus(one_rank_schedule(schedule), platform, flow_links, {deadline}, &ways);
  Run* run = std::get_if<Run>(&timed);
  if (run == nullptr) return std::nullopt;
  run->messages *= schedule.ranks;
  run->bytes *= schedule.ranks;
  run->finish = {run->makespan};
  return std::move(*run);
}

}  // namespace rondo::native
