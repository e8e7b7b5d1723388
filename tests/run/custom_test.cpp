// Schedules of one's own in scenarios: proved, measured, bounded and timed as those that Rondo generates.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "families.hpp"
#include "folder.hpp"
#include "run/families/plan.hpp"
#include "run/points/export.hpp"
#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "run/points/tune.hpp"
#include "theory/predict.hpp"

namespace rondo {
namespace {

using namespace testing;
using scenario::Json;

/// A folder for one test, with files in it.
struct Files : test::Folder {
  std::string scenario() const { return file("s.json"); }
};

/// A block of rank 0 goes to rank 1, and from there to rank 2.
constexpr char const* chain = R"json({
  "format": "rondo-schedule", "ranks": 3, "promises": {"ports": 1}, "promise": {"kind": "bcast", "ranks": 3},
  "programs": [
    {"ranks": [0], "buffers": {"send": {"slots": 1}}, "rounds": [{"sends": [{"rank": 1, "places": [["send", 0]]}]}]},
    {"ranks": [1], "buffers": {"receive": {"slots": 1}},
     "rounds": [{"receives": [{"rank": 0, "places": [["receive", 0]]}]}, {"sends": [{"rank": 2, "places": [["receive", 0]]}]}]},
    {"ranks": [2], "buffers": {"receive": {"slots": 1}},
     "rounds": [{}, {"receives": [{"rank": 1, "places": [["receive", 0]]}]}]}]})json";

Json scenario_with(std::string const& collective, std::string const& engine = "native") {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 24},
    "latency": "1us", "bandwidth": "1GBps"}, "block": "1000B"})");
  document["collective"] = Json::parse(collective);
  document["engine"] = engine;
  return document;
}

Record run_of(Json const& document, std::string const& file) {
  return run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
}

TEST(Custom, schedules_are_proved_bounded_and_timed_on_both_engines) {
  Files const files;
  files.write("chain.json", chain);
  for (std::string const engine : {"native", "smpi"}) {
    Record const record =
        run_of(scenario_with(R"({"kind": "custom", "schedule": "chain.json"})", engine), files.scenario());
    EXPECT_EQ(record.error.value_or(""), "");
    EXPECT_EQ(record.collective, "custom");
    EXPECT_EQ(record.algorithm, "custom");
    EXPECT_EQ(record.delivered, true);
    EXPECT_EQ(record.rounds, 2);
    EXPECT_EQ(record.messages, 2);
    EXPECT_EQ(record.volume_bytes, 1000);
    // Two messages, one behind the other, of 1us + 1000 B / (1 GB/s) each.
    EXPECT_NEAR(record.time_s.value_or(0), 4e-6, 4e-15) << engine;
    // In a round on one port one of three ranks cannot have heard of it yet: two rounds, and a vector leaves the root.
    EXPECT_EQ(record.bound.rounds, 2);
    EXPECT_EQ(record.bound.volume_blocks, 1);
    EXPECT_EQ(record.gap_rounds(), 1);
    EXPECT_FALSE(record.theory.rounds.has_value());
    EXPECT_TRUE(record.expanded["collective"].contains("checksum"));
  }
}

/// Rank 0 tells ranks 1 to 3, one behind the other, piece by piece: its block goes on before it has come whole.
std::string pipeline(int pieces, int bytes, std::string const& kind) {
  constexpr int p = 4;
  Json schedule = {{"format", "rondo-schedule"}, {"ranks", p}, {"block_bytes", bytes}, {"programs", Json::array()}};
  Json edges = Json::array();
  for (int r = 1; r < p; ++r) edges.push_back(Json::array({0, r}));
  schedule["promise"] = {{"kind", kind}, {"pieces", pieces}};
  schedule["promise"]["graph"] = {{"kind", "edges"}, {"ranks", p}, {"edges", edges}};
  for (int r = 0; r < p; ++r) {
    Json const slots = {{"slots", pieces},
                        {"bytes", std::vector<int>(static_cast<std::size_t>(pieces), bytes / pieces)}};
    std::string const buffer = r == 0 ? "send" : "receive";
    Json rounds = Json::array();
    for (int t = 0; t < pieces + std::min(r, p - 2); ++t) {
      Json round = Json::object();
      int const sent = t - r, received = t - r + 1;
      if (r < p - 1 && sent >= 0 && sent < pieces) {
        round["sends"] = Json::array({{{"rank", r + 1}, {"places", Json::array({Json::array({buffer, sent})})}}});
      }
      if (r > 0 && received >= 0 && received < pieces) {
        round["receives"] =
            Json::array({{{"rank", r - 1}, {"places", Json::array({Json::array({"receive", received})})}}});
      }
      rounds.push_back(round);
    }
    Json program = {{"ranks", Json::array({r})}, {"rounds", rounds}};
    program["buffers"]["send"] = program["buffers"][buffer] = slots;
    schedule["programs"].push_back(program);
  }
  return schedule.dump();
}

TEST(Custom, a_block_that_is_cut_may_be_faster_than_a_chain_of_whole_blocks) {
  Files const files;
  for (std::string const kind : {"sparse_bcast", "neighbor_allgather"}) {
    files.write("pipeline.json", pipeline(16, 16000, kind));
    Json document = scenario_with(R"({"kind": "custom", "schedule": "pipeline.json"})");
    document["block"] = "16000B";
    Record const record = run_of(document, files.scenario());
    ASSERT_EQ(record.error.value_or(""), "") << kind;
    EXPECT_EQ(record.delivered, true) << kind;
    // 18 messages of 1000 B behind each other; and all of a block through a port after a start-up.
    EXPECT_NEAR(record.time_s.value_or(0), 18 * 2e-6, 1e-12) << kind;
    EXPECT_NEAR(record.bound.time_s.value_or(0), 17e-6, 1e-12) << kind;
  }
}

/// A bcast to three others takes one round on three ports, in which the root sends three blocks; not so the chain.
TEST(Custom, a_bound_for_as_few_rounds_is_none_for_a_schedule_of_more) {
  Files const files;
  Json four = Json::parse(chain);
  four["ranks"] = four["promise"]["ranks"] = 4;
  four["programs"][2]["rounds"].push_back(Json::parse(R"({"sends": [{"rank": 3, "places": [["receive", 0]]}]})"));
  Json last = four["programs"][1];
  last["ranks"] = Json::array({3});
  last["rounds"] = Json::parse(R"([{}, {}, {"receives": [{"rank": 2, "places": [["receive", 0]]}]}])");
  four["programs"].push_back(last);
  files.write("chain.json", four.dump());
  Json document = scenario_with(R"({"kind": "custom", "schedule": "chain.json"})");
  document["machine"]["ports"] = 3;
  Record const record = run_of(document, files.scenario());
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.volume_blocks, 1);
  EXPECT_FALSE(record.bound_volume_in_rounds.has_value());
}

TEST(Custom, what_is_wrong_is_named_with_its_place_and_not_simulated) {
  Files const files;
  Json wrong = Json::parse(chain);
  wrong["programs"][1]["rounds"][1] = Json::object();  // rank 1 keeps the block
  files.write("wrong.json", wrong.dump());
  Record const record = run_of(scenario_with(R"({"kind": "custom", "schedule": "wrong.json"})"), files.scenario());
  EXPECT_EQ(record.delivered, false);
  EXPECT_GE(record.violations.value_or(0), 1);
  EXPECT_FALSE(record.time_s.has_value());
  ASSERT_TRUE(record.error.has_value());
  EXPECT_NE(record.error->find("rank 2, round 2"), std::string::npos) << *record.error;
}

/// The schedule of a point of Rondo's, as a file.
std::string file_of(Json const& document) {
  scenario::Scenario const point = scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
  Plan const plan = plan_of(point, "s.json");
  std::string text;
  write_schedule(export_schedule(schedule_plan(plan, "s.json"), point), [&](std::string_view piece) { text += piece; });
  return text;
}

/// A schedule of Rondo's that comes back as somebody else's has the same counts, bounds and times.
void expect_same_from_a_file(std::string const& collective, std::string const& algorithm, char const* engine) {
  std::string const where = algorithm + " " + collective + " " + engine;
  Files const files;
  Json built_in = scenario_with(collective, engine);
  built_in["algorithm"] = algorithm;
  files.write("mine.json", file_of(built_in));
  Record const expected = run_of(built_in, files.scenario());
  Record const got = run_of(scenario_with(R"({"kind": "custom", "schedule": "mine.json"})", engine), files.scenario());
  EXPECT_EQ(got.error.value_or(""), "") << where;
  EXPECT_EQ(got.delivered, true) << where;
  EXPECT_EQ(got.rounds, expected.rounds) << where;
  EXPECT_EQ(got.messages, expected.messages) << where;
  EXPECT_EQ(got.volume_bytes, expected.volume_bytes) << where;
  EXPECT_EQ(got.volume_blocks, expected.volume_blocks) << where;
  EXPECT_EQ(got.time_s, expected.time_s) << where;
  EXPECT_EQ(got.payload, expected.payload) << where;
  EXPECT_EQ(got.bound.rounds, expected.bound.rounds) << where;
  EXPECT_EQ(got.bound.volume_blocks, expected.bound.volume_blocks) << where;
  EXPECT_EQ(got.bound.time_s, expected.bound.time_s) << where;
}

TEST(Custom, schedules_of_our_own_come_back_as_they_were) {
  std::string const graph = R"("graph": {"kind": "erdos_renyi", "ranks": 12, "density": 0.4}})";
  std::string const offsets = R"("torus": [4, 3, 2], "neighborhood": {"kind": "offsets",
    "offsets": [[1, 0, 0], [2, 1, 1], [-1, 2, 0], [0, 0, 0]]}})";
  for (char const* engine : {"native", "smpi"}) {
    expect_same_from_a_file(R"({"kind": "allreduce", "ranks": 8})", "ring", engine);
    expect_same_from_a_file(R"({"kind": "reduce", "ranks": 6, "segment": "300B", "commutative": false})", "chain",
                            engine);
    expect_same_from_a_file(R"({"kind": "alltoall", "ranks": 5, "block_sizes": "m + source*3 + target"})", "bruck",
                            engine);
    expect_same_from_a_file(R"({"kind": "isomorphic_alltoall", )" + offsets, "torus", engine);
    expect_same_from_a_file(R"({"kind": "isomorphic_allgather", )" + offsets, "direct", engine);
    expect_same_from_a_file(
        R"({"kind": "intergroup_allgather", "senders": 5, "receivers": 7, "broadcast": "scatter_allgather"})",
        "group_allgather", engine);
    expect_same_from_a_file(R"({"kind": "neighbor_alltoall", )" + graph, "naive", engine);
    expect_same_from_a_file(R"({"kind": "sparse_allreduce", )" + graph, "naive", engine);
  }
}

TEST(Custom, a_promise_may_lie_beside_the_schedule) {
  Files const files;
  Json without = Json::parse(chain);
  without.erase("promise");
  files.write("chain.json", without.dump());
  files.write("chain.promise.json", R"({"kind": "bcast", "ranks": 3})");
  Json const document = scenario_with(R"({"kind": "custom", "schedule": "chain.json"})");
  Record const record = run_of(document, files.scenario());
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.delivered, true);
  // A record reproduces itself by a checksum, which is that of both files.
  files.write("chain.promise.json", R"({"kind":  "bcast", "ranks": 3})");
  EXPECT_NE(run_of(document, files.scenario()).expanded["collective"]["checksum"],
            record.expanded["collective"]["checksum"]);
}

TEST(Custom, blocks_of_another_size_have_their_bytes) {
  Files const files;
  files.write("chain.json", chain);
  Json document = scenario_with(R"({"kind": "custom", "schedule": "chain.json"})");
  document["sweep"] = {{"/block", {"0B", "1B", "3000B"}}, {"/machine/topology/kind", {"fully_connected", "ring"}}};
  scenario::Sweep const sweep(document, files.scenario());
  ASSERT_EQ(sweep.size(), 6u);
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    Record const record = run_point(scenario::parse(sweep[i], files.scenario()), files.scenario(), 1, {});
    EXPECT_EQ(record.error.value_or(""), "");
    double const bytes = std::vector<double>{0, 1, 3000}[i / 2];
    EXPECT_NEAR(record.time_s.value_or(0), 2 * (1e-6 + bytes / 1e9), 1e-14);
    EXPECT_EQ(record.volume_bytes, static_cast<std::int64_t>(bytes));
  }
}

TEST(Custom, schedules_stand_beside_the_algorithms_of_what_they_promise) {
  Files const files;
  files.write("chain.json", chain);
  files.write("again.json", chain);
  Json document = scenario_with(R"({"kind": "custom", "schedules": {"mine": "chain.json", "other": "again.json"},
    "promise": {"kind": "bcast", "ranks": 3, "seed": 2}})");
  document["sweep"] = {{"/algorithm", {"mine", "other", "linear", "binomial"}}};
  scenario::Sweep const sweep(document, files.scenario());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    Record const record = run_point(scenario::parse(sweep[i], files.scenario()), files.scenario(), 1, {});
    EXPECT_EQ(record.error.value_or(""), "");
    EXPECT_EQ(record.collective, i < 2 ? "custom" : "bcast");
    names.push_back(record.algorithm);
    // The binomial tree sends to rank 1 and 2 one behind the other as well; linear posts both and has one port.
    EXPECT_NEAR(record.time_s.value_or(0), 4e-6, 4e-15) << record.algorithm;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"mine", "other", "linear", "binomial"}));
}

TEST(Custom, tuning_chooses_among_them_and_the_algorithms_that_rondo_has) {
  Files const files;
  Json ring = scenario_with(R"({"kind": "allgather", "ranks": 8})");
  ring["algorithm"] = "ring";
  files.write("mine.json", file_of(ring));
  Json document =
      scenario_with(R"({"kind": "custom", "schedule": "mine.json", "promise": {"kind": "allgather", "ranks": 8}})");
  std::string const file = files.write("s.json", document.dump());
  TuneOptions options;
  options.sizes = {.from = Bytes(1), .to = Bytes(1024)};
  options.engine = scenario::Engine::native;
  options.algorithms = {"custom", "ring", "recursive_doubling"};
  Decisions const decisions = tune(load_job(file, {}), options).front();
  // The ring takes 7 rounds of a block, recursive doubling 3 of 1, 2 and 4: always the faster one on this machine.
  ASSERT_EQ(decisions.choices.size(), 1u);
  EXPECT_EQ(decisions.choices[0].algorithm, "recursive_doubling");
  options.algorithms = {"custom", "ring"};
  Decisions const same = tune(load_job(file, {}), options).front();
  ASSERT_EQ(same.choices.size(), 1u);
  EXPECT_EQ(same.choices[0].algorithm, "custom");
  EXPECT_EQ(same.choices[0].as_fast, std::vector<std::string>{"ring"});
}

TEST(Custom, promises_written_out_have_bounds) {
  // Three ranks with a block each. Rank 0 is owed all three joined, and the block of rank 1 as it is; rank 1 nothing,
  // rank 2 two blocks of others.
  auto const block = [](int rank) { return Content{Rank(rank), BlockId(0)}; };
  StatedPromise promise;
  promise.held = {{block(0)}, {block(1)}, {block(2)}};
  promise.owed = {{Owed(BlockId(0), 0, 3), Owed(block(1))}, {}, {Owed(block(0)), Owed(block(1)), Owed(block(2))}};
  theory::MachineCost cost;
  cost.usual = cost.cheapest = {Seconds(1e-6), BytesPerSecond(1e9)};
  Figures const bound = theory::bounds({.of = promise, .block = Bytes(1000)}, false, cost).bound;
  // Rank 0 needs block (1, 0), which the sum may be made of, and rank 2 two blocks; two ranks to hear of take two
  // rounds.
  EXPECT_EQ(bound.received_blocks, 2);
  EXPECT_EQ(bound.total_blocks, 3);
  EXPECT_EQ(bound.volume_blocks, 1);
  EXPECT_EQ(bound.rounds, 2);
  EXPECT_NEAR(bound.time_s.value_or(0), 3e-6, 1e-18);
}

}  // namespace
}  // namespace rondo
