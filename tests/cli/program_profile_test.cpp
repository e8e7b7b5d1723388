// What profiles and traces say of the calls of a program.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/given_program.hpp"
#include "cli/trace_rules.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

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

TEST(CliProgram, the_profile_has_the_calls_of_timed_regions_alone) {
  Doing const given(
      "  MPI_Bcast(a, 1000, MPI_BYTE, 0, MPI_COMM_WORLD);\n"
      "  MPI_Barrier(MPI_COMM_WORLD);\n"
      "  MPI_Pcontrol(1);\n"
      "  MPI_Bcast(a, 10, MPI_BYTE, 0, MPI_COMM_WORLD);\n"
      "  MPI_Pcontrol(0);\n"
      "  MPI_Bcast(a, 1000, MPI_BYTE, 0, MPI_COMM_WORLD);\n");
  std::vector<json> const profile = profile_of(given);
  ASSERT_EQ(profile.size(), 1U);
  EXPECT_EQ(profile[0]["call"], "MPI_Bcast");
  EXPECT_EQ(profile[0]["calls"], 1);
  EXPECT_EQ(profile[0]["bytes"], 10);
  EXPECT_LE(profile[0]["share"].get<double>(), 1 + 1e-9);
  EXPECT_GT(profile[0]["share"].get<double>(), 0.3);
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

}  // namespace
}  // namespace rondo::test
