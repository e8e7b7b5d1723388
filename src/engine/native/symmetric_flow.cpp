// Schedules under flow timing in which all ranks do the same: two ranks stand for all, whatever their number.

#include <algorithm>

#include "engine/native/costs.hpp"
#include "engine/native/run.hpp"

namespace rondo::native {

namespace {

/// Whether all hosts carry one rank, and messages between any two of them meet only on NICs and take the same time.
bool all_pairs_are_alike(Platform const& platform) {
  return Costs(platform).uniform() && platform.links == LinkSharing::unshared &&
         !std::holds_alternative<PlatformFile>(platform.topology);
}

/// Whether the k-th send and the k-th receive of a round may be taken for two ends of one message between hosts: they
/// are, or all of the round are of one size and treated alike.
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

bool all_ends_are_alike(Schedule const& schedule) {
  int const last = schedule.programs.front().rounds();
  for (int round = 1; round <= last; ++round) {
    if (!ends_are_alike(schedule, round)) return false;
  }
  return true;
}

/// Two ranks that follow the program, every message to the other one.
Schedule pair_of(Schedule const& schedule) {
  Schedule pair;
  pair.ranks = 2;
  pair.programs = schedule.programs;
  pair.torus = Torus({2});
  pair.offsets.assign(schedule.offsets.size() / static_cast<std::size_t>(schedule.torus->dimensions()), 1);
  pair.promises = schedule.promises;
  return pair;
}

Platform machine_of_two(Platform platform) {
  platform.topology = FullyConnected{2};
  platform.placement = BlockPlacement{};
  return platform;
}

}  // namespace

std::optional<Run> time_pair_with_cpus(Schedule const& schedule, Platform const& platform, Deadline const& deadline) {
  // Searching takes time by the number of what waits, which the pair has from one rank, not from many.
  bool const searches = platform.flow.match > Seconds(0);
  if (searches || !all_pairs_are_alike(platform) || !all_ranks_do_the_same(schedule)) return std::nullopt;
  if (!all_ends_are_alike(schedule)) return std::nullopt;
  Platform const machine = machine_of_two(platform);
  Wiring const wiring(machine, nullptr, 2);
  auto timed = time_with_cpus(pair_of(schedule), machine, wiring, deadline, Log::none);
  Run* run = std::get_if<Run>(&timed);
  if (run == nullptr) return std::nullopt;
  run->messages = run->messages / 2 * schedule.ranks;
  run->bytes = run->bytes / 2 * schedule.ranks;
  run->finish = {run->makespan};
  return std::move(*run);
}

}  // namespace rondo::native
