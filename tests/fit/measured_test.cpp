#include "fit/measured.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"

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
