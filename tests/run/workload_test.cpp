// Workloads in records: steps on groups, one after the other and side by side, against times by pen and paper. A
// message of n bytes takes 1 us + n / (1 GB/s), with a send and a receive port a rank.

#include <gtest/gtest.h>

#include "run/families.hpp"
#include "run/points/fields.hpp"
#include "run/points/results_file.hpp"

namespace rondo {
namespace {

using namespace testing;

std::string workload(std::string const& steps, int ranks = 8, int repeat = 1) {
  return R"({"kind": "workload", "ranks": )" + std::to_string(ranks) + R"(, "repeat": )" + std::to_string(repeat) +
         R"(, "steps": [)" + steps + "]}";
}

Record record_with(std::string const& steps, std::string const& more = "{}", std::string const& engine = "native",
                   int repeat = 1) {
  Record record = testing::record_of(Given{.collective = workload(steps, 8, repeat), .more = more}, "workload", engine);
  EXPECT_EQ(record.error.value_or(""), "") << steps;
  return record;
}

double of_step(Record const& record, char const* step, char const* field) {
  return (*record.steps)[step][field].get<double>();
}

std::string refused(std::string const& steps, std::string const& more = "{}") {
  try {
    testing::parsed(Given{.collective = workload(steps), .more = more}, "workload");
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

double const us = 1e-6;
std::string const ring_of_4 = R"("collective": {"kind": "allgather"}, "algorithm": "ring", "groups": {"size": 4})";

TEST(Workloads, of_one_step_take_the_time_of_its_collective_to_the_bit) {
  for (std::string const machine :
       {R"({"timing": "linear"})",
        R"({"timing": "flow", "flow": {"o_send": "300ns", "match": "7ns", "eager": "64B"}, "reduce": "0.3ns/B"})"}) {
    std::string const more = R"({"block": "777B", "machine": )" + machine + "}";
    for (auto const& [kind, algorithm] : {std::pair("allreduce", "rabenseifner"),
                                          {"alltoall", "pairwise"},
                                          {"bcast", "binomial"},
                                          {"reduce_scatter", "ring"}}) {
      for (char const* engine : {"native", "smpi"}) {
        std::string const named = R"("kind": ")" + std::string(kind) + '"';
        Record const plain =
            testing::record_of(Given{.collective = "{" + named + R"(, "ranks": 8})", .more = more}, algorithm, engine);
        Record const whole = record_with(
            R"({"name": "one", "collective": {)" + named + R"(}, "algorithm": ")" + algorithm + "\"}", more, engine);
        EXPECT_EQ(plain.time_s, whole.time_s) << kind << engine;
        EXPECT_EQ(plain.messages, whole.messages) << kind;
        EXPECT_EQ(plain.volume_bytes, whole.volume_bytes) << kind;
        EXPECT_EQ(whole.delivered, true);
        EXPECT_EQ(of_step(whole, "one", "time_s"), *plain.time_s);
        EXPECT_EQ(of_step(whole, "one", "alone_s"), *plain.time_s);
        EXPECT_EQ(of_step(whole, "one", "slowdown"), 1);
      }
    }
  }
}

TEST(Workloads, on_groups_side_by_side_take_the_time_of_the_longest) {
  for (char const* engine : {"native", "smpi"}) {
    // Groups of 3, 3 and 2 ranks: rings of 2, 2 and 1 rounds of 64 B.
    Record const record =
        record_with(R"({"name": "a", "collective": {"kind": "allgather"}, "algorithm": "ring", "groups": {"size": 3}})",
                    "{}", engine);
    EXPECT_NEAR(*record.time_s, 2 * 1.064 * us, 1e-15);
    EXPECT_EQ(record.messages, 2 * 3 * 2 + 2);
    EXPECT_EQ(record.volume_bytes, 128);
  }
}

TEST(Workloads, have_their_steps_in_csv_as_cells_and_by_name) {
  Record const record = record_with(R"({"name": "a", "compute": "5us"}, {"name": "b", "compute": "2us"})");
  EXPECT_EQ(csv_row(record, {}, {"steps.a.time_s", "steps.a.slowdown", "steps.c.time_s", "jobs.a.time_s"}),
            "5e-06,1.0,,");
  EXPECT_EQ(csv_header({}, {"steps.b.time_s"}), "steps.b.time_s");
  for (char const* name : {"steps.a", "steps.a.rounds", "steps", "jobs.x.slowdown", "step.a.time_s"}) {
    bool const known = name == std::string("steps") || name == std::string("jobs.x.slowdown");
    EXPECT_EQ(field_named(name).has_value(), known) << name;
  }
  Record const again = rondo::record_in(csv_row(record) + "\n", csv_header() + "\n");
  EXPECT_EQ(to_json(again).dump(), to_json(record).dump());
}

TEST(Workloads, follow_the_order_of_each_ranks_own_steps) {
  // Rank 0 calculates for 10 us and then sends to 1, while 2 and 3 have long begun: there is no barrier.
  std::string const steps = R"({"name": "work", "compute": "10us", "groups": [[0]]},
    {"name": "pairs", "collective": {"kind": "bcast"}, "algorithm": "binomial", "groups": {"size": 2}},
    {"name": "last", "compute": "1us", "groups": [[2, 3]]})";
  for (char const* engine : {"native", "smpi"}) {
    Record const record = record_with(steps, "{}", engine);
    EXPECT_NEAR(*record.time_s, 11.064 * us, 1e-15);
    EXPECT_NEAR(of_step(record, "pairs", "time_s"), 11.064 * us, 1e-15);  // ranks 1 to 7 begin at 0
    EXPECT_NEAR(of_step(record, "pairs", "alone_s"), 1.064 * us, 1e-15);
    EXPECT_NEAR(of_step(record, "last", "time_s"), 1 * us, 1e-15);
  }
}

TEST(Workloads, overlap_where_they_say_so) {
  auto const steps = [](char const* overlap) {
    return std::string(R"({"name": "halo", "collective": {"kind": "allgather"}, "algorithm": "ring", "overlap": )") +
           overlap + R"(}, {"name": "work", "compute": "5us"},
             {"name": "sum", "collective": {"kind": "allgather"}, "algorithm": "ring", "after": ["halo", "work"]})";
  };
  double const ring = 7 * 1.064 * us;
  for (char const* engine : {"native", "smpi"}) {
    EXPECT_NEAR(*record_with(steps("true"), "{}", engine).time_s, 2 * ring, 1e-15);
    EXPECT_NEAR(*record_with(steps("false"), "{}", engine).time_s, 2 * ring + 5 * us, 1e-15);
  }
}

TEST(Workloads, are_slowed_by_what_shares_their_ports) {
  // Two exchanges of pairs at once on one port a rank: each message of the second waits for one of the first.
  std::string const pairs = R"("collective": {"kind": "allgather"}, "algorithm": "ring", "groups": {"size": 2})";
  for (char const* engine : {"native", "smpi"}) {
    Record const record =
        record_with(R"({"name": "a", )" + pairs + R"(, "overlap": true}, {"name": "b", )" + pairs + "}", "{}", engine);
    EXPECT_NEAR(of_step(record, "a", "slowdown"), 1, 1e-9);
    EXPECT_NEAR(of_step(record, "b", "slowdown"), 2, 1e-9);
  }
}

TEST(Workloads, repeat_their_steps) {
  for (char const* engine : {"native", "smpi"}) {
    Record const record =
        record_with(R"({"name": "a", )" + ring_of_4 + R"(}, {"name": "w", "compute": "2us"})", "{}", engine, 3);
    EXPECT_NEAR(*record.time_s, 3 * (3 * 1.064 + 2) * us, 1e-15);
    EXPECT_NEAR(of_step(record, "a", "time_s"), 9 * 1.064 * us, 1e-15);
    EXPECT_NEAR(of_step(record, "a", "alone_s"), 9 * 1.064 * us, 1e-15);
    EXPECT_NEAR(of_step(record, "w", "time_s"), 6 * us, 1e-15);
    EXPECT_EQ(record.messages, 3 * 8 * 3);
  }
}

TEST(Workloads, wait_for_ranks_that_come_late) {
  for (char const* engine : {"native", "smpi"}) {
    Record const record = record_with(R"({"name": "w", "compute": "2us"}, {"name": "a", )" + ring_of_4 + "}",
                                      R"({"arrival": {"kind": "one_late", "spread": "50us"}})", engine);
    EXPECT_NEAR(*record.time_s, (52 + 3 * 1.064) * us, 1e-15);
    EXPECT_NEAR(*record.after_last_arrival_s, (2 + 3 * 1.064) * us, 1e-15);
    EXPECT_NEAR(of_step(record, "a", "alone_s"), 3 * 1.064 * us, 1e-15);  // alone, nobody is late
  }
}

TEST(Workloads, know_their_groups) {
  // Each group gathers 100 B at its first rank, one message after the other: (size of a group - 1) messages.
  auto const gathered = [](std::string const& groups) {
    Record const record = record_with(
        R"({"name": "g", "collective": {"kind": "gather"}, "algorithm": "linear", "groups": )" + groups + "}",
        R"({"block": "0B", "machine": {"ranks_per_host": 3, "topology": {"hosts": 8}, "intra_latency": "2us"}})");
    return *record.time_s / us;
  };
  // Ranks 0 to 2, 3 to 5, 6 and 7 are on one host each: 2 us a message there, 1 us between hosts.
  EXPECT_NEAR(gathered(R"("hosts")"), 4, 1e-9);
  EXPECT_NEAR(gathered(R"({"size": 2})"), 2, 1e-9);
  EXPECT_NEAR(gathered(R"({"every": 4})"), 1, 1e-9);         // 0 and 4
  EXPECT_NEAR(gathered(R"({"rows": [4, 2]})"), 2, 1e-9);     // 0 and 1
  EXPECT_NEAR(gathered(R"({"columns": [4, 2]})"), 4, 1e-9);  // 0, 2, 4, 6: 2 us, then two of 1 us
  EXPECT_NEAR(gathered(R"([[7, 0], [5, 2, 4]])"), 3, 1e-9);  // 5 has 2 at 1 us and 4 at 2 us
}

TEST(Workloads, are_timed_by_loggp) {
  std::string const loggp = R"({"block": "777B", "machine": {"timing": "loggp", "latency": null, "bandwidth": null,
    "loggp": {"L": "2us", "o": "1500ns", "g": "1us", "G": "6ns/B", "S": "65535B"}}})";
  std::string const sum = R"("collective": {"kind": "allreduce"}, "algorithm": "recursive_doubling")";
  Record const plain = testing::record_of(Given{.collective = R"({"kind": "allreduce", "ranks": 8})", .more = loggp},
                                          "recursive_doubling");
  Record const one = record_with(R"({"name": "a", )" + sum + "}", loggp);
  EXPECT_EQ(plain.time_s, one.time_s);
  // Calculations of all ranks before and behind, and none waits for the others' but through messages.
  Record const three = record_with(
      R"({"name": "w", "compute": "5us"}, {"name": "a", )" + sum + R"(}, {"name": "v", "compute": "7us"})", loggp);
  EXPECT_NEAR(*three.time_s, *plain.time_s + 12 * us, 1e-15);
  EXPECT_NEAR(of_step(three, "a", "time_s"), *plain.time_s, 1e-15);
  EXPECT_NEAR(of_step(three, "v", "time_s"), 7 * us, 1e-15);
  // One send, in two groups side by side: o + L + o with 1 B each, as by [Alexandrov95].
  Record const pairs = record_with(
      R"({"name": "w", "compute": "5us", "groups": [[1]]},
         {"name": "b", "collective": {"kind": "bcast"}, "algorithm": "linear", "block": "1B", "groups": [[0, 2], [1, 3]]})",
      loggp);
  EXPECT_NEAR(*pairs.time_s, (5 + 1.5 + 2 + 1.5) * us, 1e-15);
  EXPECT_EQ(pairs.messages, 2);
}

TEST(Workloads, run_on_platform_files) {
  std::string const file = "/platforms/fully-connected-64.xml";
  std::string const more = R"({"block": "9kB", "machine": {"topology": {"hosts": null, "kind": "file", "path": ")" +
                           std::string(RONDO_SOURCE_DIR) + file + R"("}, "ports": 1}})";
  Record const plain =
      testing::record_of(Given{.collective = R"({"kind": "alltoall", "ranks": 8})", .more = more}, "pairwise");
  ASSERT_EQ(plain.error.value_or(""), "");
  std::string const exchange = R"("collective": {"kind": "alltoall"}, "algorithm": "pairwise")";
  Record const one = record_with(R"({"name": "a", )" + exchange + "}", more);
  EXPECT_EQ(plain.time_s, one.time_s);
  Record const two = record_with(R"({"name": "a", )" + exchange + R"(}, {"name": "b", )" + exchange + "}", more);
  EXPECT_NEAR(*two.time_s, 2 * *plain.time_s, 1e-12 * *two.time_s);
  Record const apart = record_with(
      R"({"name": "a", "collective": {"kind": "bcast"}, "algorithm": "linear", "groups": [[7, 3], [5, 2]]})", more);
  EXPECT_NEAR(of_step(apart, "a", "slowdown"), 1, 1e-12);
  EXPECT_EQ(apart.messages, 2);
}

TEST(Workloads, come_in_a_record_and_out_of_it) {
  Record const record = record_with(R"({"name": "a", )" + ring_of_4 + "}");
  Json const json = to_json(record);
  EXPECT_EQ(to_json(rondo::record_of(json)).dump(), json.dump());
}

TEST(Workloads, are_refused_where_their_steps_wait_for_each_other) {
  std::string const circle =
      R"({"name": "a", "compute": "1us", "after": ["c"]}, {"name": "b", "compute": "1us"}, {"name": "c", "compute": "1us", "after": ["a"]})";
  EXPECT_EQ(refused(circle),
            "s.json: /collective/steps/0/after: expected steps that do not wait for each other, got a cycle: \"a\" is "
            "after \"c\" is after \"a\"");
  EXPECT_EQ(refused(R"({"name": "a", "compute": "1us", "after": ["a"]})"),
            "s.json: /collective/steps/0/after: expected steps that do not wait for each other, got a cycle: \"a\" is "
            "after \"a\"");
}

TEST(Workloads, refuse_what_is_wrong_with_a_step_at_its_place) {
  EXPECT_EQ(
      refused(
          R"({"name": "a", "collective": {"kind": "bcast", "root": 4}, "algorithm": "binomial", "groups": {"size": 4}})"),
      "s.json: /collective/steps/0/collective/root: expected a rank, from 0 to 3, got 4");
  EXPECT_EQ(refused(R"({"name": "a", "collective": {"kind": "bcast"}, "algorithm": "ring"})").substr(0, 62),
            "s.json: /collective/steps/0/algorithm: expected one of \"linear");
  EXPECT_EQ(refused(R"({"name": "a", "compute": "1us", "groups": [[0, 1], [1, 2]]})"),
            "s.json: /collective/steps/0/groups/1/0: expected each rank once, got 1 again");
}

}  // namespace
}  // namespace rondo
