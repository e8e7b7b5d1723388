// `rondo export --format trace`: the run as Chrome trace events, held against the format's rules and the cost model.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/pages.hpp"
#include "cli/trace_rules.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// alpha 1 us, beta 1 ns a byte: a block of 1000 B takes 2 us.
std::string ring(std::string const& algorithm, int ports, std::string const& more = "") {
  return R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 5}, "latency": "1us", "bandwidth": "1GBps",
             "ports": )" +
         std::to_string(ports) + "}, " + R"("collective": {"kind": "isomorphic_alltoall", "torus": [5],
             "neighborhood": {"kind": "moore", "radius": 2}}, "block": "1000B", "algorithm": ")" +
         algorithm + "\"" + more + "}";
}

json traced(std::string const& words) {
  Ran const ran = rondo("export --format trace " + words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return json::parse(ran.out);
}

json event_of(json const& trace, std::string const& phase, int pid, std::size_t index) {
  for (json const& event : trace["traceEvents"]) {
    if (event["ph"] == phase && event["pid"] == pid && index-- == 0) return event;
  }
  return nullptr;
}

/// Moore 2 on a ring of 5 has the neighbors -2, -1, 1, 2: four messages of a rank, one after the other on one port, two
/// at a time on two; all posted, they take as long.
TEST(Trace, follows_the_rules_of_the_format_on_both_engines) {
  Folder const folder;
  struct Case {
    char const* algorithm;
    int ports;
    std::int64_t makespan;
  };
  for (Case const& each :
       {Case{"straightforward", 1, 8'000'000}, Case{"straightforward", 2, 4'000'000}, Case{"posted", 4, 2'000'000}}) {
    std::string const file = folder.write("s.json", ring(each.algorithm, each.ports));
    for (std::string const engine : {"native", "smpi"}) {
      TraceRules const rules(traced("--engine " + engine + " " + file));
      EXPECT_TRUE(rules.faults().empty()) << engine << " " << each.algorithm << ": " << rules.faults().front();
      EXPECT_EQ(rules.slices(), 2u * 5 * 4);
      EXPECT_EQ(rules.flows(), 5u * 4);
      EXPECT_EQ(rules.end(), each.makespan) << engine << " " << each.algorithm;
    }
  }
}

/// Whole nanoseconds of these blocks are less as doubles, once cut off: slices must not overlap for want of it.
TEST(Trace, has_no_overlaps_in_whole_nanoseconds) {
  Folder const folder;
  std::string const file = folder.write("s.json", ring("straightforward", 1));
  for (std::string const block : {"340B", "341B", "1667B"}) {
    TraceRules const rules(traced("--engine native --set /block=" + block + " " + file));
    EXPECT_TRUE(rules.faults().empty()) << block << ": " << rules.faults().front();
  }
}

TEST(Trace, says_when_each_message_passes_and_of_what_round_it_is) {
  Folder const folder;
  json const trace = traced(folder.write("s.json", ring("straightforward", 1, R"(, "title": "a \"ring\"</script>")")));
  EXPECT_EQ(trace["otherData"]["title"], "a \"ring\"</script>");
  // The neighborhood's first offset is -2: rank 0 sends to rank 3 in the first 2 us, in round 1.
  json const first = event_of(trace, "X", 0, 0);
  EXPECT_EQ(first["name"], "to 3");
  EXPECT_EQ(first["ts"], 0.0);
  EXPECT_EQ(first["dur"], 2.0);
  EXPECT_EQ(first["args"], json::parse(R"({"bytes": 1000, "round": 1})"));
  EXPECT_EQ(event_of(trace, "M", 4, 0)["args"]["name"], "rank 4");
}

/// Under LogGP the first byte of an eager message arrives L after the overhead: at o + L = 4 us.
TEST(Trace, shows_under_loggp_when_a_message_is_sent_and_when_it_arrives) {
  Folder const folder;
  json const trace = traced(folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "timing": "loggp",
                "loggp": {"L": "2500ns", "o": "1500ns", "g": "1us", "G": "6ns/B", "O": "0ns/B", "S": "65535B"}},
    "collective": {"kind": "isomorphic_alltoall", "torus": [2], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
    "algorithm": "straightforward", "block": "101B", "engine": "native"})"));
  TraceRules const rules(trace);
  EXPECT_TRUE(rules.faults().empty()) << rules.faults().front();
  // The NIC is held for g + 100 G = 1.6 us.
  EXPECT_EQ(event_of(trace, "X", 0, 0)["dur"], 1.6);
  EXPECT_EQ(event_of(trace, "f", 0, 0)["ts"], 4.0);
}

/// Four ranks on two hosts: two senders share a NIC of 1 GB/s; 1000 B then take 1 us and 2 us of bandwidth.
TEST(Trace, follows_messages_that_share_bandwidth) {
  Folder const folder;
  json const trace = traced(folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "ranks_per_host": 2, "latency": "1us",
                "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[2], [1]]}},
    "algorithm": "straightforward", "block": "1000B"})"));
  TraceRules const rules(trace);
  EXPECT_TRUE(rules.faults().empty()) << rules.faults().front();
  EXPECT_NEAR(event_of(trace, "X", 0, 0)["dur"].get<double>(), 3.0, 1e-6);
}

TEST(Trace, is_refused_where_it_would_be_too_large_or_there_is_no_run) {
  Folder const folder;
  std::string const large = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "fully_connected", "hosts": 4096}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [64, 64], "neighborhood": {"kind": "moore", "radius": 3}},
    "algorithm": "straightforward", "block": "1B", "engine": "native"})");
  Ran ran = rondo("export --format trace --output " + (folder.path() / "t").string() + " " + large);
  EXPECT_EQ(ran.exit_code, 2);
  // 4096 ranks with 7^2 - 1 = 48 neighbors each.
  EXPECT_EQ(
      ran.err,
      large +
          ": expected at most 100000 messages to look at, got 196608; --point and --set choose a smaller problem\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "t"));
  std::string const invalid = folder.write("i.json", printed_sequences);
  ran = rondo("export --format trace --output " + (folder.path() / "t").string() + " " + invalid);
  EXPECT_EQ(ran.exit_code, 3) << ran.out;
  EXPECT_NE(ran.err.find("the schedule is invalid and not simulated: "), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "t"));
}

}  // namespace
}  // namespace rondo::test
