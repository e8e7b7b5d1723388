// Symmetric schedules: all ranks do the same, and the machine looks the same from each of them. One rank is
// simulated in place of all, in time independent of their number: under linear timing, on the shared links of a torus
// or ring, and under flow timing. run.hpp proves that this is exact.

#include <algorithm>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"
#include "engine/native/queue.hpp"
#include "engine/native/run.hpp"
#include "engine/native/transfer_times.hpp"

namespace rondo::native {

namespace {

/// Whether a message costs the same from every rank of the schedule's torus.
bool machine_is_symmetric(Schedule const& schedule, Platform const& platform) {
  if (Costs(platform).uniform()) return true;
  return machine_is_the_torus(schedule, platform);
}

/// Whether in every round the offsets to which a rank sends are those from which it receives, seen from the other end.
/// Messages of one offset then match in posting order within their round.
bool rounds_match(Schedule const& schedule) {
  Peers const peers(schedule);
  Program const& program = schedule.programs.front();
  std::vector<std::int32_t> to, from;
  for (int round = 1; round <= program.rounds(); ++round) {
    to.clear();
    from.clear();
    for (Transfer const& send : program.sends(round)) to.push_back(peers.ahead(send));
    for (Transfer const& receive : program.receives(round)) from.push_back(peers.behind(receive));
    std::sort(to.begin(), to.end());
    std::sort(from.begin(), from.end());
    if (to != from || (!to.empty() && to.front() == nobody)) return false;
  }
  return true;
}

/// The durations of the sends of one rank in a round.
class Representative {
 public:
  Representative(Schedule const& schedule, Platform const& platform)
      : program_(schedule.programs.front()), peers_(schedule), sizes_(program_), costs_(platform) {}

  int rounds() const { return program_.rounds(); }
  std::int64_t bytes(int round) const {
    std::int64_t total = 0;
    for (Transfer const& send : program_.sends(round)) total += sizes_(send);
    return total;
  }
  void durations(int round, std::vector<Seconds>& into) const {
    into.clear();
    for (Transfer const& send : program_.sends(round)) into.push_back(costs_(0, peers_.ahead(send), sizes_(send)));
  }

 private:
  Program const& program_;
  Peers peers_;
  Sizes sizes_;
  Costs costs_;
};

/// The sum of the durations if each round has at most one message, added up as time_one_ported_rounds does.
std::optional<Seconds> sum_of_single_messages(Representative const& rank) {
  Seconds plain;
  Instant time;
  std::vector<Seconds> durations;
  for (int round = 1; round <= rank.rounds(); ++round) {
    rank.durations(round, durations);
    if (durations.size() > 1) return std::nullopt;
    for (Seconds const each : durations) plain = plain + each, time = time + each;
  }
  return rank.rounds() <= few_rounds ? plain : Seconds(time.value);
}

/// Serves the messages of each round in their order on `ports` ports: a rank's k-th message of a round starts when one
/// of its ports is free.
Seconds serve(Representative const& rank, int ports) {
  std::vector<Seconds> durations;
  RadixHeap<int> busy;
  std::vector<int> freed;
  Instant now;
  for (int round = 1; round <= rank.rounds(); ++round) {
    rank.durations(round, durations);
    int free = ports;
    auto const take = [&] {
      freed.clear();
      now = busy.take(freed);
      free += static_cast<int>(freed.size());
    };
    for (Seconds const each : durations) {
      if (free == 0) take();
      --free;
      busy.push(now + each, 0);
    }
    while (!busy.empty()) take();
  }
  return Seconds(now.value);
}

}  // namespace

/// Whether the machine is the torus of the schedule, with ranks in order and one route for each pair.
bool machine_is_the_torus(Schedule const& schedule, Platform const& platform) {
  if (!std::holds_alternative<BlockPlacement>(platform.placement)) return false;
  if (platform.routing.rule != RoutingRule::minimal || !platform.routing.failed.empty()) return false;
  if (auto const* machine = std::get_if<TorusMachine>(&platform.topology)) return machine->torus == *schedule.torus;
  if (auto const* ring = std::get_if<Ring>(&platform.topology)) {
    return schedule.torus->dimensions() == 1 && ring->hosts == schedule.ranks;
  }
  return false;
}

bool all_ranks_do_the_same(Schedule const& schedule) {
  bool const relative = schedule.isomorphic() && schedule.torus && schedule.torus->size() == schedule.ranks;
  return relative && rounds_match(schedule);
}

/// The time of a round is that of its messages over the ports of one rank.
std::optional<Run> time_representative(Schedule const& schedule, Platform const& platform) {
  if (!all_ranks_do_the_same(schedule) || !machine_is_symmetric(schedule, platform)) return std::nullopt;
  Representative const rank(schedule, platform);
  Run run;
  for (int round = 1; round <= rank.rounds(); ++round) {
    run.messages += static_cast<std::int64_t>(schedule.programs.front().sends(round).size());
    run.bytes += rank.bytes(round);
  }
  run.messages *= schedule.ranks;
  run.bytes *= schedule.ranks;
  auto const single = sum_of_single_messages(rank);
  run.makespan = single ? *single : serve(rank, platform.ports);
  run.finish.push_back(run.makespan);
  return run;
}

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
