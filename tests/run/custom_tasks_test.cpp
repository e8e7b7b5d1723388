// Files of tasks in the place of a custom scenario's schedule: MSCCL XML, GOAL and Chakra traces.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "folder.hpp"
#include "foreign/chakra_traces.hpp"
#include "foreign/goal_binary.hpp"
#include "run/families/plan.hpp"
#include "run/output/show.hpp"
#include "run/output/show_page.hpp"
#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/tune.hpp"

namespace rondo {
namespace {

using scenario::Json;

struct TaskFolder : test::Folder {
  std::string scenario() const { return file("s.json"); }
};

std::string step(int number, char const* type, int source, int target) {
  return fmt::format(R"(<step s="{}" type="{}" srcbuf="i" srcoff="{}" dstbuf="i" dstoff="{}" cnt="1" depid="-1" )"
                     R"(deps="-1" hasdep="0"/>)"
                     "\n",
                     number, type, source, target);
}

/// Two GPUs exchange halves, join them, and exchange what is complete. `join`: the type of GPU 1's second step.
std::string exchange(char const* join = "rrc") {
  std::string text = R"(<algo name="x" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allreduce" )"
                     R"(inplace="1">)";
  for (int gpu : {0, 1}) {
    int const other = 1 - gpu;
    text +=
        fmt::format(R"(<gpu id="{}" i_chunks="2" o_chunks="0" s_chunks="0"><tb id="0" send="{}" recv="{}" chan="0">)",
                    gpu, other, other);
    text += step(0, "s", other, other) + step(1, gpu == 1 ? join : "rrc", gpu, gpu) + step(2, "s", gpu, gpu) +
            step(3, "r", other, other);
    text += "</tb></gpu>";
  }
  return text + "</algo>\n";
}

constexpr char const* pair_goal = R"(num_ranks 2
//@ buffers send 1 receive 2 scratch 0 block 8
rank 0 {
l1: calc 0          //@ receive[0] = send[0]
l2: send 8b to 1    //@ send[0]
l3: recv 8b from 1  //@ receive[1]
}
rank 1 {
l1: calc 0          //@ receive[1] = send[0]
l2: send 8b to 0    //@ send[0]
l3: recv 8b from 0  //@ receive[0]
}
)";

Json scenario_of(Json const& collective, std::string const& engine = "native") {
  return {{"machine",
           {{"topology", {{"kind", "fully_connected"}, {"hosts", 4}}}, {"latency", "2us"}, {"bandwidth", "10GBps"}}},
          {"block", "2MB"},
          {"engine", engine},
          {"collective", collective}};
}

Json own(std::string const& file, Json const& promise) {
  return {{"kind", "custom"}, {"schedule", file}, {"promise", promise}};
}

Json allreduce_of_2() { return {{"kind", "allreduce"}, {"ranks", 2}}; }

Record record_at(Json const& document, std::string const& file) {
  return run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
}

std::string refusal_at(Json const& document, std::string const& file) {
  try {
    return record_at(document, file).error.value_or("no error");
  } catch (InputError const& error) {
    return error.what();
  }
}

/// Without the folder's own path, whether a scenario or a point of it is refused.
std::string refusal_in(TaskFolder const& folder, Json const& document) {
  std::string text = refusal_at(document, folder.scenario());
  std::string const refused = "refused: ";
  if (text.starts_with(refused)) text.erase(0, refused.size());
  std::string const path = folder.file("");
  for (auto at = text.find(path); at != std::string::npos; at = text.find(path)) text.erase(at, path.size());
  return text;
}

TEST(CustomTasks, msccl_is_proved_bounded_and_timed_on_both_engines) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  for (std::string const engine : {"native", "smpi"}) {
    Record const record = record_at(scenario_of(own("x.xml", allreduce_of_2()), engine), folder.scenario());
    EXPECT_EQ(record.error.value_or(""), "");
    EXPECT_EQ(record.collective, "custom");
    EXPECT_EQ(record.algorithm, "custom");
    EXPECT_EQ(record.delivered, true);
    EXPECT_EQ(record.proof, "proved");
    EXPECT_EQ(record.messages, 4);
    EXPECT_FALSE(record.rounds.has_value());
    // Each rank sends both halves of the 2 MB, one behind the other: 2 * (2 us + 1 MB / 10 GB/s).
    EXPECT_EQ(record.volume_bytes, 2'000'000);
    EXPECT_EQ(record.volume_blocks, 1);
    EXPECT_EQ(record.received_blocks, 1);
    EXPECT_EQ(record.total_blocks, 2);
    EXPECT_NEAR(record.time_s.value_or(0), 204e-6, 1e-12) << engine;
    // Each of the two ranks must send what it has, half a vector or a joined one: at least one message to each.
    EXPECT_TRUE(record.bound.volume_blocks.has_value());
    EXPECT_LE(record.bound.volume_blocks.value_or(9), 1);
    EXPECT_LE(record.bound.time_s.value_or(9), 204e-6);
    EXPECT_GE(record.bound.time_s.value_or(0), 2e-6);
    EXPECT_TRUE(record.gap_volume().has_value());
    EXPECT_TRUE(record.expanded["collective"].contains("checksum"));
  }
}

TEST(CustomTasks, blocks_of_another_size_have_their_bytes_in_whole_chunks) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  folder.write("y.goal", pair_goal);
  struct Case {
    char const* file;
    Json promise;
    char const* block;
    std::int64_t sent;
  };
  // Half of 3 bytes is 2 whole ones, and a rank sends two halves; of GOAL's allgather it sends its block.
  for (Case const& each : std::vector<Case>{{"x.xml", allreduce_of_2(), "3B", 4},
                                            {"x.xml", allreduce_of_2(), "0B", 0},
                                            {"y.goal", {{"kind", "allgather"}, {"ranks", 2}}, "3B", 3},
                                            {"y.goal", {{"kind", "allgather"}, {"ranks", 2}}, "1MB", 1'000'000}}) {
    Json document = scenario_of(own(each.file, each.promise));
    document["block"] = each.block;
    Record const record = record_at(document, folder.scenario());
    EXPECT_EQ(record.error.value_or(""), "") << each.file;
    EXPECT_EQ(record.delivered, true) << each.file;
    EXPECT_EQ(record.volume_bytes, each.sent) << each.file << each.block;
  }
}

TEST(CustomTasks, what_is_wrong_is_named_with_its_place_and_not_simulated) {
  TaskFolder const folder;
  folder.write("x.xml", exchange("r"));
  Record const record = record_at(scenario_of(own("x.xml", allreduce_of_2())), folder.scenario());
  EXPECT_EQ(record.delivered, false);
  EXPECT_EQ(record.violations, 2);
  EXPECT_FALSE(record.time_s.has_value());
  ASSERT_TRUE(record.error.has_value());
  EXPECT_EQ(*record.error,
            "rank 0: block 1 of rank 1 does not enter i[1] = o[1], where the join of block 1 of ranks 0 to 1 is owed "
            "(and 1 more)");
}

TEST(CustomTasks, stand_beside_the_algorithms_of_what_they_promise_in_a_search) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  Json document = scenario_of(own("x.xml", allreduce_of_2()));
  std::string const file = folder.write("s.json", document.dump());
  TuneOptions options;
  options.sizes = {.from = Bytes(1), .to = Bytes(1 << 20)};
  options.engine = scenario::Engine::native;
  options.algorithms = {"custom", "recursive_doubling"};
  Decisions const decisions = tune(load_job(file, {}), options).front();
  // One exchange of the whole vector, 2 us + m beta, is faster than two of its halves, whatever m.
  ASSERT_EQ(decisions.choices.size(), 1u);
  EXPECT_EQ(decisions.choices[0].algorithm, "recursive_doubling");
  options.algorithms = {"custom"};
  EXPECT_EQ(tune(load_job(file, {}), options).front().choices.front().algorithm, "custom");
}

TEST(CustomTasks, without_a_promise_a_file_stands_for_itself) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  std::string bytes;
  goal_binary::write(
      read_goal("num_ranks 2\nrank 0 {\nl1: send 20000b to 1\n}\nrank 1 {\nl1: recv 20000b from 0\n}\n", "x.goal"),
      [&](std::string_view piece) { bytes += piece; });
  folder.write("x.bin", bytes);
  folder.write("x.0.et", test::chakra::head() + test::chakra::send_to(1, 1, 20000));
  folder.write("x.1.et", test::chakra::head() + test::chakra::receive_from(1, 0, 20000));
  for (std::string const name : {"x.bin", "x.0.et"}) {
    Json document = scenario_of({{"kind", "custom"}, {"schedule", name}, {"ranks", 2}});
    document.erase("block");
    Record const record = record_at(document, folder.scenario());
    EXPECT_EQ(record.error.value_or(""), "") << name;
    EXPECT_FALSE(record.delivered.has_value()) << name;
    EXPECT_EQ(record.violations, 0) << name;
    EXPECT_FALSE(record.bound.time_s.has_value()) << name;
    EXPECT_FALSE(record.volume_blocks.has_value()) << name;
    EXPECT_NEAR(record.time_s.value_or(0), 4e-6, 1e-14) << name;  // 2 us + 20 KB / 10 GB/s
  }
  // What MSCCL XML promises itself is of chunks: those are the blocks then.
  Record const record =
      record_at(scenario_of({{"kind", "custom"}, {"schedule", "x.xml"}, {"ranks", 2}}), folder.scenario());
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.delivered, true);
  EXPECT_EQ(record.volume_bytes, 4'000'000);
  EXPECT_EQ(record.volume_blocks, 2);
}

TEST(CustomTasks, a_promise_may_lie_beside_the_file) {
  TaskFolder const folder;
  folder.write("y.goal", pair_goal);
  folder.write("y.promise.json", R"({"kind": "allgather", "ranks": 2})");
  Json const document = scenario_of({{"kind", "custom"}, {"schedule", "y.goal"}});
  Record const record = record_at(document, folder.scenario());
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.delivered, true);
  EXPECT_EQ(record.gap_volume(), 1);
  // The record's checksum is that of both.
  Json const before = record.expanded["collective"]["checksum"];
  folder.write("y.promise.json", R"({"kind": "allgather",  "ranks": 2})");
  EXPECT_NE(record_at(document, folder.scenario()).expanded["collective"]["checksum"], before);
}

TEST(CustomTasks, the_checksum_is_that_of_the_traces_of_all_ranks) {
  TaskFolder const folder;
  Json document = scenario_of({{"kind", "custom"}, {"schedule", "x.0.et"}, {"ranks", 2}});
  document.erase("block");
  auto const checksum_of = [&](std::int64_t bytes) {
    folder.write("x.0.et", test::chakra::head() + test::chakra::send_to(1, 1, 8000));
    folder.write("x.1.et", test::chakra::head() + test::chakra::receive_from(1, 0, bytes));
    return scenario::parse(scenario::Sweep(document, folder.scenario())[0], folder.scenario())
        .expanded["collective"]["checksum"];
  };
  EXPECT_NE(checksum_of(8000), checksum_of(8001));
}

TEST(CustomTasks, are_shown_task_by_task_and_as_a_page) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  std::string const file = folder.scenario();
  scenario::Scenario const point =
      scenario::parse(scenario::Sweep(scenario_of(own("x.xml", allreduce_of_2())), file)[0], file);
  Shown const text = show(point, file);
  EXPECT_TRUE(text.valid);
  EXPECT_NE(text.text.find("gpu 1's tb 0 step 1 (rrc, line 6) receives 1MB from rank 0"), std::string::npos)
      << text.text;
  EXPECT_NE(text.text.find("blocks sent by a rank 1 (bound "), std::string::npos) << text.text;
  EXPECT_NE(text.text.find("verified: every block that is owed is in its place"), std::string::npos) << text.text;
  EXPECT_THROW(show(point, file, {.round = 1}), InputError);
  EXPECT_EQ(show(point, file, {.rank = 1}).text.find("gpu 0's tb 0 step 3"), std::string::npos);
  auto const data = show_data(point, file);
  EXPECT_EQ(data["messages"].size(), 4u);
  EXPECT_EQ(data["proved"], true);
  EXPECT_EQ(data["tasks"], true);
  EXPECT_NEAR(data["makespan"].get<double>(), 204e-6, 1e-12);
}

TEST(CustomTasks, are_refused_with_the_place_of_what_does_not_fit) {
  TaskFolder const folder;
  folder.write("x.xml", exchange());
  folder.write("p.goal", "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n");
  folder.write("j.json", R"({"format": "rondo-schedule", "ranks": 1, "promise": {"kind": "bcast", "ranks": 1},
    "programs": [{"ranks": "all"}]})");
  auto const refused = [&](Json const& collective) { return refusal_in(folder, scenario_of(collective)); };
  EXPECT_EQ(
      refused({{"kind", "custom"}, {"schedule", "x.xml"}}),
      "s.json: /collective: expected \"promise\", a file x.promise.json beside x.xml, or \"ranks\" where nothing is "
      "promised, got none");
  EXPECT_EQ(refused({{"kind", "custom"}, {"schedule", "x.xml"}, {"ranks", 3}}),
            "s.json: /collective/ranks: expected 2, those of x.xml, got 3");
  EXPECT_EQ(refused({{"kind", "custom"}, {"schedule", "x.xml"}, {"ranks", 2}, {"promise", allreduce_of_2()}}),
            "s.json: /collective/ranks: expected no \"ranks\" beside \"promise\", which has its own, got 2");
  EXPECT_EQ(refused({{"kind", "custom"}, {"schedule", "j.json"}, {"ranks", 1}}),
            "s.json: /collective/ranks: expected no \"ranks\" for schedule JSON, which has its own, got 1");
  EXPECT_EQ(refused(own("x.xml", {{"kind", "allreduce"}, {"ranks", 3}})),
            "s.json: /collective/schedule: x.xml: 2 ranks, and its promise has 3");
  EXPECT_EQ(
      refused(own("p.goal", {{"kind", "allgather"}, {"ranks", 2}})),
      "s.json: /collective/schedule: p.goal: a promise needs notes (//@) or tags that say what becomes of blocks, "
      "got none");
  EXPECT_EQ(
      refused({{"kind", "custom"}, {"schedule", "p.goal"}, {"ranks", 2}}),
      "s.json: /collective/schedule: expected no \"block\" in the scenario: p.goal says how large its messages are");
  Json without = scenario_of({{"kind", "custom"}, {"schedule", "x.xml"}, {"ranks", 2}});
  without.erase("block");
  EXPECT_EQ(
      refusal_in(folder, without),
      "s.json: /collective/schedule: expected \"block\" in the scenario, the bytes of a block, which x.xml counts "
      "in");
}

}  // namespace
}  // namespace rondo
