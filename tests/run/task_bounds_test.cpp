// Bounds of times for schedules that come as tasks.

#include <gtest/gtest.h>

#include "folder.hpp"
#include "run/points/run.hpp"

namespace rondo {
namespace {

using scenario::Json;

/// Every rank sends its block to the next one, which passes it on: an allgather of 3.
constexpr char const* ring_of_3 = R"(num_ranks 3
//@ buffers send 1 receive 3 scratch 0 block 8
rank 0 {
l1: calc 0          //@ receive[0] = send[0]
l2: send 8b to 1    //@ send[0]
l3: recv 8b from 2  //@ receive[2]
l4: send 8b to 1 tag 1    //@ receive[2]
l4 requires l3
l5: recv 8b from 2 tag 1  //@ receive[1]
}
rank 1 {
l1: calc 0          //@ receive[1] = send[0]
l2: send 8b to 2    //@ send[0]
l3: recv 8b from 0  //@ receive[0]
l4: send 8b to 2 tag 1    //@ receive[0]
l4 requires l3
l5: recv 8b from 0 tag 1  //@ receive[2]
}
rank 2 {
l1: calc 0          //@ receive[2] = send[0]
l2: send 8b to 0    //@ send[0]
l3: recv 8b from 1  //@ receive[1]
l4: send 8b to 0 tag 1    //@ receive[1]
l4 requires l3
l5: recv 8b from 1 tag 1  //@ receive[0]
}
)";

struct TaskBound {
  char const* name;
  char const* machine;  ///< a merge patch
  char const* block;
  double seconds;
  char const* by;
};

std::vector<TaskBound> const bounds = {
    // Two blocks come to each rank.
    {"bytes of a NIC", R"({"timing": "flow"})", "1MB", 1e-6 + 2e6 / 1e9, "port"},
    // On a line the middle passes on the blocks of both ends, over links with half of a NIC's bandwidth.
    {"bytes of a link", R"({"topology": {"kind": "mesh", "dims": [3]}, "links": "shared", "link_bandwidth": "500MBps",
                            "timing": "flow"})",
     "1MB", 1e-6 + 2e6 / 5e8, "cut"},
    // An end of the line has its block 2 hops away from the other end. In 2 rounds the middle rank, which has one port,
    // would send both ways in each of them.
    {"rounds on a line", R"({"topology": {"kind": "mesh", "dims": [3]}, "neighbors_only": true})", "8B", 3e-6,
     "optimum"},
};

Record record_of(test::Folder const& folder, TaskBound const& each, Json const& promise) {
  std::string const file = folder.file("s.json");
  Json document = {
      {"machine",
       {{"topology", {{"kind", "fully_connected"}, {"hosts", 3}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
      {"block", each.block},
      {"engine", "native"},
      {"collective", {{"kind", "custom"}, {"schedule", "ring.goal"}}}};
  Json const changes = Json::parse(each.machine);
  if (changes.contains("topology")) document["machine"].erase("topology");
  document["machine"].merge_patch(changes);
  if (promise.is_null()) {
    document["collective"]["ranks"] = 3;
  } else {
    document["collective"]["promise"] = promise;
  }
  return run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
}

TEST(TaskBounds, are_those_of_the_machine_and_of_a_search) {
  test::Folder const folder;
  folder.write("ring.goal", ring_of_3);
  for (TaskBound const& each : bounds) {
    Record const record = record_of(folder, each, {{"kind", "allgather"}, {"ranks", 3}});
    EXPECT_NEAR(record.bound.time_s.value_or(0), each.seconds, 1e-12) << each.name;
    EXPECT_EQ(record.bound.time_by, each.by) << each.name;
    if (std::string(each.by) == "optimum") continue;  // the ring takes a link that the line does not have
    EXPECT_EQ(record.error.value_or(""), "") << each.name;
    EXPECT_GE(record.time_s.value_or(0), each.seconds) << each.name;
  }
}

TEST(TaskBounds, are_unknown_without_a_promise) {
  test::Folder const folder;
  folder.write("ring.goal", ring_of_3);
  Record const record = record_of(folder, bounds.front(), {});
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_FALSE(record.bound.time_s.has_value());
}

}  // namespace
}  // namespace rondo
