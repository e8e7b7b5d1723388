// Classical collectives timed as benchmarks do: behind a barrier, by the ranks' own clocks.

#include <gtest/gtest.h>

#include "run/families.hpp"

namespace rondo {
namespace {

using namespace testing;

Record timed(std::string const& topology, std::string const& collective, std::string const& algorithm,
             std::string const& engine, bool benchmark) {
  std::string const more = std::string(R"({"collective": {"benchmark": )") + (benchmark ? "true" : "false") +
                           R"(}, "machine": {"hop_latency": "500ns"}})";
  Record record = record_of({topology, collective, more}, algorithm, engine);
  EXPECT_EQ(record.error.value_or(""), "") << collective;
  return record;
}

TEST(Benchmark, takes_what_the_collective_takes_where_all_leave_the_barrier_at_once) {
  for (char const* collective : {R"({"kind": "bcast", "ranks": 7, "root": 2})", R"({"kind": "allreduce", "ranks": 7})",
                                 R"({"kind": "gather", "ranks": 7})"}) {
    for (char const* engine : {"native", "smpi"}) {
      std::string const connected = R"({"kind": "fully_connected", "hosts": 7})";
      std::string const algorithm =
          std::string(collective).find("allreduce") == std::string::npos ? "binomial" : "ring";
      Record const own = timed(connected, collective, algorithm, engine, true);
      Record const plain = timed(connected, collective, algorithm, engine, false);
      EXPECT_NEAR(*own.time_s, *plain.time_s, 1e-9 * *plain.time_s) << collective << engine;
      EXPECT_EQ(own.messages, plain.messages) << collective << engine;
      EXPECT_EQ(own.payload, plain.payload) << collective << engine;
      EXPECT_EQ(own.delivered, true);
      EXPECT_FALSE(own.theory.time_s || own.bound.time_s) << collective;
    }
  }
}

/// Three hosts in a line. In the barrier's first round rank 1 has neighbors only, 0 and 2 a message over two hops; so
/// rank 1 leaves the second round a hop's latency before them. In a broadcast from it, the root's clock runs so much
/// longer than its two messages take.
TEST(Benchmark, counts_the_clock_of_a_rank_that_leaves_the_barrier_early) {
  std::string const line = R"({"kind": "mesh", "dims": [3]})";
  for (char const* engine : {"native", "smpi"}) {
    std::string const from_middle = R"({"kind": "bcast", "ranks": 3, "root": 1})";
    Record const own = timed(line, from_middle, "linear", engine, true);
    Record const plain = timed(line, from_middle, "linear", engine, false);
    EXPECT_NEAR(*own.time_s - *plain.time_s, 500e-9, 1e-15) << engine;
    // From an end, the last to be served began its clock when the root did, or a hop's latency before it.
    std::string const from_end = R"({"kind": "bcast", "ranks": 3, "root": 0})";
    EXPECT_NEAR(*timed(line, from_end, "linear", engine, true).time_s,
                *timed(line, from_end, "linear", engine, false).time_s, 1e-15)
        << engine;
  }
}

TEST(Benchmark, has_no_bound_by_the_loads_of_shared_links) {
  std::string const more =
      R"({"collective": {"benchmark": true}, "machine": {"ranks_per_host": 4, "intra_latency": "200ns"}})";
  for (char const* engine : {"native", "smpi"}) {
    Record const own = record_of(
        {R"({"kind": "fully_connected", "hosts": 4})", R"({"kind": "bcast", "ranks": 16})", more}, "binomial", engine);
    EXPECT_EQ(own.error.value_or(""), "") << engine;
    EXPECT_GT(*own.time_s, 0) << engine;
    EXPECT_FALSE(own.bound.time_s || own.load_time_s) << engine;
  }
}

TEST(Benchmark, of_one_rank_takes_no_time) {
  Record const own =
      timed(R"({"kind": "fully_connected", "hosts": 1})", R"({"kind": "bcast", "ranks": 1})", "linear", "native", true);
  EXPECT_EQ(own.time_s, 0);
}

}  // namespace
}  // namespace rondo
