// Schedules as JSON: what is written reads back to the same bytes and the same proof, for every algorithm of every
// kind; and what others write, in any order, is read as it is meant.

#include "schedule/file/schedule_json.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "families.hpp"
#include "run/families/plan.hpp"
#include "run/families/promises.hpp"
#include "run/formats/promise_json.hpp"
#include "run/points/export.hpp"
#include "scenario/promise.hpp"
#include "scenario/schema_check.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"

namespace rondo {
namespace {

using namespace testing;
using scenario::Json;

std::string written(ScheduleFile const& file) {
  std::string text;
  write_schedule(file, [&](std::string_view piece) { text += piece; });
  return text;
}

/// The promise that a file states, held against its schedule.
Verdict verdict_of(ScheduleFile const& file) {
  std::string const name = "x.json";
  scenario::Place const place{file.promise, name, "/promise"};
  ResolvedPromise const wanted =
      resolve_promise(scenario::read_promise(place, {.block = file.block}), "x.json: /promise");
  expect_fits(file.schedule, wanted, "x.json");
  return verify(file.schedule, wanted.collective);
}

void expect_same_counts(Schedule const& a, Schedule const& b, std::string const& where) {
  Measures const before = measure(a), after = measure(b);
  EXPECT_EQ(before.rounds, after.rounds) << where;
  EXPECT_EQ(before.messages, after.messages) << where;
  EXPECT_EQ(before.volume_bytes, after.volume_bytes) << where;
  EXPECT_EQ(before.total_blocks, after.total_blocks) << where;
}

/// Writes the schedule of a point and reads it back.
void expect_round_trip(scenario::Scenario const& point, std::string const& where) {
  Plan const plan = plan_of(point, "s.json");
  SchedulePlan const& chosen = schedule_plan(plan, "s.json");
  std::string const text = written(export_schedule(chosen, point));
  ScheduleFile const read = parse_schedule(text, "x.json");
  EXPECT_EQ(written(read), text) << where;
  EXPECT_EQ(scenario::deepest_fault(schedule_schema(), Json::parse(text)), std::nullopt) << where;
  expect_same_counts(chosen.schedule, read.schedule, where);
  EXPECT_TRUE(verdict_of(read).valid()) << where;
  // The promise written out, slot by slot, says the same.
  Json const stated = written_out(chosen.collective);
  problem::Promise const again = scenario::read_promise({stated, where, ""}, {.block = read.block});
  EXPECT_TRUE(verify(read.schedule, resolve_promise(again, "x.json").collective).valid()) << where;
}

/// What stands beside the kind of a collective.
std::string collective_of(problem::Kind kind, std::string const& algorithm, int ranks) {
  std::string const word = R"({"kind": ")" + enum_name(kind) + R"(", )";
  switch (kind) {
    case problem::Kind::isomorphic_alltoall:
    case problem::Kind::isomorphic_allgather:
      return word + R"("torus": [4, 3, 2], "neighborhood": {"kind": "moore", "radius": 1}})";
    case problem::Kind::intergroup_exchange:
    case problem::Kind::intergroup_gather:
    case problem::Kind::intergroup_scatter:
    case problem::Kind::intergroup_reduce:
      return word + R"("senders": )" + std::to_string(ranks) + R"(, "receivers": )" + std::to_string(2 * ranks) +
             R"(, "torus": [3, )" + std::to_string(ranks) + "]}";
    case problem::Kind::intergroup_allgather:
      return word + R"("senders": )" + std::to_string(ranks) + R"(, "receivers": 4, "broadcast": "scatter_allgather"})";
    default:
      break;
  }
  if (problem::classical_collective(kind)) {
    std::string const groups = algorithm == "locality_bruck" ? R"(, "group_size": 2)"
                               : algorithm == "hierarchical"
                                   ? R"(, "hierarchy": {"groups": [2], "intra": "linear", "inter": "linear"})"
                                   : "";
    return word + R"("ranks": )" + std::to_string(ranks) + groups + "}";
  }
  if (algorithm == "torus") {
    return word + R"("graph": {"kind": "moore", "torus": [)" + std::to_string(ranks) + R"(, 3], "radius": 1}})";
  }
  return word + R"("graph": {"kind": "erdos_renyi", "ranks": )" + std::to_string(ranks) + R"(, "density": 0.4}})";
}

TEST(ScheduleJson, of_every_algorithm_of_every_kind_reads_back_to_the_same_bytes_and_is_proved) {
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    if (!scenario::is_promised(kind)) continue;
    std::set<std::string> written_once;
    bool const barrier = kind == problem::Kind::barrier || kind == problem::Kind::sparse_barrier;
    for (int const ranks : {2, 7, 8}) {
      for (std::string const& algorithm : problem::algorithms(kind)) {
        Given given{.collective = collective_of(kind, algorithm, ranks)};
        if (barrier) given.more = R"({"block": "0B"})";
        std::string const where = algorithm + " " + given.collective;
        try {
          expect_round_trip(parsed(given, algorithm), where);
          written_once.insert(algorithm);
        } catch (InputError const&) {
          // An algorithm for other numbers of ranks.
        }
      }
    }
    std::vector<std::string> const all = problem::algorithms(kind);
    EXPECT_EQ(written_once, std::set<std::string>(all.begin(), all.end())) << word;
  }
}

TEST(ScheduleJson, keeps_sizes_joins_labels_offsets_and_open_dimensions) {
  std::string const segments = R"({"kind": "reduce", "ranks": 6, "segment": "10B", "commutative": false})";
  expect_round_trip(parsed({.collective = segments}, "chain"), segments);
  std::string const sizes = R"({"kind": "alltoall", "ranks": 5, "block_sizes": "m + source*3 + target"})";
  expect_round_trip(parsed({.collective = sizes}, "bruck"), sizes);
  std::string const open = R"({"kind": "isomorphic_alltoall", "torus": [4, 3, 2], "periodic": [true, false, true],
                               "neighborhood": {"kind": "offsets", "offsets": [[1, 1, 0], [0, -2, 1]]}})";
  expect_round_trip(parsed({.collective = open}, "straightforward"), open);
  std::string const groups = R"({"kind": "intergroup_allgather", "senders": 6, "receivers": 4})";
  expect_round_trip(parsed({.collective = groups}, "ring_sequences"), groups);
}

/// Rank 0 sends its block to rank 1, members in the order of a sorted object and a copy behind the rounds.
constexpr char const* other_way_round = R"json({
  "programs": [
    {"rounds": [{"sends": [{"places": [["intermediate", 0]], "rank": 1}]}], "copies": [[["send", 0], ["intermediate", 0]]],
     "buffers": {"send": {"slots": 1}, "intermediate": {"slots": 1}}, "ranks": [0]},
    {"rounds": [{"receives": [{"rank": 0, "bytes": 64, "places": [["receive", 0]]}]}],
     "buffers": {"receive": {"slots": 1}}, "ranks": [1]}],
  "promise": {"kind": "bcast", "ranks": 2},  // as any JSON of ours it may have comments
  "block_bytes": 64, "ranks": 2, "format": "rondo-schedule"})json";

TEST(ScheduleJson, may_come_in_any_order) {
  ScheduleFile const read = parse_schedule(other_way_round, "x.json");
  EXPECT_TRUE(verdict_of(read).valid());
  EXPECT_EQ(measure(read.schedule).volume_bytes, Bytes(64));
  EXPECT_EQ(read.schedule.promises.ports, 0);
}

TEST(ScheduleJson, is_what_its_schema_says) {
  for (char const* fault : {"/ranks", "/format", "/programs/0/rounds/0/sends/0/places/0/0", "/programs/0/rounds/0/walk",
                            "/programs/0/buffers/send/slots", "/block_bytes", "/torus"}) {
    Json document = Json::parse(other_way_round, nullptr, true, true);
    document[Json::json_pointer(fault)] = "wrong";
    EXPECT_THROW(parse_schedule(document.dump(), "x.json"), InputError) << fault;
    EXPECT_NE(scenario::deepest_fault(schedule_schema(), document), std::nullopt) << fault;
  }
}

TEST(ScheduleJson, has_no_more_moves_than_are_read) {
  std::string text = R"({"format":"rondo-schedule","ranks":2,"programs":[{"ranks":"all","rounds":[{"sends":[)";
  for (int i = 0; i < 4; ++i) text += std::string(i > 0 ? "," : "") + R"({"rank":1,"places":[["send",0],["send",1]]})";
  try {
    parse_schedule(text + "]}]}]}", "x.json", 7);
    FAIL() << "expected an InputError";
  } catch (InputError const& refused) {
    // The eighth move is in the fourth message.
    EXPECT_STREQ(refused.what(),
                 "x.json: /programs/0/rounds/0/sends/3: expected at most 7 moves of blocks in all, got more");
  }
}

TEST(Promise, written_out_is_the_same_as_named) {
  Json const stated = Json::parse(R"({"kind": "stated", "ranks": 3, "held": [[0], [0], [0]],
    "owed": [[{"block": 0, "from": "all"}], [{"block": 0, "from": [0, 1, 2]}], [{"block": 0, "from": {"first": 0, "last": 2}}]]})");
  std::string const file = "x.json";
  scenario::Place const place{stated, file, ""};
  ResolvedPromise const read = resolve_promise(scenario::read_promise(place, {}), file);
  Collective const named = Classical{ClassicalCollective::allreduce, 3};
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(held(read.collective, Rank(r)), held(named, Rank(r)));
    auto const owed_here = owed(read.collective, Rank(r)), expected = owed(named, Rank(r));
    ASSERT_EQ(owed_here.size(), expected.size());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(owed_here[0].contribution(i), expected[0].contribution(i));
  }
}

TEST(Promise, of_blocks_in_pieces_is_that_of_their_pieces) {
  // Rank r's block in pieces 2 and 1: an allgather of two ranks owes three pieces to each.
  Collective const cut = in_pieces(Classical{ClassicalCollective::allgather, 2}, {2, 1});
  EXPECT_EQ(held(cut, Rank(0)), (std::vector<Content>{{Rank(0), BlockId(0)}, {Rank(0), BlockId(1)}}));
  EXPECT_EQ(held(cut, Rank(1)), (std::vector<Content>{{Rank(1), BlockId(0)}}));
  std::vector<Content> got;
  for (Owed const& each : owed(cut, Rank(1))) got.push_back(*each.whole());
  EXPECT_EQ(got, (std::vector<Content>{{Rank(0), BlockId(0)}, {Rank(0), BlockId(1)}, {Rank(1), BlockId(0)}}));
}

}  // namespace
}  // namespace rondo
