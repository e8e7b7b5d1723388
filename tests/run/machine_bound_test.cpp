// Bounds of machines whose values follow from a line of arithmetic.

#include "families.hpp"

namespace rondo::testing {
namespace {

std::string const tree = R"({"kind": "fat_tree", "levels": 2, "down": [16, 4], "up": [1, 2], "parallel": [1, 1]})";
std::string const dragonfly =
    R"({"kind": "dragonfly", "groups": 4, "chassis": 2, "routers": 4, "hosts_per_router": 2})";
constexpr double mib = 1048576;

struct Bounded {
  char const* name;
  Given given;
  char const* algorithm;
  double seconds;
  char const* by;
  char const* cut;  ///< empty: null
};

Given on(std::string const& topology, std::string const& collective, std::string const& more) {
  Json json = Json::parse(more);
  json["machine"]["bandwidth"] = json["machine"].value("bandwidth", "10GBps");
  json["block"] = json.value("block", "1MiB");
  return {topology, collective, json.dump()};
}

std::vector<Bounded> const cases = {
    // 16 hosts owe 48 others a block each.
    {"two links up of 16 hosts",
     on(tree, R"({"kind": "alltoall", "ranks": 64})", R"({"machine": {"links": "shared"}})"), "pairwise",
     1e-6 + 16 * 48 * mib / 20e9, "cut", "hosts 0 to 15 to the others: 768MiB over 2 links"},
    {"three links out of a group",
     on(dragonfly, R"({"kind": "alltoall", "ranks": 64})", R"({"machine": {"links": "shared"}})"), "pairwise",
     1e-6 + 16 * 48 * mib / 30e9, "cut", "hosts of group 0 to the others: 768MiB over 3 links"},
    // Each block enters a group once; a NIC takes 63 blocks at 10 GB/s, which is longer than 48 over 30 GB/s.
    {"an allgather is as fast as NICs",
     on(dragonfly, R"({"kind": "allgather", "ranks": 64})", R"({"machine": {"links": "shared", "timing": "flow"}})"),
     "ring", 1e-6 + 63 * mib / 10e9, "port", "the others to rank 0: 63MiB over 1 NIC"},
    {"an allgather over slow links",
     on(dragonfly, R"({"kind": "allgather", "ranks": 64})",
        R"({"machine": {"links": "shared", "timing": "flow", "link_bandwidth": "1GBps"}})"),
     "ring", 1e-6 + 48 * mib / 3e9, "cut", "the others to hosts of group 0: 48MiB over 3 links"},
    // 4 groups among themselves: 2 (4 - 1) vectors over all 12 links.
    {"an allreduce over slow links",
     on(dragonfly, R"({"kind": "allreduce", "ranks": 64})",
        R"({"machine": {"links": "shared", "timing": "flow", "link_bandwidth": "1GBps"}})"),
     "ring", 1e-6 + 6 * mib / 12e9, "cut", "hosts of group 0 and the like to each other: 6MiB over 12 links"},
    // 64 ranks: 2 * 63 vectors over 64 NICs.
    {"an allreduce over NICs",
     on(R"({"kind": "fully_connected", "hosts": 64})", R"({"kind": "allreduce", "ranks": 64})",
        R"({"machine": {"timing": "flow"}})"),
     "ring", 1e-6 + 126 * mib / 640e9, "volume", "all hosts to each other: 126MiB over 64 NICs"},
    // Four ranks share the NIC of their host: 4 blocks for each of the 12 others.
    {"four ranks on a NIC",
     on(R"({"kind": "fully_connected", "hosts": 4})", R"({"kind": "alltoall", "ranks": 16})",
        R"({"machine": {"ranks_per_host": 4}})"),
     "pairwise", 1e-6 + 48 * mib / 10e9, "port", "host 0 to the others: 48MiB over 1 NIC"},
    // Of two stripes each carries half.
    {"stripes over two NICs",
     on(R"({"kind": "fully_connected", "hosts": 4})", R"({"kind": "alltoall", "ranks": 4})",
        R"({"machine": {"nics": 2, "nic_of": "striped", "timing": "flow"}})"),
     "pairwise", 1e-6 + 3 * mib / 20e9, "port", "rank 0 to the others: 3MiB over 2 NICs"},
    // Within a host each rank gets 3 blocks over its link from the switch; that is half as fast as a NIC.
    {"a slow switch within the host",
     on(R"({"kind": "fully_connected", "hosts": 1})", R"({"kind": "alltoall", "ranks": 4})",
        R"({"machine": {"ranks_per_host": 4, "timing": "flow", "island": {"kind": "switch", "bandwidth": "5GBps"}}})"),
     "pairwise", 1e-6 + 3 * mib / 5e9, "port", "rank 0 to the others: 3MiB over 1 link within hosts"},
    {"the halves of a ring",
     on(R"({"kind": "ring", "hosts": 8})", R"({"kind": "alltoall", "ranks": 8})",
        R"({"machine": {"links": "shared"}})"),
     "pairwise", 1e-6 + 16 * mib / 20e9, "cut", "hosts at 0 to 3 to the others: 16MiB over 2 links"},
    {"nothing but a start-up",
     on(tree, R"({"kind": "barrier", "ranks": 64})",
        R"({"block": "0B", "machine": {"links": "shared", "timing": "flow"}})"),
     "dissemination", 1e-6, "rounds", ""},
};

TEST(MachineBounds, are_what_a_line_of_arithmetic_says) {
  for (Bounded const& each : cases) {
    Record const record = record_of(each.given, each.algorithm);
    EXPECT_EQ(record.error.value_or(""), "") << each.name;
    EXPECT_NEAR(record.bound.time_s.value_or(0), each.seconds, 1e-12 * each.seconds) << each.name;
    EXPECT_EQ(record.bound.time_by.value_or(""), each.by) << each.name;
    EXPECT_EQ(record.bound_cut.value_or(""), each.cut) << each.name;
    EXPECT_LE(record.bound.time_s.value_or(1), record.time_s.value_or(0) * (1 + 1e-9)) << each.name;
  }
}

/// Theory's bound is the only one where nothing is shared, and says whether rounds or volume decide.
TEST(MachineBounds, leave_machines_without_sharing_to_theory) {
  Given const small{.collective = R"({"kind": "allgather", "ranks": 24})"};
  Record const record = record_of(small, "bruck");
  EXPECT_EQ(record.bound.time_by, "rounds");  // 5 start-ups of 1 us, more than 23 blocks of 64 B at 1 GB/s
  Given const large{.collective = R"({"kind": "allgather", "ranks": 24})", .more = R"({"block": "1MiB"})"};
  EXPECT_EQ(record_of(large, "bruck").bound.time_by, "volume");
  EXPECT_EQ(record_of(large, "bruck").bound_cut, std::nullopt);
}

/// By flows: without the link between hosts 4 and 5, one link leads to host 4, over which 7 blocks have to come. The
/// halves and slabs of the mesh have no such set.
TEST(MachineBounds, find_sets_that_no_topology_names) {
  Given const given = on(R"({"kind": "mesh", "dims": [2, 4]})", R"({"kind": "allgather", "ranks": 8})",
                         R"({"machine": {"links": "shared", "link_bandwidth": "2GBps", "failed_links": [[4, 5]]}})");
  Record const record = record_of(given, "ring");
  EXPECT_EQ(record.error.value_or(""), "");
  EXPECT_EQ(record.bound_cut.value_or(""), "the others to rank 4: 7MiB over 1 link");
  EXPECT_EQ(record.bound.time_by, "cut");
  EXPECT_DOUBLE_EQ(record.bound.time_s.value_or(0), 1e-6 + 7 * mib / 2e9);
}

}  // namespace
}  // namespace rondo::testing
