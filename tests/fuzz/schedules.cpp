// Targets of graphs and schedules.

#include "engine/engine.hpp"
#include "foreign/chakra.hpp"
#include "foreign/goal_binary.hpp"
#include "foreign/msccl.hpp"
#include "fuzz.hpp"
#include "run/families/promises.hpp"
#include "scenario/promise.hpp"
#include "schedule/file/schedule_json.hpp"
#include "schedule/goal_notes.hpp"
#include "schedule/prove.hpp"
#include "schedule/task_graph.hpp"
#include "schedule/verify.hpp"
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

/// Proofs and promises of more are no different, and take long.
bool is_small(Schedule const& schedule) {
  if (schedule.ranks > 32) return false;
  for (Program const& program : schedule.programs) {
    for (BufferLayout const& buffer : program.layout().buffers) {
      if (buffer.slots > 100) return false;
    }
  }
  return true;
}

std::string written(ScheduleFile const& file) {
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  return text;
}

/// Whatever a schedule does, what it does wrong is a list.
void prove(ScheduleFile const& file) {
  if (!is_small(file.schedule) || !file.promise.is_object() || file.promise.dump().size() > 2000) return;
  if (file.promise.contains("graph")) return;
  accepted([&] {
    std::string const name = "fuzzed";
    scenario::Place const place{file.promise, name, "/promise"};
    problem::Promise const promise = scenario::read_promise(place, {.block = file.block});
    if (ranks(promise) != file.schedule.ranks) return;
    ResolvedPromise const wanted = resolve_promise(promise, name);
    expect_fits(file.schedule, wanted, name);
    Verdict const verdict = verify(file.schedule, wanted.collective);
    rondo::fuzz::promise(verdict.delivered || verdict.violation_count > 0, "what is not delivered has a violation");
  });
}

/// What can be proved of a graph is what can be run.
void prove_small(BlockGraph const& graph, Collective const* collective) {
  if (graph.cell_count > 1'000'000 || graph.cells.size() > 1'000'000) return;
  TaskProof const proof = prove(graph, collective, {1});
  promise(proof.valid() == proof.violations.empty(), "valid without violations");
  if (prove(graph, nullptr).valid()) {
    promise(check(graph.tasks).count == 0, "what is proved can be run");
    simulate(graph.tasks);
  }
}

}  // namespace

void fuzz_schedule_json(std::string_view text) {
  constexpr std::int64_t most_moves = 10'000;
  accepted([&] {
    ScheduleFile const file = parse_schedule(text, "fuzzed", most_moves);
    std::string const once = written(file);
    promise(accepted([&] { promise(written(parse_schedule(once, "again", most_moves)) == once, "the same bytes"); }),
            "what is written is a schedule");
    prove(file);
  });
}

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
    NotedGraph const noted = with_blocks(read_goal_notes(text, "fuzzed", most_ranks), "fuzzed");
    if (!noted.graph.effects.empty()) prove_small(noted.graph, nullptr);
  });
}

void fuzz_goal_binary(std::string_view bytes) {
  accepted([&] {
    TaskGraph const graph = goal_binary::read(bytes, "fuzzed", most_ranks);
    std::string written;
    goal_binary::write(graph, [&](std::string_view piece) { written += piece; });
    std::string again;
    promise(accepted([&] {
              goal_binary::write(goal_binary::read(written, "again", most_ranks),
                                 [&](std::string_view piece) { again += piece; });
            }),
            "what is written is binary GOAL");
    promise(again.size() == written.size(), "binary GOAL reads back as large as it is");
  });
}

/// The traces of the ranks, with ---- between them.
void fuzz_chakra(std::string_view bytes) {
  constexpr std::string_view between = "----";
  std::vector<std::string_view> traces;
  for (std::size_t end = 0; end != bytes.npos; bytes.remove_prefix(end == bytes.npos ? 0 : end + between.size())) {
    end = bytes.find(between);
    traces.push_back(bytes.substr(0, end));
  }
  accepted([&] {
    TaskGraph graph;
    chakra::Collectives collectives;
    for (std::string_view const each : traces) {
      chakra::add_rank(graph, each, "fuzzed", static_cast<int>(traces.size()), collectives);
    }
    promise(graph.lines.nodes.size() == graph.tasks.size(), "each task is a node");
    std::string written;
    write_goal(graph, [&](std::string_view piece) { written += piece; });
    promise(accepted([&] { promise(read_goal(written, "again") == graph, "a trace is GOAL too"); }), "which is read");
    if (check(graph).count == 0) simulate(graph);
  });
}

void fuzz_msccl(std::string_view text) {
  accepted([&] {
    msccl::Algorithm const algorithm = msccl::read(text, "fuzzed");
    if (std::ssize(algorithm.gpus) > most_ranks || algorithm.chunks > most_ranks) return;
    std::string written, again;
    msccl::write(algorithm, [&](std::string_view piece) { written += piece; });
    promise(
        accepted([&] { msccl::write(msccl::read(written, "again"), [&](std::string_view piece) { again += piece; }); }),
        "what is written is MSCCL XML");
    promise(again == written, "MSCCL XML reads back as it is");
    auto const collective = algorithm.gpus.size() * static_cast<std::size_t>(algorithm.chunks) < 100'000
                                ? msccl::promise(algorithm)
                                : std::nullopt;
    prove_small(msccl::tasks(algorithm, Bytes(8)), collective ? &*collective : nullptr);
  });
}

}  // namespace rondo::fuzz
