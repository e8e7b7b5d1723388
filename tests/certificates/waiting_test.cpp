// Whether tasks come to their end if sends are buffered, and if they wait for their receives: what is proved, against
// a simulation that takes one step at a time in random order, and against the engine.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/random.hpp"
#include "engine/engine.hpp"
#include "sanitized.hpp"
#include "schedule/task_graph.hpp"

namespace rondo::test {
namespace {

/// Tasks of one rank that the order of a channel is settled by: each waits for the one before it.
using Last = std::map<std::tuple<int, std::uint32_t, TaskKind>, std::uint32_t>;

/// Up to 4 ranks with up to 8 tasks each, every send with its receive, in any order; requirements lead back and,
/// rarely, forward.
class RandomGraph {
 public:
  explicit RandomGraph(Random& random) : random_(random), ranks_(2 + below(3)) {}

  TaskGraph make() {
    std::vector<std::vector<Task>> tasks(ranks_);
    for (std::size_t i = 0, messages = 1 + below(3 * ranks_); i < messages; ++i) add_message(tasks);
    for (auto& of_rank : tasks) {
      if (chance(3)) insert(of_rank, {TaskKind::calc, 0, 0, 0, 0, random_.between(0, 5)});
    }
    for (auto const& of_rank : tasks) {
      graph_.tasks.insert(graph_.tasks.end(), of_rank.begin(), of_rank.end());
      graph_.first.push_back(static_cast<std::uint32_t>(graph_.tasks.size()));
    }
    for (std::size_t rank = 0; rank < ranks_; ++rank) require(graph_.first[rank], graph_.first[rank + 1]);
    return std::move(graph_);
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  void insert(std::vector<Task>& list, Task const& task) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(list.size() + 1)), task);
  }
  void add_message(std::vector<std::vector<Task>>& tasks) {
    auto const source = below(ranks_), target = (source + 1 + below(ranks_ - 1)) % ranks_;
    auto const tag = static_cast<std::uint32_t>(below(2));
    insert(tasks[source], {TaskKind::send, 0, 0, static_cast<std::int32_t>(target), tag, 8});
    insert(tasks[target], {TaskKind::receive, 0, 0, static_cast<std::int32_t>(source), tag, 8});
  }
  void require(std::uint32_t first, std::uint32_t last) {
    Last last_of_channel;
    for (std::uint32_t task = first; task < last; ++task) {
      Task const& what = graph_.tasks[task];
      if (what.kind != TaskKind::calc) {
        auto const [found, is_new] = last_of_channel.try_emplace({what.peer, what.tag, what.kind}, task);
        Until const until = chance(2) ? Until::start : Until::finish;
        if (!is_new) graph_.requirements.push_back({task, std::exchange(found->second, task), until});
      }
      for (std::size_t i = 0, more = below(3); i < more && task > first; ++i) {
        auto const on = static_cast<std::uint32_t>(first + below(task - first));
        graph_.requirements.push_back({task, on, chance(4) ? Until::start : Until::finish});
      }
      if (chance(40) && task + 1 < last) graph_.requirements.push_back({task, task + 1, Until::start});
    }
  }

  Random& random_;
  std::size_t ranks_;
  TaskGraph graph_;
};

/// Takes a step as long as there is one, any of them; whether all tasks finish.
bool simulated(TaskGraph const& graph, bool buffered, Random& random) {
  std::size_t const n = graph.tasks.size();
  std::vector<std::size_t> partner(n, n);
  for (std::size_t a = 0; a < n; ++a) {
    if (graph.tasks[a].kind != TaskKind::send || partner[a] != n) continue;
    auto const source = graph.rank_of(static_cast<std::uint32_t>(a)).value;
    for (std::size_t b = 0; b < n && partner[a] == n; ++b) {
      bool const fits = graph.tasks[b].kind == TaskKind::receive && graph.tasks[b].peer == source &&
                        graph.rank_of(static_cast<std::uint32_t>(b)).value == graph.tasks[a].peer &&
                        graph.tasks[b].tag == graph.tasks[a].tag && partner[b] == n;
      if (fits) partner[a] = b, partner[b] = a;
    }
  }
  std::vector<bool> started(n, false), finished(n, false);
  auto const may_start = [&](std::size_t task) {
    return !started[task] && std::all_of(graph.requirements.begin(), graph.requirements.end(), [&](auto const& each) {
      return each.task != task || (each.until == Until::start ? started[each.on] : finished[each.on]);
    });
  };
  auto const may_finish = [&](std::size_t task) {
    bool const waits =
        graph.tasks[task].kind == TaskKind::receive || (graph.tasks[task].kind == TaskKind::send && !buffered);
    return started[task] && !finished[task] && (!waits || started[partner[task]]);
  };
  for (;;) {
    std::vector<std::pair<std::size_t, bool>> steps;
    for (std::size_t task = 0; task < n; ++task) {
      if (may_start(task)) steps.emplace_back(task, true);
      if (may_finish(task)) steps.emplace_back(task, false);
    }
    if (steps.empty()) return std::find(finished.begin(), finished.end(), false) == finished.end();
    auto const [task, starts] = steps[static_cast<std::size_t>(random.below(steps.size()))];
    (starts ? started : finished)[task] = true;
  }
}

Platform machine_of(TaskGraph const& graph) {
  Platform machine;
  machine.topology = FullyConnected{graph.ranks()};
  machine.latency = Seconds(1e-6);
  machine.bandwidth = BytesPerSecond(1e9);
  return machine;
}

Platform loggp_of(TaskGraph const& graph, Bytes S) {
  Platform machine = machine_of(graph);
  machine.timing = TimingModel::loggp;
  machine.loggp.L = Seconds(1e-6);
  machine.loggp.o = Seconds(1e-7);
  machine.loggp.g = Seconds(1e-7);
  machine.loggp.S = S;
  return machine;
}

/// Whether the engine comes to an end of the tasks.
bool timed(TaskGraph const& graph, Platform const& machine) {
  Outcome<Timing> const outcome = simulate_native(graph, machine, {});
  EXPECT_TRUE(outcome.result || outcome.failure == Failure::deadlock) << outcome.error;
  return outcome.result.has_value();
}

std::string text_of(TaskGraph const& graph) {
  std::string text;
  write_goal(graph, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Waiting, of_two_thousand_graphs_is_what_a_step_by_step_simulation_and_the_engine_find) {
  Random random(3);
  std::array<int, 3> found{};  // always, if buffered, never
  for (int i = 0; i < 2000 / thinned; ++i) {
    TaskGraph const graph = RandomGraph(random).make();
    bool const buffered = ends(graph, Sends::buffered), synchronous = ends(graph, Sends::synchronous);
    ++found[buffered ? (synchronous ? 0 : 1) : 2];
    for (int order = 0; order < 2; ++order) {
      ASSERT_EQ(simulated(graph, true, random), buffered) << text_of(graph);
      ASSERT_EQ(simulated(graph, false, random), synchronous) << text_of(graph);
    }
    ASSERT_TRUE(buffered || !synchronous) << text_of(graph);
    ASSERT_EQ(check(graph).count == 0, buffered) << text_of(graph);
    ASSERT_EQ(deadlock_text(graph, Sends::synchronous).empty(), synchronous) << text_of(graph);
    ASSERT_EQ(timed(graph, machine_of(graph)), synchronous) << text_of(graph);
    ASSERT_EQ(timed(graph, loggp_of(graph, Bytes(0))), synchronous) << text_of(graph);
    ASSERT_EQ(timed(graph, loggp_of(graph, Bytes(8))), buffered) << text_of(graph);
  }
  for (int const times : found) EXPECT_GE(times, 100 / thinned) << found[0] << " " << found[1] << " " << found[2];
}

TEST(Waiting, on_smpi_is_that_of_synchronous_sends) {
  Random random(4);
  std::array<int, 2> found{};
  for (int i = 0; found[0] + found[1] < 16 && i < 500; ++i) {
    TaskGraph const graph = RandomGraph(random).make();
    if (!ends(graph, Sends::buffered)) continue;
    bool const synchronous = ends(graph, Sends::synchronous);
    if (++found[synchronous] > 8) {
      --found[synchronous];
      continue;
    }
    Outcome<Timing> const outcome = simulate_smpi(graph, machine_of(graph), {});
    EXPECT_EQ(outcome.result.has_value(), synchronous) << outcome.error << text_of(graph);
  }
}

}  // namespace
}  // namespace rondo::test
