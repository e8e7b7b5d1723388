// Collectives of Chakra traces as messages: against the collectives by themselves, and against times by pen and paper.
// A message of n bytes takes 1 us + n / (1 GB/s).

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engine/engine.hpp"
#include "folder.hpp"
#include "foreign/chakra_traces.hpp"
#include "generate/classical.hpp"
#include "run/formats/task_file.hpp"

namespace rondo::test::chakra {
namespace {

/// The traces as files, read.
TaskFile loaded(test::Folder const& folder, std::vector<std::string> const& traces,
                problem::CollectiveAlgorithms const& algorithms = {}) {
  std::string first;
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    std::string const file = folder.write(fmt::format("x.{}.et", rank), head() + traces[rank]);
    if (rank == 0) first = file;
  }
  return load_tasks(first, TaskFormat::chakra, Bytes(0), 1000, algorithms);
}

std::string node(std::uint64_t id, int type, std::int64_t bytes, Ids const& on = {}, std::string const& group = "") {
  std::string more = attribute("comm_type", type) + attribute("comm_size", bytes);
  if (!group.empty()) more += text(10, text(1, "pg_name") + text(29, group));
  return message(fields(id, collective, more, on));
}

/// A node of metadata that names process groups as PyTorch's observers do.
std::string groups(std::uint64_t id, std::string const& json) {
  return message(fields(id, metadata, text(8, text(1, "['" + json + "']"))));
}

Platform machine_of(int ranks, TimingModel timing = TimingModel::linear) {
  Platform machine;
  machine.topology = FullyConnected{ranks};
  machine.latency = Seconds(1e-6);
  machine.bandwidth = BytesPerSecond(1e9);
  machine.timing = timing;
  machine.flow = {.o_send = Seconds(3e-7), .o_recv = Seconds(2e-7), .eager = Bytes(1000)};
  return machine;
}

double seconds(TaskGraph const& graph, TimingModel timing = TimingModel::linear) {
  double result = -1;
  for (auto const& outcome : {simulate_native(graph, machine_of(graph.ranks(), timing), {}),
                              simulate_smpi(graph, machine_of(graph.ranks(), timing), {})}) {
    EXPECT_TRUE(outcome.result) << outcome.error;
    if (!outcome.result) return -1;
    if (result >= 0) {
      EXPECT_NEAR(result, outcome.result->makespan.value, 1e-9 * result);
    }
    result = outcome.result->makespan.value;
  }
  return result;
}

/// Each type, the collective that it is, and the block of so many bytes on 4 ranks.
struct Row {
  int type;
  ClassicalCollective collective;
  problem::ClassicalAlgorithm algorithm;
  std::int64_t block;  ///< where comm_size is 4000
};

TEST(TraceCollectives, take_the_times_of_the_schedules_by_themselves) {
  using enum ClassicalCollective;
  using problem::ClassicalAlgorithm;
  test::Folder const folder;
  for (Row const& row : {Row{0, allreduce, ClassicalAlgorithm("ring"), 4000},
                         {1, reduce, ClassicalAlgorithm("binomial"), 4000},
                         {2, allgather, ClassicalAlgorithm("ring"), 4000},
                         {3, gather, ClassicalAlgorithm("binomial"), 4000},
                         {4, scatter, ClassicalAlgorithm("binomial"), 1000},
                         {5, bcast, ClassicalAlgorithm("binomial"), 4000},
                         {6, alltoall, ClassicalAlgorithm("pairwise"), 1000},
                         {7, reduce_scatter, ClassicalAlgorithm("ring"), 1000},
                         {8, reduce_scatter, ClassicalAlgorithm("ring"), 1000},
                         {9, barrier, ClassicalAlgorithm("dissemination"), 0}}) {
    TaskFile const file = loaded(folder, std::vector<std::string>(4, node(1, row.type, 4000)));
    Schedule const schedule = generate::generate(problem::Classical{
        .collective = row.collective, .ranks = 4, .sizes = Bytes(row.block), .algorithm = row.algorithm});
    for (TimingModel const timing : {TimingModel::linear, TimingModel::flow}) {
      Outcome const alone = simulate_native(schedule, machine_of(4, timing), {});
      EXPECT_NEAR(seconds(file.graph.tasks, timing), alone.result->makespan.value, 1e-15) << row.type;
    }
  }
}

TEST(TraceCollectives, go_by_the_algorithms_that_are_given) {
  test::Folder const folder;
  std::vector<std::string> const traces(4, node(1, 5, 4000));
  EXPECT_NEAR(seconds(loaded(folder, traces).graph.tasks), 2 * 5e-6, 1e-15);
  EXPECT_NEAR(
      seconds(
          loaded(folder, traces, {{ClassicalCollective::bcast, problem::ClassicalAlgorithm("linear")}}).graph.tasks),
      3 * 5e-6, 1e-15);
}

TEST(TraceCollectives, wait_for_what_their_nodes_wait_for) {
  test::Folder const folder;
  // Rank 1 comes to the exchange after 30 us; then both calculate for 7 us.
  std::string const early = node(2, 2, 2000) + compute(3, 7, {2});
  std::string const late = compute(1, 30) + node(2, 2, 2000, {1}) + compute(3, 7, {2});
  EXPECT_NEAR(seconds(loaded(folder, {early, late}).graph.tasks), 30e-6 + 3e-6 + 7e-6, 1e-15);
}

TEST(TraceCollectives, of_process_groups_are_apart) {
  test::Folder const folder;
  // Groups in traces: 3 and 1, 0 and 2; the k-th nodes of a group are one collective, wherever they stand.
  std::string const named = groups(1, R"([{"pg_name": "0", "ranks": [3, 1]}, {"pg_name": "all", "ranks": []}])");
  std::string const odd = named + node(2, 5, 9000, {}, "0") + node(3, 9, 0, {2}, "all");
  std::string const even = named + node(3, 9, 0, {}, "all");
  TaskGraph const graph = loaded(folder, {even, odd, even, odd}).graph.tasks;
  EXPECT_NEAR(seconds(graph), 10e-6 + 2 * 1e-6, 1e-15);
  // The root is the first of the group.
  for (std::uint32_t task = 0; task < graph.tasks.size(); ++task) {
    if (graph.tasks[task].amount == 9000 && graph.tasks[task].kind == TaskKind::send) {
      EXPECT_EQ(graph.rank_of(task), Rank(3));
    }
  }
}

TEST(TraceCollectives, know_the_groups_of_a_file_beside_the_trace) {
  test::Folder const folder;
  folder.write("x.groups.json", R"({"5": [0, 1]})");
  EXPECT_NEAR(seconds(loaded(folder, {node(1, 5, 1000, {}, "5"), node(4, 5, 1000, {}, "5"), ""}).graph.tasks), 2e-6,
              1e-15);
}

TEST(TraceCollectives, of_groups_with_anything_but_ranks_are_refused) {
  test::Folder const folder;
  std::string const call = node(2, 5, 1000, {}, "5");
  for (std::string const ranks : {"[0, 4294967296]", "[0, -1]", "[0, 1.5]", R"([0, "1"])", "3", "null"}) {
    std::string const named = groups(1, R"([{"pg_name": "5", "ranks": )" + ranks + "}]");
    EXPECT_THROW(loaded(folder, {named + call, call}), InputError) << "in the trace: " << ranks;
    folder.write("x.groups.json", R"({"5": )" + ranks + "}");
    EXPECT_THROW(loaded(folder, {call, call}), InputError) << "beside the trace: " << ranks;
    folder.write("x.groups.json", "{}");
  }
}

TEST(TraceCollectives, do_not_meet_messages_of_the_trace) {
  test::Folder const folder;
  // A message with the highest tag, as long as those of the collective.
  std::string const more = attribute("comm_size", 2000) + attribute("comm_tag", 4294967294);
  std::string const first = message(fields(1, send, attribute("comm_dst", 1) + more)) + node(2, 5, 2000);
  std::string const second = message(fields(1, receive, attribute("comm_src", 0) + more)) + node(2, 5, 2000);
  EXPECT_NEAR(seconds(loaded(folder, {first, second}).graph.tasks), 6e-6, 1e-15);
}

TEST(TraceCollectives, without_a_type_are_calls_on_the_host) {
  test::Folder const folder;
  EXPECT_NEAR(seconds(loaded(folder, {message(fields(1, collective, number(7, 85)))}).graph.tasks), 85e-6, 1e-15);
}

}  // namespace
}  // namespace rondo::test::chakra
