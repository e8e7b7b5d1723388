// What programs did, in formats that know none.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// Rings, a rank that comes late, collectives, and receives that are posted before they are waited for.
constexpr char const* many_ways = R"(
#include <mpi.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, p, k;
  char a[1000] = {0}, b[8000];
  MPI_Request requests[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (k = 1; k < p; ++k)
    MPI_Sendrecv(a, 100 * k, MPI_BYTE, (rank + 1) % p, 0, b, 100 * k, MPI_BYTE, (rank + p - 1) % p, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  if (rank == 0) usleep(50);
  MPI_Allreduce(MPI_IN_PLACE, a, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (k = 0; k < p; ++k) MPI_Irecv(b + 1000 * k, 1000, MPI_BYTE, k, 7, MPI_COMM_WORLD, &requests[k]);
  for (k = 0; k < p; ++k) MPI_Isend(a, 100 + 10 * rank, MPI_BYTE, k, 7, MPI_COMM_WORLD, &requests[p + k]);
  MPI_Waitall(2 * p, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
)";

json const ring_of_8 = {{"topology", {{"kind", "ring"}, {"hosts", 8}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}};

/// The run of a program, as GOAL on the native engine, takes the program's time and sends what it sent.
TEST(CliProgramExport, is_a_goal_file_of_the_same_time_and_messages) {
  Folder const folder;
  folder.write("p.c", many_ways);
  std::string const scenario =
      folder.write("s.json", json{{"machine", ring_of_8},
                                  {"collective", {{"kind", "program"}, {"source", "p.c"}, {"ranks", 8}}},
                                  {"algorithm", "mpich"}}
                                 .dump());
  folder.write("m.json", ring_of_8.dump());
  json const ran = json::parse(rondo("run --allow-programs --quiet --format jsonl " + scenario).out);
  for (std::string const format : {"goal", "goal_binary"}) {
    std::string const goal = folder.file(format == "goal" ? "run.goal" : "run.bin");
    Ran const exported = rondo("export --allow-programs --format " + format + " --output " + goal + " " + scenario);
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    Ran const again = rondo("run --quiet --format jsonl --machine " + folder.file("m.json") + " " + goal);
    ASSERT_EQ(again.exit_code, 0) << again.err;
    json const record = json::parse(again.out);
    EXPECT_EQ(record["messages"], ran["messages"]) << format;
    EXPECT_EQ(record["volume_bytes"], ran["volume_bytes"]) << format;
    EXPECT_NEAR(record["time_s"].get<double>() / ran["time_s"].get<double>(), 1, 1e-9) << format;
  }
}

/// By rank, in seconds: rank 0 comes to the allreduce 50 us after the last ring.
TEST(CliProgramExport, draws_calls_as_bars_over_their_messages) {
  Folder const folder;
  folder.write("p.c", many_ways);
  std::string const scenario = folder.write(
      "s.json",
      json{{"machine", ring_of_8}, {"collective", {{"kind", "program"}, {"source", "p.c"}, {"ranks", 8}}}}.dump());
  Ran const ran = rondo("show --allow-programs --format html " + scenario);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::size_t const begin = ran.out.find("\"steps\":[") + 8;
  json const bars = json::parse(ran.out.substr(begin, ran.out.find("]]", begin) + 2 - begin));
  std::map<std::string, int> calls;
  double rings_end = 0, allreduce = 0;
  for (json const& bar : bars) {
    ++calls[bar[3]];
    if (bar[0] == 0 && bar[3] == "MPI_Sendrecv") rings_end = std::max(rings_end, bar[2].get<double>());
    if (bar[0] == 0 && bar[3] == "MPI_Allreduce") allreduce = bar[1];
  }
  EXPECT_EQ(calls["MPI_Sendrecv"], 8 * 7);
  EXPECT_EQ(calls["MPI_Allreduce"], 8);
  EXPECT_NEAR(allreduce - rings_end, 50e-6, 1e-9);
}

/// The times that the table shows decide.
TEST(CliProgramExport, is_compared_by_the_algorithms_of_its_collectives) {
  Folder const folder;
  folder.write("p.c", many_ways);
  json scenario = {
      {"machine", ring_of_8},
      {"collective",
       {{"kind", "program"},
        {"source", "p.c"},
        {"ranks", 8},
        {"environment", {{"RONDO_ALLREDUCE_ALGORITHM", ""}}},
        {"algorithms", {{"allreduce", "default"}}}}},
      {"sweep", {{"/collective/environment/RONDO_ALLREDUCE_ALGORITHM", {"linear", "recursive_doubling"}}}}};
  auto const table = [&] {
    return rondo("run --allow-programs --quiet --columns time_s " + folder.write("s.json", scenario.dump())).out;
  };
  std::string text = table();
  EXPECT_NE(text.find("\nfastest: recursive_doubling\n"), std::string::npos) << text;
  scenario["sweep"]["/collective/algorithms/allreduce"] = {"default", "lr"};
  text = table();
  EXPECT_NE(text.find("\nfastest: allreduce=default RONDO_ALLREDUCE_ALGORITHM=recursive_doubling and "),
            std::string::npos)
      << text;
}

/// On a ring of 8 each byte is counted on every link of its route: the sum over the links is that over the messages.
TEST(CliProgramExport, counts_the_links_that_messages_pass) {
  Folder const folder;
  folder.write("p.c", R"(
#include <mpi.h>
int main(int argc, char** argv) {
  int rank;
  char a[600];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(a, 600, MPI_BYTE, 3, 0, MPI_COMM_WORLD);
  if (rank == 3) MPI_Recv(a, 600, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
)");
  std::string const scenario = folder.write(
      "s.json",
      json{{"machine", ring_of_8}, {"collective", {{"kind", "program"}, {"source", "p.c"}, {"ranks", 8}}}}.dump());
  Ran const ran = rondo("export --allow-programs --format links " + scenario);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::vector<std::string> used;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(",600")) used.push_back(line.substr(line.find(',') + 1));
  }
  EXPECT_EQ(used, (std::vector<std::string>{"0,1,1,600", "1,2,1,600", "2,3,1,600"})) << ran.out;
}

}  // namespace
}  // namespace rondo::test
