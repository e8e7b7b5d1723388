// Programs that fail, and those that are refused before they run.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/given_program.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

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

}  // namespace
}  // namespace rondo::test
