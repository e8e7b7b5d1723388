// `rondo show --format html`: what the page holds. What it draws is in browser_test.cpp.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/pages.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

json shown(std::string const& words, int exit_code = 0) {
  Ran const ran = rondo("show --format html " + words);
  EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
  return ran.out.empty() ? json() : data_of(ran.out);
}

std::string isomorphic(std::string const& torus, std::string const& offsets, int p) {
  return R"({"machine": {"topology": {"kind": "fully_connected", "hosts": )" + std::to_string(p) +
         R"(}, "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall", "torus": )" +
         torus + R"(, "neighborhood": {"kind": "offsets", "offsets": )" + offsets +
         R"(}}, "algorithm": "torus", "block": "1000B"})";
}

/// (1, 1) on 2 x 2: a step in the first dimension, then one in the second, of 2 us each.
TEST(ShowPage, moves_every_block_from_its_origin_to_its_goal) {
  Folder const folder;
  json const data = shown(folder.write("s.json", isomorphic("[2, 2]", "[[1, 1]]", 4)));
  EXPECT_EQ(data["rounds"], 2);
  EXPECT_EQ(data["layout"], json::parse(R"({"kind": "torus", "extents": [2, 2], "senders": 0})"));
  ASSERT_EQ(data["messages"].size(), 8u);
  std::map<int, int> where;  // by the number of a block
  for (int rank = 0; rank < 4; ++rank) {
    auto const origin = std::find(data["contents"].begin(), data["contents"].end(), json::array({rank, 0}));
    where[static_cast<int>(origin - data["contents"].begin())] = rank;
  }
  for (json const& message : data["messages"]) {
    int const round = message[0], source = message[1], target = message[2];
    EXPECT_EQ(source ^ target, round == 1 ? 2 : 1);
    EXPECT_EQ(message[3], 1000);
    EXPECT_EQ(message[5], true);
    for (int const block : message[4]) {
      EXPECT_EQ(where[block], source);
      where[block] = target;
    }
    EXPECT_NEAR(message[6].get<double>(), round == 1 ? 0 : 2e-6, 1e-15);
    EXPECT_NEAR(message[7].get<double>(), round == 1 ? 2e-6 : 4e-6, 1e-15);
  }
  for (auto const& [block, rank] : where) EXPECT_EQ(rank, 3 - data["contents"][block][0].get<int>());
  EXPECT_EQ(data["delivered"], json::parse("[[0,0,0,0],[0,0,0,0],[1,1,1,1]]"));
  EXPECT_EQ(data["proved"], true);
  EXPECT_NEAR(data["makespan"].get<double>(), 4e-6, 1e-15);
}

TEST(ShowPage, lays_ranks_on_their_ring_torus_groups_or_circle) {
  Folder const folder;
  EXPECT_EQ(shown(folder.write("s.json", isomorphic("[5]", "[[1]]", 5)))["layout"]["kind"], "ring");
  EXPECT_EQ(shown(folder.write("s.json", isomorphic("[2, 2, 2]", "[[1, 0, 0]]", 8)))["layout"]["kind"], "torus");
  EXPECT_EQ(shown(folder.write("s.json", isomorphic("[2, 1, 2, 1]", "[[1, 0, 0, 0]]", 4)))["layout"]["kind"], "circle");
  std::string const connected =
      R"("machine": {"topology": {"kind": "fully_connected", "hosts": 6}, "latency": "1us", "bandwidth": "1GBps"})";
  EXPECT_EQ(
      shown(folder.write("s.json", "{" + connected + R"(, "collective": {"kind": "intergroup_allgather", "senders": 2,
    "receivers": 4}, "algorithm": "root_gathering", "block": "8B"})"))["layout"],
      json::parse(R"({"kind": "groups", "senders": 2})"));
  EXPECT_EQ(shown(folder.write("s.json", "{" + connected + R"(, "collective": {"kind": "neighbor_allgather",
    "graph": {"kind": "erdos_renyi", "ranks": 6, "density": 0.5}}, "algorithm": "naive", "block": "8B"})"))["layout"]
                                                                                                           ["kind"],
            "circle");
}

/// A step of 1000 B forwards by each rank of a machine of 4 hosts.
std::string step_on(std::string const& topology) {
  return R"({"machine": {"topology": )" + topology + R"(, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [4], "neighborhood": {"kind": "offsets", "offsets": [[1]]}},
    "algorithm": "torus", "block": "1000B"})";
}

TEST(ShowPage, has_the_bytes_over_each_link_and_the_messages_over_the_busiest) {
  Folder const folder;
  json const ring = shown(folder.write("s.json", step_on(R"({"kind": "ring", "hosts": 4})")));
  json const& links = ring["links"];
  EXPECT_EQ(links["routers"], 4);
  EXPECT_EQ(links["capacity"], 1e9);
  ASSERT_EQ(links["loads"].size(), 8u);
  for (json const& each : links["loads"]) {
    bool const forwards = (each[0].get<int>() + 1) % 4 == each[1].get<int>();
    EXPECT_EQ(each[3], forwards ? 1000 : 0) << each;
  }
  json const& busiest = links["loads"][links["busiest"].get<std::size_t>()];
  ASSERT_EQ(links["crossing"].size(), 1u);
  json const& message = ring["messages"][links["crossing"][0].get<std::size_t>()];
  EXPECT_EQ(message[1], busiest[0]);
  EXPECT_EQ(message[2], busiest[1]);
  EXPECT_TRUE(shown(folder.write("s.json", step_on(R"({"kind": "fully_connected", "hosts": 4})")))["links"].is_null());
}

TEST(ShowPage, lays_routers_in_groups_and_levels) {
  Folder const folder;
  auto const layout = [&](std::string const& topology) {
    return shown(folder.write("s.json", step_on(topology)))["links"]["layout"];
  };
  EXPECT_EQ(layout(R"({"kind": "torus", "dims": [2, 2]})"), json::parse(R"({"kind": "torus", "extents": [2, 2]})"));
  EXPECT_EQ(layout(R"({"kind": "dragonfly", "groups": 2, "chassis": 1, "routers": 2, "hosts_per_router": 1})"),
            json::parse(R"({"kind": "clusters", "sizes": [2, 2]})"));
  // Two switches over two hosts each, and one over both.
  EXPECT_EQ(layout(R"({"kind": "fat_tree", "down": [2, 2], "up": [1, 1]})"),
            json::parse(R"({"kind": "levels", "sizes": [2, 1]})"));
}

/// Rank 0 tells 1, and 2 tells 3, which do not know it before.
constexpr char const* exchange = R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us",
  "bandwidth": "1GBps"}, "collective": {"kind": "sparse_exchange", "pattern": {"kind": "edges", "ranks": 4,
  "edges": [[0, 1], [2, 3]]}}, "algorithm": "nbx", "block": "1000B"})";

TEST(ShowPage, has_the_run_of_a_program_message_by_message) {
  Folder const folder;
  std::string const file = folder.write("s.json", exchange);
  json const data = shown(file);
  json const record = json::parse(rondo("run --quiet --format jsonl " + file).out);
  EXPECT_EQ(data["program"], true);
  EXPECT_EQ(data["rounds"], 0);
  EXPECT_GT(data["makespan"], record["time_s"]);  // which leaves out the making of communicators
  EXPECT_TRUE(data["no_run"].is_null());
  std::vector<std::pair<int, int>> told;
  for (json const& message : data["messages"]) {
    EXPECT_LE(message[6].get<double>(), message[7].get<double>());
    EXPECT_LE(message[7].get<double>(), data["makespan"].get<double>());
    EXPECT_EQ(data["contents"][message[4][0].get<std::size_t>()][0], message[1]);
    if (message[3].get<int>() >= 1000) told.emplace_back(message[1], message[2]);
  }
  EXPECT_EQ(told, (std::vector<std::pair<int, int>>{{0, 1}, {2, 3}}));
  EXPECT_GT(data["messages"].size(), 2u);  // those of the barrier
}

TEST(Show, prints_one_rank_or_one_round) {
  Folder const folder;
  // Two senders and four receivers: programs differ.
  std::string const file = folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 6},
    "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "intergroup_allgather", "senders": 2, "receivers": 4},
    "algorithm": "root_gathering", "block": "8B"})");
  std::string const whole = rondo("show " + file).out;
  EXPECT_NE(whole.find("\nrank 0\n"), std::string::npos) << whole;
  EXPECT_NE(whole.find("\nrank 1\n"), std::string::npos);
  EXPECT_NE(whole.find("  round 2"), std::string::npos);
  std::string const one = rondo("show --rank 1 --round 1 " + file).out;
  EXPECT_EQ(one.find("\nrank 0\n"), std::string::npos) << one;
  EXPECT_NE(one.find("\nrank 1\n"), std::string::npos);
  EXPECT_NE(one.find("  round 1"), std::string::npos);
  EXPECT_EQ(one.find("  round 2"), std::string::npos);
  EXPECT_NE(one.find("verified: "), std::string::npos) << "of the whole";
  Ran const none = rondo("show --rank 6 " + file);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err, "--rank: expected a rank, from 0 to 5, got 6\n");
}

TEST(Show, refuses_too_much_before_it_makes_anything) {
  Folder const folder;
  auto const all_to_all = [&](int ranks) {
    return folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 16384},
      "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "alltoall", "ranks": )" +
                                      std::to_string(ranks) + R"(}, "algorithm": "pairwise", "block": "8B"})");
  };
  // 800 * 799, of which rank 3 has 799.
  std::string file = all_to_all(800);
  Ran ran = rondo("show " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err,
            file + ": expected at most 500000 messages to print, got 639200; --rank and --round print a part\n");
  ran = rondo("show --rank 3 --round 1 " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // 16384 * 16383 in two digits.
  file = all_to_all(16384);
  for (char const* part : {"", "--rank 3 --round 1 "}) {
    ran = rondo("show " + std::string(part) + file);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("about 270000000 messages"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("--rank and --round"), std::string::npos) << ran.err;
  }
}

TEST(ShowPage, tells_what_is_wrong_with_a_schedule_and_that_it_is_not_run) {
  Folder const folder;
  json const data = shown(folder.write("s.json", printed_sequences), 3);
  EXPECT_EQ(data["proved"], false);
  EXPECT_GT(data["violation_count"], 0);
  EXPECT_TRUE(data["makespan"].is_null());
  EXPECT_NE(data["no_run"].get<std::string>().find("not simulated"), std::string::npos);
}

TEST(ShowPage, is_refused_where_it_would_be_too_large_or_replace_a_file) {
  Folder const folder;
  std::string const file = folder.write("s.json", isomorphic("[32, 33]", "[[1, 0]]", 1056));
  Ran ran = rondo("show --format html " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err,
            file + ": expected at most 1024 ranks to look at, got 1056; --point and --set choose a smaller problem\n");
  ran = rondo("show --format html --output " + folder.write("mine", "mine") + " " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(content_of(folder.path() / "mine"), "mine");
  EXPECT_EQ(rondo("show --format pdf " + file).exit_code, 2);
}

TEST(ShowPage, is_refused_where_messages_or_blocks_are_too_many) {
  Folder const folder;
  auto const refused = [&](std::string const& text) {
    std::string const file = folder.write("s.json", text);
    Ran const ran = rondo("show --format html " + file);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_EQ(ran.err.rfind(file + ": ", 0), 0u) << ran.err;
    return ran.err.substr(std::min(ran.err.size(), file.size() + 2));
  };
  std::string const smaller = "; --point and --set choose a smaller problem\n";
  // 24 neighbors of each of 30 x 30 ranks.
  EXPECT_EQ(refused(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 900}, "latency": "1us",
      "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall", "torus": [30, 30],
      "neighborhood": {"kind": "moore", "radius": 2}}, "algorithm": "straightforward", "block": "8B"})"),
            "expected at most 20000 messages to look at, got 21600" + smaller);
  // 512 blocks between the groups, then an allgather of them: each of 512 receivers gets the 511 blocks it has not.
  EXPECT_EQ(refused(R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 1024}, "latency": "1us",
      "bandwidth": "1GBps"}, "collective": {"kind": "intergroup_allgather", "senders": 512, "receivers": 512},
      "algorithm": "group_allgather", "block": "8B"})"),
            "expected at most 200000 blocks in messages to look at, got 262144" + smaller);
}

}  // namespace
}  // namespace rondo::test
