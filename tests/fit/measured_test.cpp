#include "fit/measured.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/units.hpp"

namespace rondo::fit {
namespace {

using nlohmann::json;

constexpr char const* head = "# rondo-measure 1: 4 ranks on 2 hosts\nmeasured,ranks,bytes,algorithm,us\n";
// 2.3 us and 0.1 ns/B between hosts, 0.8 us and 0.05 ns/B within one.
constexpr char const* between =
    "between,2,1,,2.3001\nbetween,2,1024,,2.4024\nbetween,2,8192,,3.1192\nbetween,2,65536,,8.8536\n"
    "between,2,1048576,,107.1576\n";
constexpr char const* inside = "inside,2,1,,0.80005\ninside,2,32768,,2.4384\ninside,2,1048576,,53.2288\n";
constexpr char const* calls = "post,2,1,,0.2\ntake,2,1,,0.1\njoin,1,1048576,,104.8576\n";
constexpr char const* collectives = "barrier,4,0,,5\nallreduce,4,8,ring,9\n";

json machine_of(std::string const& text) {
  return json::parse(fit_measured(read_measured(text, "m.csv"), {"m.csv", 2}).json);
}

TEST(Measured, gives_the_machine_that_took_these_times) {
  json const machine = machine_of(std::string(head) + between + inside + calls + collectives);
  EXPECT_EQ(machine["timing"], "flow");
  EXPECT_EQ(machine["latency"], "2us");
  EXPECT_EQ(machine["bandwidth"], "10GBps");
  EXPECT_EQ(machine["intra_latency"], "500ns");
  EXPECT_EQ(machine["intra_bandwidth"], "20GBps");
  EXPECT_EQ(machine["flow"], json::parse(R"({"o_send": "200ns", "o_recv": "100ns"})"));
  EXPECT_EQ(machine["reduce"], "0.1ns/B");
}

TEST(Measured, within_one_host_is_a_machine_of_its_messages) {
  json const machine = machine_of(std::string(head) + inside);
  EXPECT_EQ(machine["latency"], "800ns");
  EXPECT_EQ(machine["bandwidth"], "20GBps");
  EXPECT_FALSE(machine.contains("intra_latency") || machine.contains("flow"));
  EXPECT_NE(machine["source"].dump().find("All ranks shared a host"), std::string::npos);
}

// One message of 1 MiB takes 2.3 us + 104.8576 us. A NIC of 15 GB/s, and a memory of 80 GB/s, take for P of them
// 2.3 us + P 1 MiB / 15 GB/s = 2.3 us + P 69.9051 us, and 0.8 us + P 13.1072 us from P = 4 on.
constexpr char const* pair_rows = "pairs,2,1048576,,107.1576\npairs,4,1048576,,142.1101\npairs,8,1048576,,281.9203\n";
constexpr char const* inside_pairs =
    "inside_pairs,2,1048576,,53.2288\ninside_pairs,8,1048576,,53.2288\ninside_pairs,16,1048576,,105.6576\n";

TEST(Measured, a_nic_and_a_memory_carry_what_several_messages_at_once_share) {
  json const machine = machine_of(std::string(head) + between + inside + calls + pair_rows + inside_pairs);
  EXPECT_EQ(machine["bandwidth"], "15GBps");
  EXPECT_EQ(machine["pieces"], json::parse(R"([{"up_to": "4194304TiB", "latency": "2us", "bandwidth": "10GBps"}])"));
  EXPECT_EQ(machine["intra_bandwidth"], "20GBps");
  EXPECT_EQ(machine["island"], json::parse(R"({"kind": "memory", "bandwidth": "80GBps"})"));
  EXPECT_NE(machine["source"].dump().find("By up to 4 messages of 1MiB at once, the NIC carries 15GBps"),
            std::string::npos);
  EXPECT_NE(machine["source"].dump().find("By up to 8 messages of 1MiB at once, the memory of a host carries 80GBps"),
            std::string::npos);
}

TEST(Measured, a_nic_that_one_message_fills_carries_its_bandwidth) {
  json const machine = machine_of(std::string(head) + between + inside + calls +
                                  "pairs,2,1048576,,107.1576\npairs,4,1048576,,212.0152\n");
  EXPECT_EQ(machine["bandwidth"], "10GBps");
  EXPECT_FALSE(machine.contains("pieces"));
  EXPECT_NE(machine["source"].dump().find("the NIC carries 10GBps"), std::string::npos);
}

TEST(Measured, a_nic_that_no_messages_fill_carries_all_of_them) {
  json const machine = machine_of(std::string(head) + between + inside + calls +
                                  "pairs,2,1048576,,107.1576\npairs,4,1048576,,107.1576\npairs,8,1048576,,107.3\n");
  EXPECT_NE(machine["source"].dump().find("4 messages of 1MiB at once did not fill the NIC"), std::string::npos);
  EXPECT_NEAR(parse_bandwidth(machine["bandwidth"].get<std::string>()).value, 40e9, 0.1e9);
}

/// Without a second host, the machine has a host for each rank.
TEST(Measured, pairs_within_the_only_host_are_not_used) {
  json const machine = machine_of(std::string(head) + inside + inside_pairs);
  EXPECT_FALSE(machine.contains("island") || machine.contains("pieces"));
  EXPECT_NE(machine["source"].dump().find("the times of several messages at once are not used"), std::string::npos);
}

/// No message may take less than its calls: the calls are left out then, and the machine says so.
TEST(Measured, takes_no_calls_that_are_longer_than_a_message) {
  json const machine = machine_of(std::string(head) + between + inside + "post,2,1,,0.5\ntake,2,1,,0.4\n");
  EXPECT_EQ(machine["latency"], "2.3us");
  EXPECT_EQ(machine["intra_latency"], "800ns");
  EXPECT_FALSE(machine.contains("flow"));
  EXPECT_NE(machine["source"].dump().find("o_send and o_recv are left out"), std::string::npos);
}

TEST(Measured, refuses_what_is_no_measurement) {
  for (auto const& [rows, error] : {std::pair("", "m.csv: expected messages"),
                                    {"between,2,1,,2\n", "m.csv: expected messages"},
                                    {"between,2,1,2\n", "m.csv:3: expected 5 cells"},
                                    {"between,2,x,,2\n", "m.csv:3:11: expected a size in bytes"},
                                    {"between,2,1,,0\n", "m.csv:3:14: expected a time of more than 0"},
                                    {"pairs,1,1,,2\n", "m.csv:3:7: expected a number of ranks"},
                                    {"inside,2,1,,-1\n", "m.csv:3:13: expected a time"}}) {
    try {
      read_measured(std::string(head) + rows, "m.csv");
      ADD_FAILURE() << rows;
    } catch (InputError const& refused) {
      EXPECT_TRUE(std::string(refused.what()).starts_with(error)) << refused.what();
    }
  }
  EXPECT_FALSE(is_measured("lat,size\n1,2\n"));
}

}  // namespace
}  // namespace rondo::fit
