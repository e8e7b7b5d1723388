#pragma once

// A scenario of kind program in a folder with its source, for the tests that run it as a user does.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace rondo::test {

inline constexpr char const* hello = R"(
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
  std::vector<nlohmann::json> records() const {
    std::vector<nlohmann::json> result;
    std::istringstream lines(run("run --quiet --format jsonl").out);
    for (std::string line; std::getline(lines, line);) result.push_back(nlohmann::json::parse(line));
    return result;
  }

  Folder folder;
  nlohmann::json of;
};

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

inline constexpr char const* three_sums =
    "  for (int i = 0; i < 3; i++) MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n";
inline constexpr double three = 3 * 2 * 1.008e-6;

/// The calls in the profile of the program.
inline std::vector<nlohmann::json> profile_of(Given const& given) {
  Ran const ran = given.run("run --quiet --profile --format jsonl");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return nlohmann::json::parse(ran.out)["profile"]["collectives"].get<std::vector<nlohmann::json>>();
}

}  // namespace rondo::test
