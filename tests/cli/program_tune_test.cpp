// Programs that `rondo tune` looks for algorithms for.

#include <gtest/gtest.h>

#include "cli/given_program.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

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
    EXPECT_NE(refused.err.find("expected no " + option + " for a program without {block}"), std::string::npos)
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

}  // namespace
}  // namespace rondo::test
