// Task graphs under flow timing (docs/model.md, Task graphs): against schedules, against parts, on both engines.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>

#include "base/ids.hpp"
#include "library_schedules.hpp"
#include "native_schedules.hpp"
#include "random_machines.hpp"
#include "sanitized.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

Platform machine_of_tasks(int hosts) {
  Platform platform = machine(hosts);
  platform.timing = TimingModel::flow;
  platform.flow.o_send = 500_ns;
  platform.flow.o_recv = 300_ns;
  platform.flow.eager = 1000_B;
  return platform;
}

/// The same on both engines.
Timing of_tasks(TaskGraph const& graph, Platform const& platform, std::string const& what,
                std::vector<Seconds> const& arrival = {}) {
  EngineOptions options;
  options.arrival = arrival;
  Outcome const native = rondo::simulate_native(graph, platform, options);
  Outcome const smpi = rondo::simulate_smpi(graph, platform, options);
  EXPECT_TRUE(native.result) << what << native.error;
  EXPECT_TRUE(smpi.result) << what << smpi.error;
  if (!native.result || !smpi.result) return {};
  EXPECT_EQ(native.result->messages, smpi.result->messages) << what;
  EXPECT_EQ(native.result->bytes, smpi.result->bytes) << what;
  for (int r = 0; r < graph.ranks(); ++r) {
    EXPECT_NEAR(finish(*native.result, r).value, finish(*smpi.result, r).value, 1e-9 * smpi.result->makespan.value)
        << what << ", rank " << r;
  }
  return *native.result;
}

Timing of_goal(std::string const& goal, Platform platform = machine_of_tasks(3)) {
  return of_tasks(read_goal(goal, "test"), platform, goal);
}

// 1 us and 1 GB/s, 0.5 us of CPU for a send and 0.3 us for a receive, eager up to 1000 B.

TEST(FlowTasks, calculations_hold_the_cpu_that_posts) {
  EXPECT_SECONDS(of_goal("num_ranks 2\nrank 0 { calc 3000; send 1000b to 1 }\nrank 1 { recv 1000b from 0 }").makespan,
                 Seconds(5.8e-6));  // 3 + 0.5 + 1 + 1 + 0.3
}

TEST(FlowTasks, calculations_hold_the_cpu_that_takes) {
  // The message is there after 2.5 us, while the CPU of rank 1 calculates until 4 us.
  EXPECT_SECONDS(of_goal("num_ranks 2\nrank 0 { send 1000b to 1 }\nrank 1 { calc 4000; recv 1000b from 0 }").makespan,
                 Seconds(4.3e-6));
}

TEST(FlowTasks, other_cpus_only_calculate) {
  Timing const timing = of_goal(
      "num_ranks 2\nrank 0 { calc 3000 cpu 1; send 1000b to 1 }\nrank 1 { calc 4000 cpu 2; recv 1000b from 0 }");
  EXPECT_SECONDS(finish(timing, 0), Seconds(3e-6));
  EXPECT_SECONDS(finish(timing, 1), Seconds(4e-6));
  EXPECT_SECONDS(
      of_goal("num_ranks 1\nrank 0 { calc 3000 cpu 1; calc 2000 cpu 1; calc 1000 }", machine_of_tasks(1)).makespan,
      Seconds(5e-6));
}

TEST(FlowTasks, eager_sends_end_when_they_are_posted_and_others_with_their_receives) {
  // The receive is posted at 10 us; 2000 B then take 1 + 2 us and 0.3 us of the CPU.
  Timing const eager =
      of_goal("num_ranks 2\nrank 0 { send 1000b to 1 }\nrank 1 { a: calc 10000; b: recv 1000b from 0; b requires a }");
  EXPECT_SECONDS(finish(eager, 0), Seconds(0.5e-6));
  EXPECT_SECONDS(finish(eager, 1), Seconds(10.3e-6));
  Timing const rendezvous =
      of_goal("num_ranks 2\nrank 0 { send 2000b to 1 }\nrank 1 { a: calc 10000; b: recv 2000b from 0; b requires a }");
  EXPECT_SECONDS(finish(rendezvous, 0), Seconds(13.3e-6));
  EXPECT_SECONDS(finish(rendezvous, 1), Seconds(13.3e-6));
}

TEST(FlowTasks, start_when_the_cpu_turns_to_them) {
  // b requires the start of the send, which the CPU turns to at 3 us.
  Timing const timing = of_goal(
      "num_ranks 2\nrank 0 { c: calc 3000; a: send 1000b to 1; b: calc 100 cpu 1; b irequires a }\nrank 1 { recv 1000b "
      "from 0 }");
  EXPECT_SECONDS(finish(timing, 0), Seconds(3.5e-6));
  EXPECT_SECONDS(of_goal("num_ranks 2\nrank 0 { c: calc 3000; a: send 1000b to 1; b: calc 700 cpu 1; b irequires a }\n"
                         "rank 1 { recv 1000b from 0 }")
                     .finish[0],
                 Seconds(3.7e-6));
}

TEST(FlowTasks, of_one_channel_meet_in_the_order_in_which_cpus_post_them) {
  // The second send of the file becomes ready first, and meets the first receive: sizes tell.
  std::string const goal =
      "num_ranks 2\nrank 0 { w: calc 5000 cpu 1; a: send 20b to 1; b: send 10b to 1; a requires w }\n"
      "rank 1 { c: recv 10b from 0; d: recv 20b from 0; d requires c }";
  EXPECT_SECONDS(of_goal(goal).makespan, Seconds(6.82e-6));
}

TEST(FlowTasks, of_different_sizes_that_meet_are_an_error) {
  TaskGraph const graph = read_goal(
      "num_ranks 2\nrank 0 { w: calc 5000 cpu 1; a: send 20b to 1; b: send 10b to 1; a requires w }\n"
      "rank 1 { c: recv 20b from 0; d: recv 10b from 0; d requires c }",
      "test");
  Outcome const native = rondo::simulate_native(graph, machine_of_tasks(2), {}),
                smpi = rondo::simulate_smpi(graph, machine_of_tasks(2), {});
  EXPECT_EQ(native.failure, Failure::crash);
  EXPECT_EQ(native.error, smpi.error);
  EXPECT_NE(native.error, "");
}

TEST(FlowTasks, that_wait_for_each_other_are_a_deadlock) {
  TaskGraph const graph = read_goal(
      "num_ranks 2\nrank 0 { a: send 5000b to 1; b: recv 5000b from 1; b requires a }\n"
      "rank 1 { a: send 5000b to 0; b: recv 5000b from 0; b requires a }",
      "test");
  Outcome const native = rondo::simulate_native(graph, machine_of_tasks(2), {}),
                smpi = rondo::simulate_smpi(graph, machine_of_tasks(2), {});
  EXPECT_EQ(native.failure, Failure::deadlock);
  EXPECT_EQ(smpi.failure, Failure::deadlock);
  EXPECT_EQ(native.error, smpi.error);
}

TEST(FlowTasks, of_a_schedule_take_its_times) {
  Random random(5);
  for (NamedSchedule const& each : library_schedules(700_B)) {
    Platform platform = random_flow_machine(random);
    platform.topology = FullyConnected{library_ranks};
    platform.ranks_per_host = 1;
    platform.placement = {};
    platform.routing = {};
    platform.reduce = Seconds(0);  // tasks join nothing
    Outcome const rounds = rondo::simulate_native(each.schedule, platform, {});
    Outcome const tasks = rondo::simulate_native(lower(each.schedule), platform, {});
    ASSERT_TRUE(rounds.result && tasks.result) << each.name << rounds.error << tasks.error;
    for (int r = 0; r < each.schedule.ranks; ++r) {
      ASSERT_NEAR(finish(*rounds.result, r).value, finish(*tasks.result, r).value,
                  1e-12 * rounds.result->makespan.value)
          << each.name << ", rank " << r;
    }
  }
}

/// Tasks of random ranks: messages with tags of their own, calculations, and requirements of later tasks on earlier
/// ones of their rank, in an order in which all end.
struct RandomTasks {
  TaskGraph graph;
  Parts parts;                           ///< each task as a part
  std::vector<PlannedMessage> messages;  ///< between those parts
};

enum class Cpus { one, several };

RandomTasks random_tasks(Random& random, int ranks, Cpus cpus) {
  struct Draft {
    Task task;
    int pair = -1;
  };
  std::vector<std::vector<Draft>> of(at(ranks));
  auto const count = random.between(1, 14);
  for (std::int64_t i = 0; i < count; ++i) {
    auto const rank = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(ranks)));
    auto const peer = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(ranks)));
    if (rank == peer || random.below(3) == 0) {
      Task calc{.amount = random.between(1, 4000)};
      if (cpus == Cpus::several) calc.cpu = static_cast<std::uint8_t>(random.below(3));
      of[at(rank)].push_back({calc});
      continue;
    }
    std::int64_t const bytes = random.between(0, 4000);
    auto const tag = static_cast<std::uint32_t>(i);
    of[at(rank)].push_back({{.kind = TaskKind::send, .peer = peer, .tag = tag, .amount = bytes}, static_cast<int>(i)});
    of[at(peer)].push_back(
        {{.kind = TaskKind::receive, .peer = rank, .tag = tag, .amount = bytes}, static_cast<int>(i)});
  }
  RandomTasks all;
  std::vector<std::pair<int, int>> ends(at(count), {-1, -1});
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    std::uint32_t const first = static_cast<std::uint32_t>(all.graph.tasks.size());
    for (Draft const& each : of[at(rank)]) {
      auto const task = static_cast<std::uint32_t>(all.graph.tasks.size());
      if (each.pair >= 0)
        (each.task.kind == TaskKind::send ? ends[at(each.pair)].first : ends[at(each.pair)].second) =
            static_cast<int>(task);
      all.graph.tasks.push_back(each.task);
      for (std::uint32_t on = first; on < task; ++on) {
        if (random.below(3) == 0) {
          Until const until = cpus == Cpus::several && random.below(3) == 0 ? Until::start : Until::finish;
          all.graph.requirements.push_back({task, on, until});
        }
      }
    }
    all.graph.first.push_back(static_cast<std::uint32_t>(all.graph.tasks.size()));
  }
  for (auto const& [send, receive] : ends) {
    if (send >= 0) all.messages.push_back({send, receive, 1, 1, all.graph.tasks[at(send)].amount});
  }
  return all;
}

/// Each task as a part of its rank, in an order of parts that is that of tasks.
Parts as_parts(RandomTasks const& all) {
  TaskGraph const& graph = all.graph;
  Parts parts;
  parts.ranks = graph.ranks();
  parts.schedule = schedule_of(static_cast<int>(graph.tasks.size()), all.messages);
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    parts.rank_of.push_back(graph.rank_of(task).value);
    parts.step_of.push_back(task);
    bool const calc = graph.tasks[task].kind == TaskKind::calc;
    parts.computing.emplace_back(calc ? 1e-9 * static_cast<double>(graph.tasks[task].amount) : 0);
    for (Requirement const& each : graph.requirements) {
      if (each.task == task) parts.after_of.push_back(each.on);
    }
    parts.first_after.push_back(static_cast<std::uint32_t>(parts.after_of.size()));
  }
  return parts;
}

std::vector<Seconds> arrivals(Random& random, int ranks) {
  std::vector<Seconds> result;
  if (random.below(3) > 0) return result;
  for (int rank = 0; rank < ranks; ++rank) result.emplace_back(1e-9 * static_cast<double>(900 * random.below(4)));
  return result;
}

TEST(FlowTasks, take_the_times_of_parts_in_exact_fractions) {
  for (int seed = 1; seed <= 200 / test::sampled; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Platform const platform = random_flow_machine(random);
    auto const ranks = static_cast<int>(rondo::ranks(platform));
    RandomTasks const all = random_tasks(random, ranks, Cpus::one);
    Parts const parts = as_parts(all);
    auto const arrival = arrivals(random, ranks);
    auto const due = reference_flow_finish(static_cast<int>(parts.count()), all.messages, with_parts(platform, parts),
                                           arrival, &parts);
    std::vector<double> last(at(ranks), 0);
    for (std::size_t r = 0; r < arrival.size(); ++r) last[r] = 1e9 * arrival[r].value;
    for (std::size_t part = 0; part < due.size(); ++part) {
      double& own = last[at(parts.rank_of[part])];
      own = std::max(own, due[part]);
    }
    Timing const timing = of_tasks(all.graph, platform, fmt::format("seed {}", seed), arrival);
    for (int r = 0; r < ranks; ++r) {
      ASSERT_NEAR(1e9 * finish(timing, r).value, last[at(r)], 1e-9 * last[at(r)]) << "seed " << seed << ", rank " << r;
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

void expect_engines_agree_on_tasks(std::uint64_t seed) {
  Random random(seed);
  Platform platform = random_flow_machine(random);
  if (seed % 3 == 0) platform = with_insides(random, platform);
  auto const ranks = static_cast<int>(rondo::ranks(platform));
  RandomTasks const all = random_tasks(random, ranks, Cpus::several);
  of_tasks(all.graph, platform, fmt::format("seed {}", seed), arrivals(random, ranks));
}

TEST(FlowTasks, take_one_time_on_both_engines) {
  for (std::uint64_t seed = 1; seed <= 50 && !HasFailure(); ++seed) expect_engines_agree_on_tasks(seed);
}

TEST(LongFlowTasks, take_one_time_on_both_engines_five_hundred_times) {
  for (std::uint64_t seed = 1001; seed <= 1000 + 500 / test::thinned && !HasFailure(); ++seed)
    expect_engines_agree_on_tasks(seed);
}

}  // namespace
}  // namespace rondo
