// Symmetric schedules under linear timing: if all ranks do the same and the machine looks the same from each of them,
// one rank shows the times of all.

#include <algorithm>

#include "engine/native/costs.hpp"
#include "engine/native/queue.hpp"
#include "engine/native/run.hpp"

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

}  // namespace rondo::native
