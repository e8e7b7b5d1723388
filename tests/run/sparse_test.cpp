// Sparse exchanges as a scenario sees them: programs that are counted and timed, held against theory.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "run/families/plan.hpp"
#include "run/points/run.hpp"

namespace rondo {
namespace {

using scenario::Json;

scenario::Scenario parsed(std::string const& collective, std::string const& algorithm) {
  Json document = Json::parse(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us",
                                  "bandwidth": "1GBps"}, "block": "100B"})");
  document["collective"] = Json::parse(R"({"kind": "sparse_exchange"})");
  document["collective"].merge_patch(Json::parse(collective));
  document["algorithm"] = algorithm;
  return scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
}

Record record_of(std::string const& collective, std::string const& algorithm) {
  return run_point(parsed(collective, algorithm), "s.json", 1, {});
}

TEST(SparseExchange, counts_what_the_reference_counts) {
  struct Case {
    char const *algorithm, *barrier;
    std::int64_t acks, barriers, total;
  };
  // tests/data/sparse_exchange.json, P = 64, k = 6: nbx_modified, nbx, and personalized by reduce-scatter.
  for (Case const& c : {Case{"nbx", "dissemination", 384, 768, 1536}, Case{"nbx", "tree", 384, 252, 1020},
                        Case{"nbx_tagged", "dissemination", 384, 384, 1152}, Case{"nbx_tagged", "tree", 384, 126, 894},
                        Case{"personalized", "tree", 0, 384, 768},
                        // A reduction and a scatter of p - 1 messages each.
                        Case{"personalized_rooted", "tree", 0, 126, 510}}) {
    Record const record = record_of(
        R"({"pattern": {"kind": "random", "ranks": 64, "targets": 6}, "barrier": ")" + std::string(c.barrier) + "\"}",
        c.algorithm);
    EXPECT_EQ(record.error.value_or(""), "");
    EXPECT_EQ(record.sparse.data_messages, 384);
    EXPECT_EQ(record.sparse.ack_messages, c.acks);
    EXPECT_EQ(record.sparse.barrier_messages, c.barriers);
    EXPECT_EQ(record.messages, c.total);
    EXPECT_EQ(record.theory.messages, c.total);
    EXPECT_EQ(record.delivered, true);
    EXPECT_FALSE(record.rounds);
  }
}

TEST(SparseExchange, agrees_with_theory_on_every_pattern_one_exchange_behind_the_other) {
  for (char const* pattern :
       {R"({"kind": "random", "ranks": 17, "targets": 5})", R"({"kind": "moore", "torus": [5, 5], "radius": 1})",
        R"({"kind": "hypercube", "ranks": 16})", R"({"kind": "powerlaw", "ranks": 23})",
        R"({"kind": "edges", "ranks": 4, "edges": [[0, 1], [0, 1], [2, 2], [3, 1]]})",
        R"({"kind": "edges", "ranks": 3, "edges": []})", R"({"kind": "random", "ranks": 1, "targets": 0})"}) {
    for (char const* more : {R"({"exchanges": 3, "largest_block": "2KiB"})", R"({"completion": "poll"})"}) {
      for (char const* algorithm : {"nbx", "nbx_tagged", "personalized", "personalized_rooted"}) {
        Json collective = Json::parse(more);
        collective["pattern"] = Json::parse(pattern);
        Record const record = record_of(collective.dump(), algorithm);
        EXPECT_EQ(record.error.value_or(""), "") << algorithm << collective;
        EXPECT_EQ(record.delivered, true);
      }
    }
  }
}

TEST(SparseExchange, gives_the_same_record_again) {
  std::string const collective =
      R"({"pattern": {"kind": "powerlaw", "ranks": 30}, "largest_block": "1KiB", "exchanges": 4})";
  Record const once = record_of(collective, "nbx_tagged"), again = record_of(collective, "nbx_tagged");
  EXPECT_EQ(once.time_s, again.time_s);
  EXPECT_EQ(once.volume_bytes, again.volume_bytes);
}

/// By hand: one message of 100 B between two ranks takes 1.1 us, a signal and the way back of an acknowledgement 1 us.
TEST(SparseExchange, an_acknowledgement_takes_a_latency_on_its_way_back) {
  std::string const one = R"({"pattern": {"kind": "edges", "ranks": 2, "edges": [[0, 1]]}, "completion": "wait"})";
  EXPECT_DOUBLE_EQ(record_of(one, "nbx_tagged").time_s.value_or(0), 1.1e-6 + 1e-6 + 1e-6);
  EXPECT_DOUBLE_EQ(record_of(one, "nbx").time_s.value_or(0), 1e-6 + 1.1e-6 + 1e-6 + 1e-6);
  EXPECT_DOUBLE_EQ(record_of(one, "personalized").time_s.value_or(0), 1.004e-6 + 1.1e-6);
}

/// An empty message, its acknowledgement and a signal: three start-ups of 1 us and 10 ns for each of the 31 links after
/// the first to the other side of a ring, or of 400 ns on one host.
TEST(SparseExchange, an_acknowledgement_takes_the_latency_of_its_route) {
  for (char const* links : {"unshared", "shared"}) {
    Json document = Json::parse(R"({"machine": {"topology": {"kind": "ring", "hosts": 64}, "latency": "1us",
        "hop_latency": "10ns", "bandwidth": "1GBps"}, "block": "0B", "algorithm": "nbx_tagged",
        "collective": {"kind": "sparse_exchange", "completion": "wait",
                       "pattern": {"kind": "edges", "ranks": 2, "edges": [[0, 1]]}}})");
    document["machine"]["links"] = links;
    for (int host = 0; host < 64; ++host) document["machine"]["placement"].push_back(host);
    std::swap(document["machine"]["placement"][1], document["machine"]["placement"][32]);
    auto const time = [&] {
      auto const scenario = scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
      return run_point(scenario, "s.json", 1, {}).time_s.value_or(0);
    };
    EXPECT_NEAR(time(), 3 * 1.31e-6, 1e-14) << links;
    document["machine"].merge_patch(Json::parse(
        R"({"ranks_per_host": 2, "placement": null, "intra_latency": "400ns", "intra_bandwidth": "1GBps"})"));
    EXPECT_NEAR(time(), 3 * 400e-9, 1e-14) << links;
  }
}

TEST(SparseExchange, an_acknowledgement_takes_the_same_time_on_a_platform_file) {
  for (char const* timing : {"linear", "flow"}) {
    for (char const* algorithm : {"nbx", "nbx_tagged"}) {
      auto const time = [&](Json const& topology) {
        Json document = Json::parse(R"({"machine": {"latency": "100us", "bandwidth": "1GBps"}, "block": "1KiB",
            "collective": {"kind": "sparse_exchange", "completion": "wait",
                           "pattern": {"kind": "edges", "ranks": 2, "edges": [[0, 1]]}}})");
        document["machine"]["topology"] = topology;
        document["machine"]["timing"] = timing;
        document["algorithm"] = algorithm;
        auto const scenario = scenario::parse(scenario::Sweep(document, "s.json")[0], "s.json");
        Record const record = run_point(scenario, "s.json", 1, {});
        EXPECT_EQ(record.error.value_or(""), "");
        return record.time_s.value_or(0);
      };
      double const own = time(Json::parse(R"({"kind": "fully_connected", "hosts": 64})"));
      std::string const file = std::string(RONDO_SOURCE_DIR) + "/platforms/fully-connected-64.xml";
      EXPECT_GT(own, 300e-6) << algorithm;  // a message, its acknowledgement and a signal
      EXPECT_NEAR(time({{"kind", "file"}, {"path", file}}), own, 1e-9 * own) << algorithm << timing;
    }
  }
}

TEST(SparseExchange, has_no_schedule) {
  auto const scenario = parsed(R"({"pattern": {"kind": "hypercube", "ranks": 4}})", "nbx");
  try {
    schedule_plan(plan_of(scenario, "s.json"), "s.json");
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_STREQ(refused.what(),
                 "s.json: expected a point with a schedule, this one is an MPI program; show --format html and export "
                 "--format trace show its run");
  }
}

}  // namespace
}  // namespace rondo
