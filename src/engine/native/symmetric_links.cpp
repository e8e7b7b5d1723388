// Times isomorphic schedules on their own torus or ring, with shared links: one rank is simulated in place of all.
// run.hpp proves that this is exact.

#include "base/index.hpp"
#include "engine/native/costs.hpp"
#include "engine/native/fluid_times.hpp"
#include "engine/native/run.hpp"

namespace rondo::native {

namespace {

/// Whether ports and shared links alone determine the times of messages.
bool only_links_are_shared(Platform const& platform) {
  return platform.timing == TimingModel::linear && platform.links == LinkSharing::shared &&
         platform.ranks_per_host == 1 && has_plain_hosts(platform);
}

/// The time at which the last round has ended. A round starts its messages in their order, as ports fall free. The next
/// round begins when all of them have ended. There must be at least one port.
Seconds serve_over_links(Program const& program, int ports, FluidTimes& times, Deadline const& deadline) {
  Instant now;
  std::vector<std::uint32_t> starting, ended;
  std::uint32_t next = 0;
  for (int round = 1; round <= program.rounds(); ++round) {
    deadline.check();
    std::size_t waiting = program.sends(round).size(), running = 0;
    while (waiting + running > 0) {
      starting.clear();
      for (; waiting > 0 && running < at(ports); --waiting, ++running) starting.push_back(next++);
      times.start(starting, now);
      now = times.finish(ended);
      running -= ended.size();
    }
  }
  return Seconds(now.value);
}

}  // namespace

/// One link stands for all links of a dimension and direction, because all of them carry the same.
std::optional<Run> time_representative_on_links(Schedule const& schedule, Platform const& platform,
                                                Deadline const& deadline) {
  if (!only_links_are_shared(platform) || !all_ranks_do_the_same(schedule)) return std::nullopt;
  if (!machine_is_the_torus(schedule, platform)) return std::nullopt;
  Messages const messages = messages_of_one(schedule, platform);
  FlowLinks const flow_links = FlowLinks::of_one_rank(platform, schedule.torus->dimensions());
  FluidTimes times(messages, nullptr, flow_links);
  Run run;
  run.makespan = serve_over_links(schedule.programs.front(), platform.ports, times, deadline);
  run.messages = static_cast<std::int64_t>(messages.source.size()) * schedule.ranks;
  run.bytes = messages.bytes * schedule.ranks;
  run.finish = {run.makespan};
  return run;
}

}  // namespace rondo::native
