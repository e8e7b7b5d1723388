// Inter-group all-to-all broadcast by the collectives of SMPI, next to schedules.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

json scenario(int senders, int receivers) {
  return {
      {"machine",
       {{"topology", {{"kind", "fully_connected"}, {"hosts", senders + receivers}}},
        {"latency", "1us"},
        {"bandwidth", "1GBps"}}},
      {"collective",
       {{"kind", "intergroup_allgather"}, {"senders", senders}, {"receivers", receivers}, {"building_blocks", "mpi"}}},
      {"algorithm", "group_allgather"},
      {"block", "1KiB"},
      {"sweep",
       {{"/collective/selector", {"mpich", "ompi", "mvapich2"}},
        {"/algorithm", {"group_allgather", "root_gathering"}}}}};
}

Ran on_scenario(std::string const& words, json const& of) {
  Folder const folder;
  return rondo(words + " " + folder.write("s.json", of.dump()));
}

std::vector<json> records(json const& of) {
  std::vector<json> result;
  std::istringstream lines(on_scenario("run --quiet --format jsonl", of).out);
  for (std::string line; std::getline(lines, line);) result.push_back(json::parse(line));
  return result;
}

TEST(CliLibrary, every_byte_arrives_whatever_library_s_algorithms_smpi_takes) {
  for (auto const& [p, q] : {std::pair(1, 4), {5, 13}, {13, 5}, {6, 6}}) {
    auto const all = records(scenario(p, q));
    ASSERT_EQ(all.size(), 6U);
    for (json const& record : all) {
      EXPECT_TRUE(record["error"].is_null()) << record["error"];
      EXPECT_EQ(record["delivered"], true);
      EXPECT_EQ(record["payload"], "verified");
      EXPECT_TRUE(record["rounds"].is_null() && record["violations"].is_null());
      EXPECT_GE(record["messages"], q);  // each receiver gets one at least
      EXPECT_GE(record["total_blocks"], record["bound"]["total_blocks"]);
      EXPECT_GE(record["time_s"].get<double>(), record["bound"]["time_s"].get<double>() * (1 - 1e-9));
    }
  }
}

TEST(CliLibrary, one_message_a_rank_takes_alpha_and_beta) {
  json of = scenario(1, 1);
  // MPI_Gather and MPI_Bcast of one rank send nothing: a_0 sends its block to b_0, alone.
  for (json const& record : records(of)) {
    EXPECT_EQ(record["messages"], 1);
    EXPECT_NEAR(record["time_s"].get<double>() / (1e-6 + 1024e-9), 1, 1e-9);
  }
}

TEST(CliLibrary, without_payload_times_and_messages_are_the_same) {
  json of = scenario(7, 9);
  of["block"] = "100kB";  // larger than what is copied for SMPI itself
  auto const verified = records(of);
  of["payload"] = "timing";
  auto const timed = records(of);
  ASSERT_EQ(verified.size(), timed.size());
  for (std::size_t i = 0; i < timed.size(); ++i) {
    EXPECT_TRUE(timed[i]["error"].is_null()) << timed[i]["error"];
    EXPECT_EQ(timed[i]["payload"], "timing");
    EXPECT_TRUE(timed[i]["delivered"].is_null());
    EXPECT_EQ(timed[i]["messages"], verified[i]["messages"]);
    EXPECT_EQ(timed[i]["total_blocks"], verified[i]["total_blocks"]);
    EXPECT_NEAR(timed[i]["time_s"].get<double>() / verified[i]["time_s"].get<double>(), 1, 1e-9);
  }
}

// Groups of two and three too, whose broadcasts have algorithms of their own.
TEST(CliLibrary, empty_blocks_take_their_messages_start_ups) {
  for (auto const& [p, q] : {std::pair(3, 7), {8, 3}, {2, 2}}) {
    json of = scenario(p, q);
    of["block"] = "0B";
    of["sweep"]["/collective/selector"] = {"mpich", "mvapich2"};
    for (json const& record : records(of)) {
      EXPECT_TRUE(record["error"].is_null()) << record["error"];
      EXPECT_GE(record["time_s"].get<double>(), 0);
      EXPECT_TRUE(record["total_blocks"].is_null());
    }
  }
}

TEST(CliLibrary, there_is_no_schedule_to_show_and_no_other_engine) {
  json of = scenario(4, 4);
  for (std::string const words : {"show", "export --format json"}) {
    Ran const ran = on_scenario(words, of);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_NE(ran.err.find("expected a point with a schedule, this one is an MPI program"), std::string::npos)
        << ran.err;
  }
  auto const refusal = [&](json const& patch) {
    json changed = of;
    changed.merge_patch(patch);
    Ran const ran = on_scenario("run", changed);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    return ran.err;
  };
  EXPECT_NE(
      refusal({{"engine", "native"}}).find("/engine: expected \"smpi\" for building blocks of MPI, got \"native\""),
      std::string::npos);
  EXPECT_NE(refusal({{"collective", {{"selector", "impi"}}}, {"sweep", nullptr}})
                .find("/collective/selector: expected one of \"mpich\", \"ompi\", \"mvapich2\", got \"impi\""),
            std::string::npos);
  EXPECT_NE(refusal({{"block", "0B"}}).find("/block: expected a size of at least 1B for the collectives of \"ompi\""),
            std::string::npos);
  EXPECT_NE(
      refusal({{"machine", {{"topology", {{"kind", "ring"}}}}}, {"algorithm", "ring_optimal"}, {"sweep", nullptr}})
          .find("/collective/building_blocks: expected \"schedule\" for \"ring_optimal\", got \"mpi\""),
      std::string::npos);
  EXPECT_NE(refusal({{"machine", {{"topology", {{"kind", "ring"}}}, {"neighbors_only", true}}}})
                .find("/machine/neighbors_only: expected false for building blocks of MPI, got true"),
            std::string::npos);
}

}  // namespace
}  // namespace rondo::test
