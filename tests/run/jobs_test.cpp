// Jobs: several workloads on one machine, against times by pen and paper, against each job by itself, and native
// against SMPI. A message of n bytes takes 1 us + n / (1 GB/s), with a send and a receive port a rank.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>

#include "base/random.hpp"
#include "base/text.hpp"
#include "engine/engine.hpp"
#include "folder.hpp"
#include "run/families.hpp"
#include "run/output/trace.hpp"
#include "run/points/simulate.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

using namespace testing;

/// {"kind": "workload", "jobs": [...]}
std::string jobs(std::vector<std::string> const& list) {
  return fmt::format(R"({{"kind": "workload", "jobs": [{}]}})", listed(list, ", "));
}

std::string job(std::string const& name, int ranks, std::string const& steps, std::string const& more = "") {
  return fmt::format(R"({{"name": "{}", "workload": {{"ranks": {}, "steps": [{}]}}{}}})", name, ranks, steps, more);
}

double of_job(Record const& record, std::string const& name, char const* field) {
  return (*record.jobs)[name][field].get<double>();
}

std::string const training = R"({"name": "forward", "compute": "3us"},
  {"name": "sum", "collective": {"kind": "allreduce"}, "algorithm": "rabenseifner", "block": "777B", "overlap": true},
  {"name": "halo", "collective": {"kind": "alltoall"}, "algorithm": "pairwise", "groups": {"size": 4}})";
std::string const gathering = R"({"name": "gather", "collective": {"kind": "allgather"}, "algorithm": "ring"})";

constexpr char const* flow = R"({"machine": {"timing": "flow", "reduce": "0.3ns/B",
  "flow": {"o_send": "300ns", "o_recv": "170ns", "match": "7ns", "eager": "64B"}}})";

/// The hosts of 24 that the ranks of a job have, where hosts 20 and 21 are named by another.
std::vector<int> hosts_of(std::string const& how, int ranks_per_host = 1, std::string const& placement = "block") {
  std::string const more =
      fmt::format(R"({{"machine": {{"ranks_per_host": {}, "placement": "{}"}}}})", ranks_per_host, placement);
  auto const scenario = parsed({.collective = jobs({job("a", 6, gathering, R"(, "hosts": )" + how),
                                                    job("b", 2 * ranks_per_host, gathering, R"(, "hosts": [21, 20])")}),
                                .more = more},
                               "workload");
  auto const& list = std::get<ListPlacement>(scenario.machine.placement).host_of;
  return {list.begin(), list.begin() + 6};
}

TEST(Jobs, have_hosts_for_themselves) {
  EXPECT_EQ(hosts_of("\"block\""), (std::vector{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(hosts_of("[3, 23, 0, 22, 5, 19]"), (std::vector{3, 23, 0, 22, 5, 19}));
  // Of the 22 free ones the numbers 0, 22/6, 44/6, ...
  EXPECT_EQ(hosts_of("\"scattered\""), (std::vector{0, 3, 7, 11, 14, 18}));
  EXPECT_EQ(hosts_of("\"block\"", 2), (std::vector{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(hosts_of("\"scattered\"", 2, "cyclic"), (std::vector{0, 7, 14, 0, 7, 14}));
  auto const random = hosts_of("\"random\"");
  EXPECT_TRUE(std::is_sorted(random.begin(), random.end()));
  EXPECT_EQ(std::set(random.begin(), random.end()).size(), 6U);
  EXPECT_NE(random.back(), 20);
  EXPECT_EQ(random, hosts_of("\"random\""));
}

TEST(Jobs, that_share_nothing_take_the_time_of_each_by_itself_to_the_bit) {
  for (std::string const& more : {std::string("{}"), std::string(flow)}) {
    Record const whole = record_of(
        {.collective = jobs({job("first", 8, training), job("second", 8, training), job("third", 5, gathering)}),
         .more = more},
        "workload");
    ASSERT_EQ(whole.error.value_or(""), "");
    for (auto const& [name, ranks, steps] :
         {std::tuple("first", 8, training), {"second", 8, training}, {"third", 5, gathering}}) {
      Record const lone =
          record_of({.collective = fmt::format(R"({{"kind": "workload", "ranks": {}, "steps": [{}]}})", ranks, steps),
                     .more = more},
                    "workload");
      EXPECT_EQ(of_job(whole, name, "time_s"), *lone.time_s) << name;
      EXPECT_EQ(of_job(whole, name, "alone_s"), *lone.time_s) << name;
      EXPECT_EQ(of_job(whole, name, "slowdown"), 1) << name;
      for (auto const& [step, of_step] : lone.steps->items()) {
        EXPECT_EQ((*whole.steps)[std::string(name) + "." + step], of_step) << name << step;
      }
    }
  }
}

/// Two switches of two hosts, joined by one link a direction.
constexpr char const* two_switches = R"({"kind": "fat_tree", "down": [2, 2], "up": [1, 1]})";

std::string pairs(std::string const& hosts, std::string const& start) {
  std::string const send =
      R"({"name": "send", "collective": {"kind": "bcast"}, "algorithm": "binomial", "block": "8kB"})";
  return jobs({job("a", 2, send, R"(, "hosts": )" + hosts),
               job("b", 2, send, R"(, "hosts": )" + hosts + R"(, "start": ")" + start + "\"")});
}

TEST(Jobs, slow_each_other_on_links_that_they_share) {
  std::string const shared = R"({"machine": {"links": "shared"}})";
  for (char const* engine : {"native", "smpi"}) {
    // A message takes 1 us and 8 us for its bytes, 16 us where two share the link between the switches.
    Record const apart = record_of({.topology = two_switches, .collective = pairs("\"block\"", "0us"), .more = shared},
                                   "workload", engine);
    EXPECT_NEAR(of_job(apart, "a", "slowdown"), 1, 1e-12);
    EXPECT_NEAR(of_job(apart, "b", "time_s"), 9e-6, 1e-15);
    Record const mixed = record_of(
        {.topology = two_switches, .collective = pairs("\"scattered\"", "0us"), .more = shared}, "workload", engine);
    EXPECT_NEAR(of_job(mixed, "a", "slowdown"), 17. / 9, 1e-9);
    EXPECT_NEAR(of_job(mixed, "b", "slowdown"), 17. / 9, 1e-9);
    EXPECT_NEAR((*mixed.steps)["b.send"]["slowdown"].get<double>(), 17. / 9, 1e-9);
    // b flows from 5 us on: a has half its bytes left, which take 8 us; then b has half of its left, which take 4 us.
    Record const late = record_of(
        {.topology = two_switches, .collective = pairs("\"scattered\"", "4us"), .more = shared}, "workload", engine);
    EXPECT_NEAR(of_job(late, "a", "time_s"), 13e-6, 1e-15);
    EXPECT_NEAR(of_job(late, "b", "time_s"), 13e-6, 1e-15);
    EXPECT_NEAR(of_job(late, "b", "alone_s"), 9e-6, 1e-15);
    EXPECT_NEAR(*late.time_s, 17e-6, 1e-15);
  }
}

TEST(Jobs, repeat_their_own_steps) {
  std::string const list = R"({"kind": "workload", "jobs": [
    {"name": "often", "workload": {"ranks": 2, "repeat": 5, "steps": [{"name": "w", "compute": "2us"}]}},
    {"name": "once", "workload": {"ranks": 3, "steps": [)" +
                           gathering + "]}}]}";
  Record const record = record_of({.collective = list}, "workload");
  EXPECT_NEAR(of_job(record, "often", "time_s"), 10e-6, 1e-15);
  EXPECT_NEAR((*record.steps)["often.w"]["time_s"].get<double>(), 10e-6, 1e-15);
  EXPECT_NEAR(of_job(record, "once", "time_s"), 2 * 1.064e-6, 1e-15);
  EXPECT_EQ(record.messages, 6);
  EXPECT_EQ(record.p, 5);
}

TEST(Jobs, come_in_a_record_and_out_of_it) {
  Record const record = record_of({.collective = jobs({job("a", 8, training, R"(, "start": "2us")")})}, "workload");
  Json const json = to_json(record);
  EXPECT_EQ(json["jobs"]["a"]["slowdown"], 1);
  EXPECT_EQ(to_json(rondo::record_of(json)).dump(), json.dump());
}

TEST(Jobs, are_drawn_by_their_steps) {
  auto const scenario = parsed({.topology = two_switches, .collective = pairs("\"block\"", "4us")}, "workload");
  Timeline const timeline = timeline_of(plan_of(scenario, "s.json"), scenario, "s.json", 100);
  ASSERT_EQ(timeline.steps.size(), 4U);
  EXPECT_EQ(timeline.steps[0].name, "a.send");
  EXPECT_EQ(timeline.steps[3].name, "b.send");
  EXPECT_EQ(timeline.steps[3].rank, Rank(3));
  EXPECT_NEAR(timeline.steps[3].start.value, 4e-6, 1e-15);
  EXPECT_NEAR(timeline.steps[3].end.value, 13e-6, 1e-15);
  std::string trace;
  write_trace(timeline, "jobs", [&](std::string_view piece) { trace += piece; });
  auto const events = Json::parse(trace)["traceEvents"];
  auto const bars = std::count_if(events.begin(), events.end(), [](Json const& event) {
    return event["ph"] == "X" && event["cat"] == "step" && event["name"] == "b.send" && event["dur"] == 9.0;
  });
  EXPECT_EQ(bars, 2);
}

/// The record of a scenario that lies in the folder, beside the files that it names.
Record record_in(test::Folder const& folder, std::string const& list, std::string const& machine,
                 std::string const& engine) {
  Json document = {{"machine", Json::parse(machine)}, {"collective", Json::parse(list)}, {"engine", engine}};
  document["machine"]["topology"] = {{"kind", "fully_connected"}, {"hosts", 8}};
  std::string const file = folder.file("s.json");
  return run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
}

TEST(Jobs, may_be_files_of_tasks) {
  test::Folder const folder;
  // A message of 2000 B behind 3 us of calculation, and one of 1000 B; under LogGP o + L + (n - 1) G + o.
  folder.write(
      "a.goal",
      "num_ranks 2\nrank 0 { c: calc 3000; s: send 2000b to 1; s requires c }\nrank 1 { recv 2000b from 0 }\n");
  folder.write("b.goal", "num_ranks 2\nrank 0 { send 1000b to 1 }\nrank 1 { recv 1000b from 0 }\n");
  auto const of = [](std::string const& name, std::string const& file, std::string const& start) {
    return fmt::format(R"({{"name": "{}", "tasks": "{}", "ranks": 2, "start": "{}"}})", name, file, start);
  };
  std::string const both = jobs({of("a", "a.goal", "0us"), of("b", "b.goal", "5us")});
  for (char const* engine : {"native", "smpi"}) {
    Record const record = record_in(folder, both, R"({"latency": "1us", "bandwidth": "1GBps"})", engine);
    ASSERT_EQ(record.error.value_or(""), "");
    EXPECT_NEAR(of_job(record, "a", "time_s"), 6e-6, 1e-15);
    EXPECT_NEAR(of_job(record, "b", "time_s"), 2e-6, 1e-15);
    EXPECT_NEAR(of_job(record, "b", "alone_s"), 2e-6, 1e-15);
    EXPECT_NEAR(*record.time_s, 7e-6, 1e-15);
    EXPECT_EQ(record.messages, 2);
  }
  // The file in which both are merged takes the same time.
  std::string const loggp =
      R"({"timing": "loggp", "loggp": {"L": "2us", "o": "1500ns", "g": "1us", "G": "6ns/B", "S": "65535B"}})";
  Record const record = record_in(folder, jobs({of("a", "a.goal", "0us"), of("b", "b.goal", "0us")}), loggp, "native");
  ASSERT_EQ(record.error.value_or(""), "");
  TaskGraph const merged = read_goal(
      "num_ranks 4\nrank 0 { c: calc 3000; s: send 2000b to 1; s requires c }\nrank 1 { recv 2000b from 0 }\n"
      "rank 2 { send 1000b to 3 }\nrank 3 { recv 1000b from 2 }\n",
      "merged");
  Platform machine;
  machine.topology = FullyConnected{4};
  machine.timing = TimingModel::loggp;
  machine.loggp = {Seconds(2e-6), Seconds(1.5e-6), Seconds(1e-6), Seconds(6e-9), Seconds(0), Bytes(65535)};
  Outcome const due = simulate_native(merged, machine, {});
  EXPECT_EQ(*record.time_s, due.result->makespan.value);
  EXPECT_EQ(of_job(record, "b", "slowdown"), 1);
}

/// Two pairs of hosts, 1 us and 5 us apart, and 1 GB/s: a message of 1000 B takes 1 us more.
TEST(Jobs, have_the_hosts_of_a_platform_file_that_they_name) {
  test::Folder const folder;
  folder.write("p.xml", R"(<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
    <platform version="4.1"><zone id="z" routing="Full"><host id="h0" speed="1Gf"/><host id="h1" speed="1Gf"/>
    <host id="h2" speed="1Gf"/><host id="h3" speed="1Gf"/><link id="near" bandwidth="1GBps" latency="1us"/>
    <link id="far" bandwidth="1GBps" latency="5us"/><route src="h0" dst="h1"><link_ctn id="near"/></route>
    <route src="h2" dst="h3"><link_ctn id="far"/></route></zone></platform>)");
  std::string const send = R"({"name": "s", "collective": {"kind": "bcast"}, "algorithm": "linear", "block": "1000B"})";
  std::string const each =
      R"({"name": "e", "collective": {"kind": "bcast"}, "algorithm": "linear", "block": "8B", "groups": "hosts"})";
  Json document = {
      {"machine", {{"topology", {{"kind", "file"}, {"path", "p.xml"}}}, {"timing", "linear"}}},
      {"engine", "native"},
      {"collective", Json::parse(jobs({job("a", 2, send + ", " + each), job("b", 2, send, R"(, "hosts": [3, 2])")}))}};
  std::string const file = folder.file("s.json");
  for (char const* timing : {"linear", "flow"}) {
    document["machine"]["timing"] = timing;
    Record const record = run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
    ASSERT_EQ(record.error.value_or(""), "");
    EXPECT_NEAR(of_job(record, "a", "time_s"), 2e-6, 1e-15) << timing;
    EXPECT_NEAR(of_job(record, "b", "time_s"), 6e-6, 1e-15) << timing;
    EXPECT_NEAR(of_job(record, "b", "slowdown"), 1, 1e-12) << timing;
    EXPECT_EQ(record.messages, 2) << "a rank on each host talks to nobody";
  }
  document["collective"]["jobs"][1]["hosts"] = {3, 4};
  Record const record = run_point(scenario::parse(scenario::Sweep(document, file)[0], file), file, 1, {});
  EXPECT_NE(record.error.value_or("").find("p.xml: the ranks need 5 hosts, the platform has 4"), std::string::npos)
      << record.error.value_or("");
}

/// A step of any kind on up to all ranks of its job.
std::string random_step(Random& random, int number, int ranks) {
  std::string const name = fmt::format(R"({{"name": "s{}", )", number);
  std::string const overlap = random.below(3) == 0 ? R"(, "overlap": true)" : "";
  if (random.below(5) == 0) return fmt::format(R"({}"compute": "{}ns"{}}})", name, random.below(6000), overlap);
  std::string const groups[] = {"\"all\"", R"({"every": 2})", R"({"size": 3})", "\"hosts\""};
  std::string const group = groups[ranks < 3 ? 0 : random.below(4)];
  std::pair<char const*, char const*> const kinds[] = {
      {"allreduce", "rabenseifner"}, {"allreduce", "ring"},  {"alltoall", "pairwise"}, {"alltoall", "linear"},
      {"bcast", "binomial"},         {"allgather", "bruck"}, {"reduce", "binomial"}};
  auto const [kind, algorithm] = kinds[random.below(std::size(kinds))];
  return fmt::format(R"({}"collective": {{"kind": "{}"}}, "algorithm": "{}", "block": "{}B", "groups": {}{}}})", name,
                     kind, algorithm, random.below(2) == 0 ? random.below(200) : random.below(20'000), group, overlap);
}

Given random_jobs(Random& random) {
  std::vector<std::string> list;
  char const* const words[] = {"block", "scattered", "random"};
  auto const count = static_cast<int>(random.between(1, 4));
  for (int i = 0; i < count; ++i) {
    auto const ranks = static_cast<int>(random.between(1, 6));
    std::vector<std::string> steps;
    auto const number = static_cast<int>(random.between(1, 3));
    for (int step = 0; step < number; ++step) steps.push_back(random_step(random, step, ranks));
    list.push_back(job(fmt::format("j{}", i), ranks, listed(steps, ", "),
                       fmt::format(R"(, "hosts": "{}", "start": "{}ns")", words[random.below(3)],
                                   random.below(2) == 0 ? 0 : random.below(4000))));
  }
  char const* const topologies[] = {
      R"({"kind": "torus", "dims": [4, 6]})", R"({"kind": "fat_tree", "down": [4, 6], "up": [1, 2]})",
      R"({"kind": "ring", "hosts": 24})",
      R"({"kind": "dragonfly", "groups": 3, "chassis": 2, "routers": 2, "hosts_per_router": 2})"};
  Json more = Json::parse(random.below(2) == 0 ? flow : "{}");
  more["seed"] = random.below(1000);
  if (random.below(2) == 0) more["machine"]["links"] = "shared";
  if (random.below(3) == 0) more["machine"]["ranks_per_host"] = 2;
  if (random.below(3) == 0) more["machine"]["ports"] = 2;
  return {.topology = topologies[random.below(4)], .collective = jobs(list), .more = more.dump()};
}

void expect_engines_agree_on_jobs(std::uint64_t seed) {
  Random random(seed);
  Given const given = random_jobs(random);
  Record const native = record_of(given, "workload", "native"), smpi = record_of(given, "workload", "smpi");
  std::string const where = fmt::format("seed {}: {} {} {}", seed, given.topology, given.collective, given.more);
  ASSERT_EQ(native.error.value_or(""), "") << where;
  ASSERT_EQ(smpi.error.value_or(""), "") << where;
  ASSERT_EQ(native.messages, smpi.messages) << where;
  double const whole = *smpi.time_s;
  ASSERT_NEAR(*native.time_s, whole, 1e-9 * whole) << where;
  for (auto const& [known, other] : {std::pair(*native.jobs, *smpi.jobs), {*native.steps, *smpi.steps}}) {
    for (auto const& [name, entry] : known.items()) {
      for (char const* field : {"time_s", "alone_s"}) {
        ASSERT_NEAR(entry[field].get<double>(), other[name][field].get<double>(), 1e-9 * whole) << where << name;
      }
    }
  }
}

TEST(Jobs, take_one_time_on_both_engines) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) expect_engines_agree_on_jobs(seed);
}

TEST(LongJobs, take_one_time_on_both_engines_three_hundred_times) {
  for (std::uint64_t seed = 1001; seed <= 1000 + 300 / test::thinned; ++seed) expect_engines_agree_on_jobs(seed);
}

}  // namespace
}  // namespace rondo
