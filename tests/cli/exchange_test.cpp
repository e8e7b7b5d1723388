// Dynamic sparse exchange and the programs over it at the command line: results, and how they fail.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

std::string exchange(std::string const& collective) {
  return R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 40}, "latency": "1us", "bandwidth": "1GBps"},
             "algorithm": "nbx", "block": "8B", "collective": )" +
         collective + "}";
}

std::vector<std::string> const kinds = {
    R"({"kind": "sparse_exchange", "pattern": {"kind": "random", "ranks": 40, "targets": 4}})",
    R"({"kind": "independent_set", "graph": {"kind": "geometric", "ranks": 40, "degree": 8}})",
    R"({"kind": "coloring", "graph": {"kind": "geometric", "ranks": 40, "degree": 8}})",
    R"({"kind": "bisection", "ranks": 40, "points": 400})"};

TEST(CliExchange, a_run_that_takes_too_long_fails_and_has_no_result) {
  Folder const folder;
  for (std::string const& kind : kinds) {
    Ran const ran = rondo("run --quiet --format jsonl --timeout 1ms " + folder.write("s.json", exchange(kind)));
    EXPECT_EQ(ran.exit_code, 3) << kind;
    json const record = json::parse(ran.out);
    EXPECT_EQ(record["error"], "timeout after 1ms");
    for (char const* unknown : {"time_s", "delivered", "messages", "data_messages"}) {
      EXPECT_TRUE(record[unknown].is_null()) << kind << unknown;
    }
  }
}

TEST(CliExchange, is_refused_on_an_engine_that_runs_no_programs) {
  Folder const folder;
  for (std::string const& kind : kinds) {
    std::string const file = folder.write("s.json", exchange(kind));
    Ran const ran = rondo("run --quiet --engine native " + file);
    EXPECT_EQ(ran.exit_code, 2) << kind;
    EXPECT_EQ(ran.err, file + ": /engine: expected \"smpi\", which runs programs, got \"native\"\n");
    EXPECT_EQ(ran.out, "");
  }
}

}  // namespace
}  // namespace rondo::test
