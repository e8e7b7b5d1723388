// Targets of graphs and schedules.

#include "engine/engine.hpp"
#include "fuzz.hpp"
#include "schedule/task_graph.hpp"
#include "topology/graph_text.hpp"

namespace rondo::fuzz {
namespace {

constexpr int most_ranks = 4096;

Platform machine_of(int hosts) {
  Platform machine;
  machine.topology = FullyConnected{hosts};
  machine.latency = Seconds(1e-6);
  machine.bandwidth = BytesPerSecond(1e9);
  return machine;
}

/// A graph without faults has a time, unless it deadlocks for what only time shows; it never crashes an engine.
void simulate(TaskGraph const& graph) {
  if (graph.tasks.size() > 1000 || graph.ranks() > 64 || graph.ranks() == 0) return;
  accepted([&] {
    Outcome<Timing> const outcome = simulate_native(graph, machine_of(graph.ranks()), {});
    promise(outcome.result.has_value() != !outcome.error.empty(), "a time, or an error");
    promise(!outcome.result || outcome.result->makespan >= Seconds(0), "no time is negative");
  });
}

}  // namespace

void fuzz_graph(std::string_view text) {
  for (std::optional<int> const ranks : {std::optional<int>(), std::optional(8)}) {
    accepted([&] {
      WeightedGraph const graph = parse_graph(text, "fuzzed", ranks);
      promise(!ranks || graph.graph.ranks() == 8, "as many ranks as were asked for");
      promise(graph.weights.empty() || std::ssize(graph.weights) == graph.graph.edges(), "a weight for each edge");
    });
  }
}

void fuzz_goal(std::string_view text) {
  accepted([&] {
    TaskGraph const graph = read_goal(text, "fuzzed", most_ranks);
    std::string written;
    write_goal(graph, [&](std::string_view piece) { written += piece; });
    promise(accepted([&] { promise(read_goal(written, "again", most_ranks) == graph, "GOAL reads back as it is"); }),
            "what is written is GOAL");
    if (check(graph).count == 0) simulate(graph);
  });
}

}  // namespace rondo::fuzz
