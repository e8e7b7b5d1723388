// Scenarios of kind program, as a user runs them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/trace_rules.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* hello = R"(
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, p, n = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  char* const all = malloc(p * n + 1);
  char* const own = calloc(n + 1, 1);
  MPI_Allgather(own, n, MPI_CHAR, all, n, MPI_CHAR, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, blocks of %d\n", p, n);
  MPI_Finalize();
  return rank == 0 && argc > 2 ? atoi(argv[2]) : 0;
}
)";

/// A scenario beside its program, hello.c.
class Given {
 public:
  Given()
      : of{{"machine",
            {{"topology", {{"kind", "fully_connected"}, {"hosts", 4}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
           {"collective", {{"kind", "program"}, {"source", "hello.c"}, {"arguments", {"100"}}}}} {
    folder.write("hello.c", hello);
  }
  Ran run(std::string const& words) const {
    return rondo(words + " --allow-programs " + folder.write("s.json", of.dump()));
  }
  std::vector<json> records() const {
    std::vector<json> result;
    std::istringstream lines(run("run --quiet --format jsonl").out);
    for (std::string line; std::getline(lines, line);) result.push_back(json::parse(line));
    return result;
  }

  Folder folder;
  json of;
};

TEST(CliProgram, the_example_needs_no_more_than_a_source) {
  Given given;
  auto const all = given.records();
  ASSERT_EQ(all.size(), 1U);
  json const& record = all.front();
  EXPECT_EQ(record["collective"], "program");
  EXPECT_EQ(record["algorithm"], "default");
  EXPECT_EQ(record["p"], 4);
  EXPECT_TRUE(record["error"].is_null()) << record["error"];
  for (char const* absent : {"rounds", "delivered", "violations", "block_bytes", "payload", "volume_blocks"}) {
    EXPECT_TRUE(record[absent].is_null()) << absent;
  }
  EXPECT_EQ(record["volume_bytes"], 300);
  EXPECT_EQ(record["messages"], 12);
}

TEST(CliProgram, its_messages_are_in_the_trace) {
  Given given;
  Ran const ran = given.run("export --format trace");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  TraceRules const rules(json::parse(ran.out));
  EXPECT_TRUE(rules.faults().empty()) << rules.faults().front();
  EXPECT_EQ(rules.flows(), 12U);
  EXPECT_EQ(rules.slices(), 2U * 12 + 4);  // and a call of each rank
  double const last = static_cast<double>(rules.end()) * 1e-12;
  EXPECT_NEAR(last, given.records().front()["time_s"].get<double>(), 1e-12);
}

/// A program of 4 ranks that does `work`; an allreduce of 8 B takes two rounds of 1.008 us.
struct Doing : Given {
  explicit Doing(std::string const& work) {
    folder.write("hello.c", R"(
#include <mpi.h>
static double a[256], b[256];
int main(int argc, char** argv) {
  int rank;
  MPI_Comm pair;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
)" + work + "  MPI_Finalize();\n  return 0;\n}\n");
    of["collective"]["algorithms"] = {{"allreduce", "rdb"}};
  }
};

constexpr char const* three_sums =
    "  for (int i = 0; i < 3; i++) MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n";
constexpr double three = 3 * 2 * 1.008e-6;

std::vector<json> profile_of(Given const& given) {
  Ran const ran = given.run("run --quiet --profile --format jsonl");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return json::parse(ran.out)["profile"]["collectives"].get<std::vector<json>>();
}

TEST(CliProgram, the_profile_says_what_a_collective_took) {
  for (std::string const algorithm : {"", "recursive_doubling"}) {
    Doing given(three_sums);
    if (!algorithm.empty()) given.of["collective"]["environment"] = {{"RONDO_ALLREDUCE_ALGORITHM", algorithm}};
    std::vector<json> const profile = profile_of(given);
    ASSERT_EQ(profile.size(), 1U);
    EXPECT_EQ(profile[0]["call"], "MPI_Allreduce");
    EXPECT_EQ(profile[0]["communicator"], "world");
    EXPECT_EQ(profile[0]["ranks"], 4);
    EXPECT_EQ(profile[0]["calls"], 3);
    EXPECT_EQ(profile[0]["bytes"], 24);
    EXPECT_NEAR(profile[0]["share"].get<double>(), 1, 1e-9);
    if (!algorithm.empty()) continue;  // whose first call duplicates the communicator
    EXPECT_NEAR(profile[0]["time_s"].get<double>(), three, 1e-12);
    EXPECT_NEAR(profile[0]["longest_s"].get<double>(), three, 1e-12);
  }
}

TEST(CliProgram, the_profile_tells_groups_of_ranks_apart) {
  Doing const given(
      "  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &pair);\n"
      "  MPI_Bcast(a, 100, MPI_DOUBLE, 0, pair);\n"
      "  MPI_Comm_free(&pair);\n"
      "  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &pair);\n"
      "  if (rank < 2) MPI_Bcast(a, 5, MPI_DOUBLE, 0, pair);\n"
      "  MPI_Iallreduce(a, b, 2, MPI_INT, MPI_SUM, pair, &request);\n"
      "  MPI_Wait(&request, MPI_STATUS_IGNORE);\n"
      "  MPI_Alltoall(a, 2, MPI_CHAR, b, 2, MPI_CHAR, MPI_COMM_WORLD);\n"
      "  MPI_Comm_free(&pair);\n");
  std::map<std::string, json> calls;
  for (json const& each : profile_of(given)) {
    calls[each["call"].get<std::string>() + " " + each["communicator"].get<std::string>()] = each;
  }
  std::map<std::string, std::pair<int, int>> const right = {
      {"MPI_Bcast 0,2", {2, 800}},    {"MPI_Bcast 1,3", {2, 800}},    {"MPI_Bcast 1,0", {2, 40}},
      {"MPI_Iallreduce 1,0", {2, 8}}, {"MPI_Iallreduce 3,2", {2, 8}}, {"MPI_Alltoall world", {4, 8}}};
  if (sanitized) return;  // without the library, which tells of non-blocking collectives
  EXPECT_EQ(calls.size(), right.size());
  for (auto const& [name, numbers] : right) {
    ASSERT_TRUE(calls.contains(name)) << name;
    EXPECT_EQ(calls[name]["calls"], 1) << name;
    EXPECT_EQ(calls[name]["ranks"], numbers.first) << name;
    EXPECT_EQ(calls[name]["bytes"], numbers.second) << name;
  }
}

TEST(CliProgram, the_profile_is_a_table_and_refused_elsewhere) {
  Doing given(three_sums);
  Ran const table = given.run("run --quiet --profile");
  EXPECT_NE(table.out.find("MPI_Allreduce         world      4      3    24B  6.048us    6.048us  100.0 %"),
            std::string::npos)
      << table.out;
  EXPECT_EQ(given.run("run --quiet").out.find("MPI_Allreduce"), std::string::npos);
  EXPECT_FALSE(given.records().front().contains("profile"));
  EXPECT_EQ(given.run("run --quiet --profile --format csv").exit_code, 2);
  // A record that has one is read again.
  std::string const out = (given.folder.path() / "out.jsonl").string();
  EXPECT_EQ(given.run("run --quiet --profile --output " + out).exit_code, 0);
  std::string const before = content_of(out);
  EXPECT_EQ(given.run("run --quiet --profile --resume --output " + out).exit_code, 0);
  EXPECT_EQ(content_of(out), before);
}

TEST(CliProgram, is_timed_between_the_calls_of_pcontrol) {
  auto const time = [](std::string const& work) { return Doing(work).records().front()["time_s"].get<double>(); };
  std::string const sums = three_sums;
  EXPECT_NEAR(time(sums + sums), 2 * three, 1e-12);
  EXPECT_NEAR(time(sums + "  MPI_Pcontrol(1);\n" + sums), three, 1e-12);
  EXPECT_NEAR(time(sums + "  MPI_Pcontrol(1);\n" + sums + "  MPI_Pcontrol(0);\n" + sums), three, 1e-12);
  // Two regions, of which a rank opens one twice and closes one twice.
  EXPECT_NEAR(time("  MPI_Pcontrol(0);\n  MPI_Pcontrol(1);\n  MPI_Pcontrol(1);\n" + sums +
                   "  MPI_Pcontrol(0);\n  MPI_Pcontrol(0);\n" + sums + "  MPI_Pcontrol(1);\n" + sums),
              2 * three, 1e-12);
  // Without a 1 nothing is left out; other levels mean nothing here.
  EXPECT_NEAR(time("  MPI_Pcontrol(0);\n  MPI_Pcontrol(2);\n" + sums), three, 1e-12);
  // The first rank begins the region and the last one ends it.
  EXPECT_NEAR(time("  if (rank == 0) MPI_Pcontrol(1);\n" + sums + "  if (rank == 1) MPI_Pcontrol(1);\n" + sums),
              2 * three, 1e-12);
}

TEST(CliProgram, its_calls_are_in_the_trace) {
  Ran const ran = Doing(three_sums).run("export --format trace");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::map<std::string, int> calls;
  double end = 0;
  json const trace = json::parse(ran.out);
  for (json const& event : trace["traceEvents"]) {
    if (event.value("cat", "") != "call") continue;
    ++calls[event["name"].get<std::string>() + " " + event["pid"].dump()];
    end = std::max(end, event["ts"].get<double>() + event["dur"].get<double>());
  }
  EXPECT_EQ(calls,
            (std::map<std::string, int>{
                {"MPI_Allreduce 0", 3}, {"MPI_Allreduce 1", 3}, {"MPI_Allreduce 2", 3}, {"MPI_Allreduce 3", 3}}));
  EXPECT_NEAR(end, three * 1e6, 1e-6);
}

/// Sums on all ranks, then broadcasts on pairs, on 4 ranks by SimGrid's default algorithms, which go straight.
constexpr char const* sums_and_broadcasts =
    "  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);\n"
    "  for (int i = 0; i < 20; i++) MPI_Allreduce(a, b, 200, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "  MPI_Iallgather(a, 1, MPI_CHAR, b, 1, MPI_CHAR, pair, &request);\n"
    "  MPI_Wait(&request, MPI_STATUS_IGNORE);\n"
    "  MPI_Comm_free(&pair);\n";

/// The time of the program with these variables, as `run` says it.
double time_with(Given& given, json const& environment) {
  given.of["collective"]["environment"] = environment;
  json const record = given.records().front();
  given.of["collective"].erase("environment");
  return record["time_s"].get<double>();
}

TEST(CliProgram, tune_tries_the_algorithms_of_what_it_calls) {
  if (sanitized) GTEST_SKIP() << "needs librondo_mpi";
  Doing given(sums_and_broadcasts);
  given.of["collective"].erase("algorithms");
  Ran const ran = given.run("tune --quiet --format json --algorithms ring,rabenseifner,recursive_doubling");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (std::string const option : {"--interval", "--robust"}) {
    Ran const refused = given.run("tune --quiet " + option + " 10%");
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_NE(refused.err.find(option + ": expected none for a program without {block}"), std::string::npos)
        << refused.err;
  }
  json const decided = json::parse(ran.out)["programs"][0];
  EXPECT_EQ(decided["p"], 4);
  EXPECT_DOUBLE_EQ(decided["as_is_s"].get<double>(), time_with(given, json::object()));
  ASSERT_EQ(decided["collectives"].size(), 2U);
  std::map<std::string, std::size_t> const tried{{"allreduce", 4}, {"allgather", 3}};
  json best = json::object();
  for (json const& each : decided["collectives"]) {
    auto const collective = each["collective"].get<std::string>();
    std::string const variable = collective == "allreduce" ? "RONDO_ALLREDUCE_ALGORITHM" : "RONDO_ALLGATHER_ALGORITHM";
    EXPECT_EQ(each["tried"].size(), tried.at(collective)) << collective;
    double last = 0;
    for (json const& one : each["tried"]) {
      std::string const word = one["algorithm"].is_null() ? "" : one["algorithm"].get<std::string>();
      double const time = one["time_s"].get<double>();
      EXPECT_NEAR(time, time_with(given, {{variable, word}}), 1e-15) << word;
      EXPECT_GE(time, last * (1 - 1e-6));
      last = time;
    }
    double const first = each["tried"][0]["time_s"].get<double>();
    if (first < decided["as_is_s"].get<double>() * (1 - 1e-6)) best[variable] = each["tried"][0]["algorithm"];
  }
  // Sums through a root take 3 + 3 messages at a time, recursive doubling 2.
  EXPECT_EQ(best, decided["environment"]);
  EXPECT_TRUE(best.contains("RONDO_ALLREDUCE_ALGORITHM"));
  EXPECT_NEAR(decided["fastest_s"].get<double>(), time_with(given, decided["environment"]), 1e-15);
  EXPECT_LT(decided["fastest_s"].get<double>(), 0.8 * decided["as_is_s"].get<double>());
}

TEST(CliProgram, tune_says_what_to_set) {
  if (sanitized) GTEST_SKIP() << "needs librondo_mpi";
  Doing given(sums_and_broadcasts);
  given.of["collective"].erase("algorithms");
  Ran const ran = given.run("tune --quiet --algorithms recursive_doubling");
  EXPECT_NE(ran.out.find(" less, by RONDO_ALLREDUCE_ALGORITHM=recursive_doubling\n"
                         "\"environment\": {\"RONDO_ALLREDUCE_ALGORITHM\":\"recursive_doubling\"}\n"),
            std::string::npos)
      << ran.out;
  Ran const wrong = given.run("tune --quiet --algorithms pairwise");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--algorithms: expected some of those of the collectives that"), std::string::npos)
      << wrong.err;
  Ran const silent = Doing("").run("tune --quiet");
  EXPECT_EQ(silent.exit_code, 0);
  EXPECT_NE(silent.out.find("it calls no collective for which an algorithm can be chosen\n"), std::string::npos);
  EXPECT_NE(silent.out.find("fastest: as the scenario says\n"), std::string::npos);
  Ran const failing = Doing("  if (rank == 1) return 3;\n").run("tune --quiet");
  EXPECT_EQ(failing.exit_code, 3);
  EXPECT_NE(failing.err.find("rank 1 returned 3"), std::string::npos) << failing.err;
}

TEST(CliProgram, tune_wants_the_library_in_the_program) {
  if (sanitized) GTEST_SKIP() << "needs smpicc's programs";
  Doing given(three_sums);
  ASSERT_EQ(std::system(("cd " + given.folder.path().string() + " && smpicc hello.c -o plain").c_str()), 0);
  given.of["collective"].erase("source");
  given.of["collective"]["binary"] = "plain";
  Ran const ran = given.run("tune --quiet");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("s.json: /collective/binary: expected a program that is linked with librondo_mpi, whose "
                         "algorithms are tried, got one without; rondo-cc and its like link it\n"),
            std::string::npos)
      << ran.err;
  // Its collectives are profiled all the same.
  EXPECT_EQ(profile_of(given)[0]["calls"], 3);
}

TEST(CliProgram, is_run_again_where_its_source_has_changed) {
  // Each of 4 ranks receives 3 blocks of 100 B, then of 200 B, and sends as much.
  Given given;
  std::string const out = (given.folder.path() / "out.jsonl").string();
  for (int const times : {1, 2}) {
    std::string source = hello;
    source.replace(source.find("atoi(argv[1])"), 4, std::to_string(times) + " * atoi");
    given.folder.write("hello.c", source);
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(given.run("run --quiet --resume --format jsonl --output " + out).exit_code, 0);
      json const record = json::parse(content_of(out));
      EXPECT_EQ(record["volume_bytes"], 300 * times);
      EXPECT_EQ(record["expanded"]["collective"]["checksum"].get<std::string>().substr(0, 6), "fnv1a:");
    }
  }
  given.of["collective"]["checksum"] = "fnv1a:0";
  Ran const other = given.run("run --quiet");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("/collective/checksum: expected \"fnv1a:"), std::string::npos) << other.err;
}

TEST(CliProgram, that_crashes_names_the_rank_and_what_it_said_last) {
  if (sanitized) GTEST_SKIP() << "sanitizers have handlers and words of their own";
  Given given;
  given.folder.write("hello.c", R"(
#include <assert.h>
#include <mpi.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2 && strcmp(argv[1], "fault") == 0) *(int volatile*)8 = 1;
  assert(rank != 3 || strcmp(argv[1], "claim") != 0);
  MPI_Finalize();
})");
  given.of["sweep"] = {{"/collective/arguments", {{"fault"}, {"claim"}}}};
  auto const records = given.records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0]["error"], "crash: the simulation was ended by signal 11 (Segmentation fault) in rank 2");
  std::string const claim = records[1]["error"];
  EXPECT_TRUE(claim.starts_with("crash: the simulation was ended by signal 6 (Aborted) in rank 3: ")) << claim;
  EXPECT_NE(claim.find("Assertion `rank != 3"), std::string::npos) << claim;
}

TEST(CliProgram, that_waits_for_ever_names_the_calls_and_what_they_wait_for) {
  Given given;
  given.folder.write("hello.c", R"(
#include <mpi.h>
#include <string.h>
static int is(char** argv, char const* word) { return strcmp(argv[1], word) == 0; }
int main(int argc, char** argv) {
  int rank, taken[3];
  static char large[1 << 20];
  MPI_Comm half;
  MPI_Request requests[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (is(argv, "recv") && rank == 1) MPI_Recv(taken, 1, MPI_INT, 3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is(argv, "half") && rank == 3) MPI_Recv(taken, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, MPI_STATUS_IGNORE);
  if (is(argv, "barrier") && rank != 1) MPI_Barrier(MPI_COMM_WORLD);
  if (is(argv, "send") && rank < 2) MPI_Send(large, 1 << 20, MPI_CHAR, 1 - rank, 5, MPI_COMM_WORLD);
  if (is(argv, "waitall") && rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (is(argv, "waitall") && rank == 1) {
    for (int i = 0; i < 3; ++i) MPI_Irecv(&taken[i], 1, MPI_INT, i == 0 ? 0 : i + 1, 7, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
})");
  given.of["sweep"] = {{"/collective/arguments", {{"recv"}, {"half"}, {"barrier"}, {"send"}, {"waitall"}}}};
  auto const records = given.records();
  ASSERT_EQ(records.size(), 5U);
  for (auto const& [point, said] :
       {std::pair(0, "rank 1 in MPI_Recv from rank 3 with tag 7 waits for ever"),
        {1, "rank 3 in MPI_Recv from any rank of its communicator waits for ever"},
        {2, "rank 0 in MPI_Barrier, rank 2 in MPI_Barrier, rank 3 in MPI_Barrier wait for ever"},
        {3, "rank 0 in MPI_Send to rank 1 with tag 5, rank 1 in MPI_Send to rank 0 with tag 5 wait for ever"},
        {4, "rank 1 in MPI_Waitall for a receive from rank 2 with tag 7 and 1 more request waits for ever"}}) {
    EXPECT_EQ(records[static_cast<std::size_t>(point)]["error"],
              "deadlock: " + std::string(said) + "; sends of more than 64KiB wait for their receivers");
  }
}

/// Each point is a program that MPI calls wrong, but for the last three. A send of more than 64 KiB is not buffered.
TEST(CliProgram, messages_that_nobody_receives_are_the_failure_of_its_point) {
  Given given;
  given.folder.write("hello.c", R"(
#include <mpi.h>
#include <string.h>
static int is(char** argv, char const* word) { return strcmp(argv[1], word) == 0; }
int main(int argc, char** argv) {
  int rank, taken, done;
  static char large[1 << 20];
  MPI_Comm half;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (is(argv, "eager") && rank == 0) for (int i = 1; i < 4; ++i) MPI_Send(large, i, MPI_CHAR, i, 10 + i, MPI_COMM_WORLD);
  if (is(argv, "eager") && rank == 1) MPI_Recv(&taken, 4, MPI_CHAR, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is(argv, "half") && rank == 1) MPI_Send(large, 0, MPI_CHAR, 1, 0, half);
  if (is(argv, "large") && rank == 2) MPI_Isend(large, 1 << 20, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &request);
  if (is(argv, "itself") && rank == 3) MPI_Isend(large, 8, MPI_CHAR, 3, 5, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is(argv, "late") && rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (is(argv, "late") && rank == 1) {
    for (done = 0; !done;) MPI_Iprobe(0, 7, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    MPI_Recv(&taken, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (is(argv, "cancelled") && rank == 0) {
    MPI_Isend(&rank, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(large, 1 << 20, MPI_CHAR, 1, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (is(argv, "collectives")) {
    int all[4], all_of_all[4] = {0};
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(all_of_all, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(all, all_of_all, 4, MPI_INT, MPI_SUM, half);
  }
  MPI_Finalize();
})");
  given.of["sweep"] = {{"/collective/arguments",
                        {{"eager"}, {"half"}, {"large"}, {"itself"}, {"late"}, {"cancelled"}, {"collectives"}}}};
  auto const records = given.records();
  ASSERT_EQ(records.size(), 7U);
  for (auto const& [point, said] : {std::pair(0, "2, the first from rank 0 to rank 2 with tag 12 (2B)"),
                                    {1, "1, from rank 1 to rank 3 with tag 0 (0B)"},
                                    {2, "1, from rank 2 to rank 0 with tag 5 (1MiB)"},
                                    {3, "1, from rank 3 to rank 3 with tag 5 (8B)"}}) {
    json const& record = records[static_cast<std::size_t>(point)];
    EXPECT_EQ(record["error"],
              "unreceived messages: " + std::string(said) + "; MPI asks that all are received before MPI_Finalize");
    EXPECT_TRUE(record["time_s"].is_null());
  }
  for (std::size_t i = 4; i < 7; ++i) EXPECT_TRUE(records[i]["error"].is_null()) << records[i]["error"];
}

TEST(CliProgram, goes_by_the_algorithms_that_its_environment_names) {
  if (sanitized) GTEST_SKIP() << "in release: programs are linked with librondo_mpi, which is built without sanitizers";
  // p = 4: a ring takes 3 rounds of one block; recursive doubling and Swing send 1 and 2 blocks. Before that the
  // communicator is duplicated, whose number of 4 bytes SMPI sends to all along a binomial tree.
  Given given;
  given.of["collective"]["arguments"] = {"{block}"};
  given.of["collective"]["environment"] = {{"RONDO_ALLGATHER_ALGORITHM", "ring"}};
  given.of["block"] = "1B";
  std::string const across = "/collective/environment/RONDO_ALLGATHER_ALGORITHM";
  given.of["sweep"] = {{across, {"ring", "recursive_doubling", "swing"}}, {"/block", {"100B", "1MB"}}};
  auto const claim = [&](std::string const& that) { return json{{"claim", that}, {"that", that}, {"across", across}}; };
  given.of["expect"] = {claim("near(ring.time, 3*(alpha + beta*m) + 2*(alpha + 4*beta)) && ring.messages == 12 + 3"),
                        claim("near(recursive_doubling.time, 2*alpha + 3*beta*m + 2*(alpha + 4*beta))"),
                        claim("near(swing.time, 2*alpha + 3*beta*m + 2*(alpha + 4*beta)) && swing.messages == 8 + 3")};
  Ran const ran = given.run("check");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  given.of["sweep"] = {{across, {"fastest"}}};
  Ran const wrong = given.run("run --quiet");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find(
                "/collective/environment/RONDO_ALLGATHER_ALGORITHM: expected one of linear, direct_messaging, ring"),
            std::string::npos)
      << wrong.err;
}

TEST(CliProgram, the_algorithm_of_a_collective_is_swept_and_claimed) {
  // p = 4: ring takes 3 rounds of one block; rdb sends 1 and 2 blocks.
  Given given;
  given.of["collective"]["algorithms"] = {{"allgather", "ring"}};
  given.of["collective"]["arguments"] = {"{block}"};
  given.of["block"] = "1B";
  given.of["sweep"] = {{"/collective/algorithms/allgather", {"ring", "rdb"}}, {"/block", {"100B", "1MB"}}};
  std::string const across = "/collective/algorithms/allgather";
  given.of["expect"] = {
      {{"claim", "ring"}, {"that", "near(ring.time, 3*(alpha + beta*m)) && ring.messages == 12"}, {"across", across}},
      {{"claim", "rdb"}, {"that", "near(rdb.time, 2*alpha + 3*beta*m) && rdb.messages == 8"}, {"across", across}},
      {{"claim", "bytes"}, {"that", "ring.bytes == 3*m && rdb.bytes == 3*m"}, {"across", across}}};
  Ran const ran = given.run("check");
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  auto const all = given.records();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0]["block_bytes"], 100);
  EXPECT_NE(all[0]["time_s"], all[2]["time_s"]);
}

TEST(CliProgram, is_compiled_with_the_flags_that_it_names) {
  // A message of ROUNDS times 1,000 bytes at 1 us and 1 GB/s, as each flag says, or of 1 by default.
  Given given;
  given.folder.write("sends.c", R"(
#include <mpi.h>
#ifndef ROUNDS
#define ROUNDS 1
#endif
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  static char data[1000 * ROUNDS];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
)");
  given.of["collective"]["source"] = "sends.c";
  given.of["sweep"] = {{"/collective/flags", {json::array(), {"-DROUNDS=3"}, {"-O1", "-DROUNDS=7"}}}};
  auto const swept = given.records();
  ASSERT_EQ(swept.size(), 3U);
  for (auto const& [point, rounds] : {std::pair(0, 1), {1, 3}, {2, 7}}) {
    EXPECT_EQ(swept[static_cast<std::size_t>(point)]["volume_bytes"], 1000 * rounds);
    EXPECT_NEAR(swept[static_cast<std::size_t>(point)]["time_s"].get<double>(), 1e-6 + 1e-6 * rounds, 1e-14);
  }
}

TEST(CliProgram, a_loop_on_the_clock_takes_the_time_of_its_calls) {
  Given given;
  given.folder.write("waits.c", R"(
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double const begin = MPI_Wtime();
  while (MPI_Wtime() - begin < 0.955e-6) continue;
  MPI_Finalize();
  return 0;
}
)");
  given.of["collective"]["source"] = "waits.c";
  given.of["sweep"] = {{"/collective/wtime", {"10ns", "100ns"}}};
  auto const swept = given.records();
  ASSERT_EQ(swept.size(), 2U);
  // 96 calls after the first one, or 10.
  EXPECT_NEAR(swept[0]["time_s"].get<double>(), 97 * 10e-9, 1e-12);
  EXPECT_NEAR(swept[1]["time_s"].get<double>(), 11 * 100e-9, 1e-12);
  given.of.erase("sweep");
  EXPECT_EQ(given.records().at(0)["time_s"], swept[0]["time_s"]);
}

TEST(CliProgram, what_it_prints_is_no_part_of_rondo_s_output) {
  Given given;
  Ran const dropped = given.run("run --quiet --format csv");
  EXPECT_EQ(dropped.out.find("ranks, blocks"), std::string::npos);
  EXPECT_EQ(dropped.err, "");
  given.of["collective"]["printed"] = "shown";
  Ran const shown = given.run("run --quiet --format csv");
  EXPECT_EQ(shown.out.find("ranks, blocks"), std::string::npos);
  EXPECT_EQ(shown.err, "4 ranks, blocks of 100\n");
}

TEST(CliProgram, a_program_that_fails_is_the_error_of_its_point) {
  Given given;
  given.of["collective"]["arguments"] = {"100", "3"};
  Ran const ran = given.run("run --quiet --format jsonl");
  EXPECT_EQ(ran.exit_code, 3);
  json const record = json::parse(ran.out);
  EXPECT_TRUE(record["time_s"].is_null() && record["messages"].is_null());
  EXPECT_EQ(record["error"], "exit: rank 0 returned 3: 4 ranks, blocks of 100");
}

TEST(CliProgram, what_is_wrong_before_a_run_is_bad_input) {
  Given given;
  std::string const place = (given.folder.path() / "s.json").string() + ": ";
  auto const refused = [&](std::string const& words, std::string const& message) {
    Ran const ran = given.run(words);
    EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(place + message), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  refused("show", "expected a point with a schedule, this one is an MPI program");
  refused("export --format json", "expected a point with a schedule, this one is an MPI program");
  given.of["collective"]["source"] = "hallo.c";
  refused("run", "/collective/source: " + (given.folder.path() / "hallo.c").string() + ": no such file");
  given.folder.write("hallo.c", "int main(void) { return x; }\n");
  refused("run", "/collective/source: " + (given.folder.path() / "hallo.c").string() + ":1:25: error: 'x' undeclared");
  given.of["collective"]["source"] = "hello.c";
  given.of["collective"]["environment"] = {{"RONDO_NEIGHBOR_ALGORITHM", "fast"}};
  refused("run",
          "/collective/environment/RONDO_NEIGHBOR_ALGORITHM: expected one of auto, naive, torus, common_neighbors, got "
          "\"fast\"");
  given.of["collective"]["environment"] = {{"RONDO_NEIGHBOR_LATENCY", "12"}, {"RONDO_NEIGHBOR_ALGORITHM", ""}};
  refused("run", "/collective/environment/RONDO_NEIGHBOR_LATENCY: expected a time such as \"1us\"");
  given.of["collective"].erase("environment");
  given.of["collective"]["algorithms"] = {{"allgather", "rign"}};
  refused("run", "/collective/algorithms/allgather: expected one of default, ");
  given.of["collective"] = {{"kind", "program"}, {"binary", "/bin/true"}};
  refused("check --allow-path /bin",
          "/collective/binary: /bin/true: expected an MPI program as smpicc builds it, got ");
}

TEST(CliProgram, a_built_binary_runs_in_several_workers) {
  Given given;
  std::string const binary = (given.folder.path() / "hello").string();
  ASSERT_EQ(std::system(("smpicc " + (given.folder.path() / "hello.c").string() + " -o " + binary).c_str()), 0);
  given.of["collective"] = {{"kind", "program"}, {"binary", "hello"}, {"arguments", {10}}, {"ranks", 2}};
  given.of["sweep"] = {{"/collective/arguments/0", {10, 20, 30}}};
  Ran const ran = given.run("run --quiet --jobs 2 --format jsonl");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::istringstream lines(ran.out);
  int n = 0;
  for (std::string line; std::getline(lines, line);) EXPECT_EQ(json::parse(line)["volume_bytes"], n += 10);
  EXPECT_EQ(n, 30);
}

}  // namespace
}  // namespace rondo::test
