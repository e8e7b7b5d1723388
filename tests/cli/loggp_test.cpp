// "timing": "loggp" in scenarios.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// Each of four ranks sends 64 B to the next one.
constexpr char const* shift = R"({
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "timing": "loggp",
              "loggp": {"L": "2500ns", "o": "1500ns", "g": "1us", "G": "6ns/B"}},
  "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
  "algorithm": "torus", "block": "64B", "engine": "native"
})";

json shifted(std::string const& pointer, json const& value) {
  json scenario = json::parse(shift);
  scenario[json::json_pointer(pointer)] = value;
  return scenario;
}

TEST(LogGp, a_message_takes_two_overheads_the_latency_and_its_bytes_after_the_first) {
  Folder const folder;
  json scenario = json::parse(shift);
  scenario["sweep"]["/machine/loggp/L"] = {"2500ns", "10us"};
  Ran const ran = rondo("run --format jsonl " + folder.write("s.json", scenario.dump()));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::istringstream lines(ran.out);
  for (double const latency : {2500e-9, 10e-6}) {
    std::string line;
    std::getline(lines, line);
    json const record = json::parse(line);
    EXPECT_DOUBLE_EQ(record["time_s"], 1500e-9 + latency + 1500e-9 + 63 * 6e-9);
    EXPECT_EQ(record["timing"], "loggp");
    EXPECT_EQ(record["delivered"], true);
    EXPECT_EQ(record["theory"]["rounds"], 1);
    EXPECT_TRUE(record["theory"]["time_s"].is_null());
    // A start-up, and 64 B at a rank of 6 ns a byte, of which the first byte is in the start-up.
    EXPECT_DOUBLE_EQ(record["bound"]["time_s"], 1500e-9 + latency + 1500e-9 + 63 * 6e-9);
  }
}

TEST(LogGp, above_S_a_sender_waits_for_its_receiver) {
  Folder const folder;
  // Both ends are ready at once: the sender goes on when the message has arrived, and so does the receiver.
  Ran const ran = rondo("run --format jsonl " + folder.write("s.json", shifted("/machine/loggp/S", "63B").dump()));
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_DOUBLE_EQ(json::parse(ran.out)["time_s"], 2500e-9 + 2 * 1500e-9 + 63 * 6e-9);
}

TEST(LogGp, has_no_alpha_and_no_beta_in_claims) {
  Folder const folder;
  for (char const* name : {"alpha", "beta"}) {
    json scenario = json::parse(shift);
    scenario["sweep"]["/algorithm"] = {"torus"};
    scenario["expect"] = {{{"claim", "c"}, {"that", std::string("torus.time > ") + name}}};
    std::string const file = folder.write("s.json", scenario.dump());
    Ran const ran = rondo("check " + file);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err, file + ": /expect/0: unknown name \"" + name +
                           "\", which only \"linear\" timing without \"pieces\" has\n");
  }
}

TEST(LogGp, is_refused_with_one_line_where_it_has_no_meaning) {
  Folder const folder;
  auto const refused = [&](json const& scenario) {
    std::string const file = folder.write("s.json", scenario.dump());
    Ran const ran = rondo("run " + file);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err.rfind(file + ": ", 0), 0u);
    return ran.err.substr(file.size() + 2);
  };
  EXPECT_EQ(refused(shifted("/engine", "smpi")),
            "/engine: expected \"native\" on a machine with \"loggp\" timing, got \"smpi\"\n");
  EXPECT_EQ(refused(shifted("/machine/latency", "1us")),
            "/machine/latency: expected nothing, since it has an effect only with \"timing\": \"linear\" or "
            "\"flow\", got \"1us\"\n");
  EXPECT_EQ(refused(shifted("/machine/ports", 2)),
            "/machine/ports: expected nothing, since it has an effect only with \"timing\": \"linear\" or "
            "\"flow\", got 2\n");
  EXPECT_EQ(refused(shifted("/machine/loggp/G", "6ns")),
            "/machine/loggp/G: expected a time for each byte such as \"6ns/B\", got \"6ns\": it does not end in /B\n");
  EXPECT_EQ(refused(shifted("/machine/loggp/l", "6ns")).substr(0, 36), "/machine/loggp: unknown key \"l\"; did");
  EXPECT_EQ(refused(shifted("/machine/timing", "linear")).substr(0, 38), "/machine: missing key \"latency\" (a str");
  json without = json::parse(shift);
  without["machine"].erase("loggp");
  EXPECT_EQ(refused(without).substr(0, 32), "/machine: missing key \"loggp\" (a");
  json both = shifted("/machine/timing", "linear");
  both["machine"]["latency"] = "1us";
  both["machine"]["bandwidth"] = "1GBps";
  EXPECT_EQ(refused(both).substr(0, 93),
            "/machine/loggp: expected nothing, since it has an effect only with \"timing\": \"loggp\", got {\"G");
}

}  // namespace
}  // namespace rondo::test
