// `rondo export --format goal`, and `rondo run x.goal --machine FILE`.

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

constexpr char const* linear = R"({"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us",
                                   "bandwidth": "1GBps"})";
/// LogGOPSim's own defaults.
constexpr char const* loggp = R"({"topology": {"kind": "fully_connected", "hosts": 4}, "timing": "loggp",
                                  "loggp": {"L": "2500ns", "o": "1500ns", "g": "1us", "G": "6ns/B"}})";

/// All-to-all of one block of 8 B with the rank across a 2 x 2 torus.
std::string scenario(std::string const& machine, std::string const& more = "") {
  return R"({"machine": )" + machine + R"(, "algorithm": "torus", "block": "8B", "engine": "native",
             "collective": {"kind": "isomorphic_alltoall", "torus": [2, 2],
                            "neighborhood": {"kind": "offsets", "offsets": [[1, 1]]}})" +
         more + "}";
}

json record_of(Ran const& ran) {
  EXPECT_EQ(ran.exit_code, 0) << ran.err << ran.out;
  return json::parse(ran.out);
}

constexpr char const* two_rounds_of_rank_0 =
    "rank 0 {\n"
    "l1: recv 8b from 2 tag 0\n"
    "l2: send 8b to 2 tag 0\n"
    "l3: recv 8b from 1 tag 0\n"
    "l4: send 8b to 1 tag 0\n"
    "l3 requires l1\n"
    "l3 requires l2\n"
    "l4 requires l1\n"
    "l4 requires l2\n"
    "}\n";

TEST(Goal, a_schedule_is_exported_rank_by_rank) {
  Folder const folder;
  Ran const ran = rondo("export --format goal " + folder.write("s.json", scenario(linear)));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out.substr(0, ran.out.find("\nrank 1 {")), std::string("num_ranks 4\n\n") + two_rounds_of_rank_0);
}

TEST(Goal, an_exported_schedule_takes_as_long_as_its_scenario) {
  Folder const folder;
  for (char const* machine : {linear, loggp}) {
    std::string const file = folder.write("s.json", scenario(machine));
    std::string const goal = (folder.path() / "s.goal").string();
    ASSERT_EQ(rondo("export --format goal --force --output " + goal + " " + file).exit_code, 0);
    json const direct = record_of(rondo("run --format jsonl " + file));
    json const back = record_of(rondo("run --format jsonl " + goal + " --machine " + folder.write("m.json", machine)));
    EXPECT_EQ(back["time_s"], direct["time_s"]);
    EXPECT_EQ(back["timing"], direct["timing"]);
    EXPECT_EQ(back["messages"], 8);
    EXPECT_EQ(back["volume_bytes"], 16) << "two messages of 8 B from each rank";
    for (char const* unknown : {"delivered", "collective", "algorithm", "rounds", "block_bytes", "seed"}) {
      EXPECT_TRUE(back[unknown].is_null()) << unknown;
    }
    EXPECT_EQ(back["expanded"]["machine"], json::parse(machine));
  }
}

TEST(Goal, runs_on_smpi_too) {
  Folder const folder;
  std::string const file = folder.write("s.json", scenario(linear));
  std::string const goal = (folder.path() / "s.goal").string();
  ASSERT_EQ(rondo("export --format goal --output " + goal + " " + file).exit_code, 0);
  std::string const run = "run --format jsonl --engine smpi " + goal + " --machine ";
  json const record = record_of(rondo(run + folder.write("m.json", linear)));
  EXPECT_EQ(record["engine"], "smpi");
  EXPECT_NEAR(record["time_s"], 2 * 1.008e-6, 1e-9 * 2e-6) << "two rounds of 8 B";
  Ran const refused = rondo(run + folder.write("l.json", loggp));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "--engine: expected \"native\" on a machine with \"loggp\" timing, got \"smpi\"\n");
}

TEST(Goal, calculations_and_messages_take_their_linear_time) {
  Folder const folder;
  std::string const goal = folder.write("x.goal",
                                        "num_ranks 2\n"
                                        "rank 0 {\n"
                                        "a: calc 500\n"
                                        "b: send 100b to 1 tag 3\n"
                                        "b requires a\n"
                                        "}\n"
                                        "rank 1 { recv 100b from 0 tag 3 }\n");
  json const record = record_of(rondo("run --format jsonl " + goal + " --machine " + folder.write("m.json", linear)));
  EXPECT_DOUBLE_EQ(record["time_s"], 1.6e-6);  // 500 ns, then 1 us and 100 B at 1 GB/s
}

constexpr char const* each_waits_for_the_other =
    "num_ranks 2\n"
    "rank 0 {\n"
    "r: recv 8b from 1 tag 0\n"
    "s: send 8b to 1 tag 0\n"
    "s requires r\n"
    "}\n"
    "rank 1 {\n"
    "r: recv 8b from 0 tag 0\n"
    "s: send 8b to 0 tag 0\n"
    "s requires r\n"
    "}\n";

TEST(Goal, a_deadlock_is_named_by_its_smallest_circular_wait) {
  Folder const folder;
  std::string const goal = folder.write("x.goal", each_waits_for_the_other);
  Ran const ran = rondo("run " + goal + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.out.find("point 1: " + goal +
                         ": deadlock: circular wait: rank 0's line 3 (recv 8b from 1 tag 0) waits for rank 1's line 9 "
                         "(send 8b to 0 tag 0), which waits for rank 1's line 8 (recv 8b from 0 tag 0), which waits "
                         "for rank 0's line 4 (send 8b to 1 tag 0), which waits for rank 0's line 3 (recv 8b from 1 "
                         "tag 0)\n"),
            std::string::npos)
      << ran.out;
}

TEST(Goal, a_deadlock_of_rendezvous_alone_is_one_where_the_timing_has_rendezvous) {
  Folder const folder;
  // Both send first, and receive after that.
  std::string const goal = folder.write("x.goal",
                                        "num_ranks 2\n"
                                        "rank 0 {\ns: send 8b to 1\nr: recv 8b from 1\nr requires s\n}\n"
                                        "rank 1 {\ns: send 8b to 0\nr: recv 8b from 0\nr requires s\n}\n");
  Ran const ran = rondo("run " + goal + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.out.find("deadlock: circular wait: rank 0's line 3 (send 8b to 1 tag 0)"), std::string::npos);
  EXPECT_EQ(rondo("run " + goal + " --machine " + folder.write("l.json", loggp)).exit_code, 0) << "8 B are eager";
}

TEST(Goal, messages_of_different_sizes_are_named_with_both_tasks) {
  Folder const folder;
  std::string const goal = folder.write("x.goal",
                                        "num_ranks 2\n"
                                        "rank 0 { send 8b to 1 tag 0 }\n"
                                        "rank 1 { recv 16b from 0 tag 0 }\n");
  Ran const ran = rondo("run --format jsonl " + goal + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 3);
  json const record = json::parse(ran.out);
  EXPECT_EQ(record["error"], goal +
                                 ": rank 0's line 2 (send 8b to 1 tag 0) meets rank 1's line 3 (recv 16b from 0 tag "
                                 "0) of another size");
  EXPECT_EQ(record["violations"], 1);
  EXPECT_TRUE(record["time_s"].is_null());
}

TEST(Goal, sizes_meet_in_the_order_that_time_gives_them) {
  // The first send waits for a calculation of 9 us, the second for one of 5 us, on other CPUs: the second goes first.
  auto const text = [](char const* first, char const* second) {
    return std::string("num_ranks 2\nrank 0 {\nc: calc 9000 cpu 1\na: send 8b to 1 tag 0\na requires c\n") +
           "d: calc 5000 cpu 2\nb: send 1000000b to 1 tag 0\nb requires d\n}\nrank 1 {\nrecv " + first +
           " from 0 tag 0\nrecv " + second + " from 0 tag 0\n}\n";
  };
  Folder const folder;
  std::string const fits = folder.write("fits.goal", text("1000000b", "8b"));
  std::string const differs = folder.write("differs.goal", text("8b", "1000000b"));
  std::string const eager =
      R"({"topology": {"kind": "fully_connected", "hosts": 2}, "timing": "loggp", "loggp": {"L": "1us", "o": "1us",
          "g": "1us", "G": "6ns/B", "O": "0ns/B", "S": "2MiB"}})";
  for (std::string const& machine : {folder.write("m.json", linear), folder.write("l.json", eager)}) {
    Ran const good = rondo("run --quiet --format jsonl " + fits + " --machine " + machine);
    EXPECT_EQ(good.exit_code, 0) << good.out;
    Ran const bad = rondo("run --quiet --format jsonl " + differs + " --machine " + machine);
    EXPECT_EQ(bad.exit_code, 3);
    EXPECT_TRUE(json::parse(bad.out)["time_s"].is_null());
    EXPECT_NE(json::parse(bad.out)["error"].get<std::string>().find(
                  "rank 0's line 7 (send 1000000b to 1 tag 0) meets rank 1's line 11 (recv 8b from 0 tag 0) of another "
                  "size"),
              std::string::npos)
        << bad.out;
  }
  EXPECT_EQ(rondo("run --quiet --engine smpi " + fits + " --machine " + folder.write("m.json", linear)).exit_code, 0);
  EXPECT_EQ(rondo("run --quiet --engine smpi " + differs + " --machine " + folder.write("m.json", linear)).exit_code,
            3);
}

TEST(Goal, a_large_deadlock_is_named_in_little_time) {
  std::string text = "num_ranks 2\n";
  for (int const rank : {0, 1}) {
    std::string const other = std::to_string(1 - rank);
    text += "rank " + std::to_string(rank) + " {\n";
    for (int i = 0; i < 3000; ++i) {
      std::string const n = std::to_string(i);
      text += "r" + n + ": recv 8b from " + other + "\ns" + n + ": send 8b to " + other + "\ns" + n + " requires r" +
              n + "\n";
    }
    text += "}\n";
  }
  Folder const folder;
  Ran const ran = rondo("run --quiet " + folder.write("x.goal", text) + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 3);
  // Each send waits for a receive of its rank, and each receive for any send of the other rank: four tasks close a
  // circle.
  EXPECT_NE(ran.out.find("deadlock: circular wait: rank 0's line 3 (recv 8b from 1 tag 0) waits for rank 1's line"),
            std::string::npos)
      << ran.out;
}

TEST(Goal, bad_text_is_named_by_line_and_column) {
  Folder const folder;
  std::string const goal = folder.write("x.goal", "num_ranks 2\nrank 0 { send 8b at 1 }\n");
  Ran const ran = rondo("run " + goal + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, goal + ":2:18: expected \"to\", got \"at\"\n");
}

/// Two hosts with so much bandwidth between them, as a platform file.
std::string two_hosts(Folder const& folder, std::string const& bandwidth) {
  return rondo("export --format platform " +
               folder.write("two.json", R"({"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us",
                                            "bandwidth": ")" +
                                            bandwidth + "\"}"))
      .out;
}

TEST(Goal, continued_runs_again_where_a_file_that_it_reads_has_changed) {
  Folder const folder;
  auto const text = [](std::string const& bytes) {
    return "num_ranks 2\nrank 0 { send " + bytes + "b to 1 }\nrank 1 { recv " + bytes + "b from 0 }\n";
  };
  std::string const goal = folder.write("g.goal", text("8"));
  std::string const output = (folder.path() / "out.jsonl").string();
  auto const time = [&](std::string const& machine, std::string const& engine) {
    Ran const ran = rondo("run --quiet --resume --format jsonl --engine " + engine + " --output " + output + " " +
                          goal + " --machine " + folder.write("m.json", machine));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::string const all = content_of(output);
    return json::parse(all.substr(all.rfind('\n', all.size() - 2) + 1))["time_s"].get<double>();
  };
  EXPECT_DOUBLE_EQ(time(linear, "native"), 1.008e-6);  // 1 us and 8 B at 1 GB/s
  folder.write("g.goal", text("8000"));
  EXPECT_DOUBLE_EQ(time(linear, "native"), 9e-6);
  // A start-up of 1 us, and 8000 B over the narrowest link.
  std::string const platform =
      R"({"topology": {"kind": "file", "path": "p.xml"}, "latency": "1us", "bandwidth": "1GBps"})";
  folder.write("p.xml", two_hosts(folder, "1GBps"));
  EXPECT_NEAR(time(platform, "smpi"), 9e-6, 1e-14);
  folder.write("p.xml", two_hosts(folder, "500MBps"));
  EXPECT_NEAR(time(platform, "smpi"), 17e-6, 1e-14);
  EXPECT_NEAR(time(platform, "native"), 17e-6, 1e-14);
}

TEST(Goal, needs_a_machine_that_carries_it) {
  Folder const folder;
  std::string const goal = folder.write("x.goal", "num_ranks 5\n");
  std::string const machine = folder.write("m.json", linear);
  auto const refused = [](std::string const& words) {
    Ran const ran = rondo("run " + words);
    EXPECT_EQ(ran.exit_code, 2);
    return ran.err;
  };
  EXPECT_EQ(refused(goal), goal + ": expected --machine FILE, the machine that runs it\n");
  EXPECT_EQ(refused(goal + " --machine " + machine),
            goal + ":1:11: num_ranks: expected at most 4, the ranks of the machine, got 5\n");
  EXPECT_EQ(
      refused(folder.write("s.json", scenario(linear)) + " --machine " + machine),
      "--machine: expected a *.goal, *.bin, *.xml or *.0.et file, which it runs; a scenario names its own machine\n");
  EXPECT_EQ(refused(goal + " --set /block=8B --machine " + machine),
            goal + ": --set changes a scenario, and this file holds GOAL\n");
}

TEST(Goal, a_machine_of_neighbors_refuses_a_message_past_one) {
  Folder const folder;
  std::string const machine = folder.write(
      "m.json",
      R"({"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps", "neighbors_only": true})");
  auto const text = [](int to) {
    std::string const other = std::to_string(to);
    return "num_ranks 4\nrank 0 { l1: send 8b to " + other + " tag 0 }\nrank " + other +
           " { l1: recv 8b from 0 tag 0 }\n";
  };
  EXPECT_EQ(rondo("run --quiet " + folder.write("near.goal", text(3)) + " --machine " + machine).exit_code, 0);
  std::string const far = folder.write("far.goal", text(2));
  for (std::string const words : {"", " --verify off"}) {
    Ran const ran = rondo("run --quiet --format jsonl" + words + " " + far + " --machine " + machine);
    EXPECT_EQ(ran.exit_code, 3);
    EXPECT_EQ(json::parse(ran.out)["error"],
              far + ": rank 0: the send of 8b to 2 takes a link that the machine does not have");
  }
}

TEST(Goal, takes_the_way_of_a_scenario_with_its_parts_and_remarks) {
  Folder const folder;
  std::string const goal = folder.write("x.goal", "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 8b from 0 }\n");
  std::string const words = goal + " --machine " + folder.write("m.json", R"({
    "topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps", "flow": {"o_send": "1us"}})");
  EXPECT_EQ(rondo("run --dry-run --shard 1/2 " + words).out,
            goal + ": 1 point, shard 1/2, 1 to do\n  1 ranks=2 tasks=2\n");
  EXPECT_EQ(rondo("run --dry-run --shard 2/2 " + words).out, goal + ": 1 point, shard 2/2, 0 to do\n");
  std::string const remarks = rondo("run --format jsonl " + words).err;
  EXPECT_NE(remarks.find(goal + ": on this ring distance costs nothing"), std::string::npos) << remarks;
  EXPECT_NE(
      remarks.find(goal + R"(: /machine/flow: without effect at 1 of 1 point; it has one only with "timing": "flow")"),
      std::string::npos)
      << remarks;
}

TEST(Goal, records_stand_beside_those_of_scenarios) {
  Folder const folder;
  std::string const goal = folder.write("x.goal", "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 8b from 0 }\n");
  std::string const output = (folder.path() / "out.csv").string();
  Ran const ran = rondo("run --format csv --output " + output + " " + folder.write("s.json", scenario(linear)) + " " +
                        goal + " --machine " + folder.write("m.json", linear));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::string const csv = content_of(output);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3) << "a header and two rows";
  EXPECT_NE(csv.find("\n" + goal + ",1,1,,,native,linear,,,,2,,,,8,1,1.008e-06,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace rondo::test
