#pragma once

// A point of a scenario in a test: theory, counting, proof and both engines agree at each.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/points/run.hpp"

namespace rondo::testing {

using scenario::Json;

/// A scenario in parts.
struct Given {
  std::string topology = R"({"kind": "fully_connected", "hosts": 24})";
  std::string collective = {};
  std::string more = "{}";  ///< a merge patch of the whole scenario
};

inline scenario::Scenario parsed(Given const& given, std::string const& algorithm,
                                 std::string const& engine = "native") {
  Json document = Json::parse(R"({"machine": {"latency": "1us", "bandwidth": "1GBps"}, "block": "64B"})");
  document["machine"]["topology"] = Json::parse(given.topology);
  document["collective"] = Json::parse(given.collective);
  document["algorithm"] = algorithm;
  document["engine"] = engine;
  document.merge_patch(Json::parse(given.more));
  return scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
}

inline Record record_of(Given const& given, std::string const& algorithm, std::string const& engine = "native") {
  return run_point(parsed(given, algorithm, engine), "s.json", 1, {});
}

/// Runs the point on both engines. Where a time is predicted, run_point has held it against the simulation.
inline void expect_agreement(Given const& given, std::vector<std::string> const& algorithms) {
  for (std::string const& algorithm : algorithms) {
    std::string const where = algorithm + " " + given.collective + " " + given.topology + " " + given.more;
    Record const native = record_of(given, algorithm, "native");
    Record const smpi = record_of(given, algorithm, "smpi");
    EXPECT_EQ(native.error.value_or(""), "") << where;
    EXPECT_EQ(smpi.error.value_or(""), "") << where;
    EXPECT_EQ(native.delivered, true) << where;
    EXPECT_EQ(smpi.payload, "verified") << where;
    EXPECT_LE(native.bound.rounds.value_or(0), native.rounds) << where;
    EXPECT_LE(native.bound.volume_blocks.value_or(0), native.volume_blocks) << where;
    EXPECT_LE(native.bound.critical_blocks.value_or(0), native.critical_blocks) << where;
    EXPECT_LE(native.bound.total_blocks.value_or(0), native.total_blocks) << where;
    EXPECT_LE(native.bound.received_blocks.value_or(0), native.received_blocks) << where;
    EXPECT_LE(native.bound.messages.value_or(0), native.messages) << where;
    EXPECT_LE(native.bound.time_s.value_or(0), native.time_s.value_or(-1) * (1 + 1e-9)) << where;
    EXPECT_LE(native.load_time_s.value_or(0), native.time_s.value_or(-1) * (1 + 1e-9)) << where;
  }
}

}  // namespace rondo::testing
