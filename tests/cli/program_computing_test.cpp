// The computing of programs: measured, replayed, and named by the program itself.

#include <gtest/gtest.h>

#include <fstream>

#include "cli/given_program.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// A program of one rank, which calls MPI between the parts of its work.
struct Computing : Given {
  explicit Computing(std::string const& work, json const& computing = nullptr) {
    folder.write("hello.c", R"(
#include <mpi.h>
#include <smpi/smpi.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static double sum;
static void spin(double seconds) {
  clock_t const end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (clock() < end) sum += 1;
}
int main(int argc, char** argv) {
  double x = 1, y = 0;
  MPI_Init(&argc, &argv);
)" + work + "  MPI_Finalize();\n  return 0;\n}\n");
    of["machine"]["topology"]["hosts"] = 1;
    of["collective"]["wtime"] = "0s";
    if (!computing.is_null()) of["collective"]["computing"] = computing;
  }
  double time() const {
    auto const all = records();
    EXPECT_TRUE(all.at(0)["error"].is_null()) << all.at(0)["error"];
    return all.at(0)["time_s"].is_null() ? -1 : all.at(0)["time_s"].get<double>();
  }
  /// The file of times, which is the program's if `program` says so.
  void measured(std::string const& times, std::string const& arguments = "[\"100\"]") {
    Ran const ran = run("run --quiet --measure");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    json file = json::parse(std::ifstream(folder.path() / "times.json"));
    file["programs"][0]["times"] = json::parse(times);
    file["programs"][0]["arguments"] = json::parse(arguments);
    folder.write("times.json", file.dump());
  }
};

TEST(CliComputing, takes_no_time_if_nobody_says_so) { EXPECT_EQ(Computing("  spin(0.01);\n").time(), 0); }

TEST(CliComputing, takes_the_time_of_the_cpu_s_clock_divided_by_the_speed) {
  double const as_here = Computing("  spin(0.02);\n", {{"speed", 1}}).time();
  EXPECT_GE(as_here, 0.0199);
  EXPECT_LE(as_here, 0.04);
  double const faster = Computing("  spin(0.02);\n", {{"speed", 8}}).time();
  EXPECT_GE(faster, 0.0199 / 8);
  EXPECT_LE(faster, 0.04 / 8);
}

TEST(CliComputing, a_program_that_computes_until_a_second_has_passed_ends) {
  double const time =
      Computing("  for (x = MPI_Wtime(); MPI_Wtime() < x + 1;) spin(0.001);\n", {{"speed", 0.02}}).time();
  EXPECT_GE(time, 1);
  EXPECT_LE(time, 1.2);
}

TEST(CliComputing, operations_that_the_program_names_take_the_time_of_its_flops) {
  std::string const named = "  SMPI_SAMPLE_FLOPS(3e6);\n  SMPI_SAMPLE_DELAY(0.001);\n";
  EXPECT_DOUBLE_EQ(Computing(named).time(), 0.003 + 0.001);
  Computing fast(named);
  fast.of["collective"]["computing"] = {{"flops", "2Gflops"}};
  EXPECT_DOUBLE_EQ(fast.time(), 0.0015 + 0.001);
}

TEST(CliComputing, sleeping_takes_the_time_that_it_says) {
  EXPECT_DOUBLE_EQ(Computing("  usleep(250);\n").time(), 250e-6);
  EXPECT_DOUBLE_EQ(Computing("  sleep(2);\n").time(), 2);
  EXPECT_DOUBLE_EQ(Computing("  struct timespec t = {0, 70000};\n  nanosleep(&t, NULL);\n").time(), 70e-6);
}

TEST(CliComputing, clocks_show_the_simulated_time) {
  Computing given(
      "  struct timeval a, b;\n  struct timespec c, d;\n"
      "  gettimeofday(&a, NULL);\n  clock_gettime(CLOCK_MONOTONIC, &c);\n  usleep(5000);\n"
      "  gettimeofday(&b, NULL);\n  clock_gettime(CLOCK_MONOTONIC, &d);\n"
      "  if (b.tv_usec - a.tv_usec != 5000) MPI_Abort(MPI_COMM_WORLD, 3);\n"
      "  if (d.tv_nsec - c.tv_nsec < 4999999 || d.tv_nsec - c.tv_nsec > 5000001) MPI_Abort(MPI_COMM_WORLD, 4);\n");
  EXPECT_DOUBLE_EQ(given.time(), 0.005);
}

/// Rank by rank, the time of a span is that of the file, whatever the program computes.
TEST(CliComputing, is_replayed_as_it_was_measured) {
  Computing given("  spin(0.002);\n  MPI_Barrier(MPI_COMM_WORLD);\n", {{"times", "times.json"}, {"speed", 2}});
  given.measured("[[1000000, 2000000]]");
  EXPECT_DOUBLE_EQ(given.time(), (0.001 + 0.002) / 2);
  // As it was measured: twice the same.
  ASSERT_EQ(given.run("run --quiet --measure").exit_code, 0);
  double const first = given.time();
  EXPECT_GE(first, 0.0019 / 2);
  EXPECT_EQ(given.time(), first);
}

TEST(CliComputing, calls_that_poll_part_a_span_in_equal_parts) {
  // 4 ms in four parts, of which the program meets only two.
  Computing given("  y = MPI_Wtime();\n", {{"times", "times.json"}});
  given.measured("[[[4000000, 4]]]");
  EXPECT_DOUBLE_EQ(given.time(), 0.002);
}

TEST(CliComputing, the_library_s_own_work_is_none_and_an_algorithm_changes_no_span) {
  Computing given(
      "  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
      "  MPI_Request r;\n  int done = 0;\n"
      "  MPI_Iallreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);\n"
      "  while (!done) MPI_Test(&r, &done, MPI_STATUS_IGNORE);\n",
      {{"times", "times.json"}});
  given.of["machine"]["topology"]["hosts"] = 4;
  given.measured("[[100000, 100000, 0], [100000, 100000, 0], [100000, 100000, 0], [100000, 100000, 0]]");
  given.of["sweep"] = {{"/collective/environment", {json::object(), {{"RONDO_ALLREDUCE_ALGORITHM", "ring"}}}}};
  auto const all = given.records();
  ASSERT_EQ(all.size(), 2U);
  for (json const& record : all) {
    EXPECT_TRUE(record["error"].is_null()) << record["error"];
    EXPECT_GT(record["time_s"].get<double>(), 200e-6);
    EXPECT_LT(record["time_s"].get<double>(), 240e-6);  // and the messages
  }
}

TEST(CliComputing, times_of_another_run_are_refused) {
  Computing given("  MPI_Barrier(MPI_COMM_WORLD);\n", {{"times", "times.json"}});
  auto const answer = [&] { return given.run("run --quiet").out; };
  EXPECT_NE(answer().find("times.json: no such file; run --measure writes it"), std::string::npos) << answer();
  given.measured("[[1, 2]]", "[\"101\"]");
  EXPECT_NE(answer().find("it has no times of 1 ranks with the arguments \"100\"; run --measure measures them"),
            std::string::npos)
      << answer();
  given.measured("[[1, 2, 3]]");
  auto const all = given.records();
  EXPECT_EQ(all.at(0)["error"],
            "exit: rank 0 made 2 calls of MPI that do not poll, and 3 when its computing was measured");
  given.folder.write("hello.c", hello);
  EXPECT_NE(answer().find("run --measure measures it anew"), std::string::npos) << answer();
}

TEST(CliComputing, a_measured_run_leaves_the_others_of_its_file) {
  Computing given("  MPI_Barrier(MPI_COMM_WORLD);\n", {{"times", "times.json"}});
  for (char const* argument : {"100", "101", "100"}) {
    given.of["collective"]["arguments"] = {argument};
    ASSERT_EQ(given.run("run --quiet --measure").exit_code, 0);
  }
  auto const programs = json::parse(content_of(given.folder.file("times.json")))["programs"];
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0]["arguments"], json({"100"}));
  EXPECT_EQ(programs[1]["arguments"], json({"101"}));
}

TEST(CliComputing, a_file_of_something_else_is_not_overwritten) {
  Computing given("", {{"times", "hello.c"}});
  std::string const program = content_of(given.folder.file("hello.c"));
  Ran const ran = given.run("run --quiet --measure");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("hello.c:2:1: syntax error"), std::string::npos) << ran.err;
  EXPECT_EQ(content_of(given.folder.file("hello.c")), program);
}

TEST(CliComputing, a_program_that_fails_is_not_measured) {
  Computing given("  MPI_Abort(MPI_COMM_WORLD, 7);\n", {{"times", "times.json"}});
  Ran const ran = given.run("run --quiet --measure");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("cannot be measured: "), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace rondo::test
