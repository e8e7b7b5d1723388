// Scenarios of kind program, as a user runs them.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/given_program.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

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
