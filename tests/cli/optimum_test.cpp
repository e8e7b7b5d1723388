// `rondo optimum`: answers, the files that it writes, and what it keeps when it is stopped.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace fs = std::filesystem;
namespace {

/// An allgather on a torus with links to neighbors alone.
std::string allgather_on_torus(int side) {
  std::string const extent = std::to_string(side);
  return R"({"machine": {"topology": {"kind": "torus", "dims": [)" + extent + ", " + extent +
         R"(]}, "neighbors_only": true, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "allgather", "ranks": )" +
         std::to_string(side * side) + R"(}, "algorithm": "ring", "block": "1KiB", "engine": "native"})";
}

std::vector<nlohmann::json> answers(Ran const& ran) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(ran.out);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

Ran python(std::string const& words) {
  return rondo("list >/dev/null; /usr/bin/python3 -B " + std::string(RONDO_SOURCE_DIR) + "/tests/certificates/" +
               words);
}

void expect_proofs(std::string const& which, int refused) {
  Folder const folder;
  Ran const ran = python("optimum_tampered.py " RONDO_BINARY " " + folder.path().string() + " " + which);
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_GE(std::stoi(ran.out), refused) << ran.out;
}

TEST(OptimumCommand, has_proofs_that_a_checker_accepts_and_refuses_when_they_are_tampered_with) {
  expect_proofs("quick", 1000);
}

TEST(LongOptimumCommand, has_proofs_of_all_known_answers) { expect_proofs("all", 1500); }

TEST(LongOptimumCommand, of_an_allgather_on_a_torus_of_5_by_5_is_6_rounds) {
  Folder const folder;
  std::string const file = folder.write("s.json", allgather_on_torus(5));
  Ran const ran = rondo("optimum --timeout 20s --format jsonl --output " + folder.file("o.json") + " --proof " +
                        folder.file("p") + " " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  ASSERT_FALSE(answers(ran).empty());
  EXPECT_EQ(answers(ran)[0]["status"], "optimal");
  EXPECT_EQ(answers(ran)[0]["at_least"], 6);
  EXPECT_EQ(rondo("prove " + folder.file("o.json")).exit_code, 0);
  Ran const checked = python("check_optimum.py " + file + " " + folder.file("p"));
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

/// On a ring of n ranks it takes n / 2 rounds, rounded up, wherever the groups meet. Between any two ranks three
/// questions stay open (docs/optima.md).
TEST(LongOptimumCommand, of_groups_of_up_to_12_ranks_is_known_but_for_three) {
  Folder const folder;
  std::vector<std::string> open;
  for (std::string const topology : {"ring", "fully_connected"}) {
    for (int n = 2; n <= 12; ++n) {
      for (int senders = 1; senders < n; ++senders) {
        std::string const file = folder.write(
            "s.json",
            R"({"machine": {"topology": {"kind": ")" + topology + R"(", "hosts": )" + std::to_string(n) + "}, " +
                (topology == "ring" ? R"("neighbors_only": true, )" : "") +
                R"("latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "intergroup_allgather", "senders": )" +
                std::to_string(senders) + R"(, "receivers": )" + std::to_string(n - senders) +
                R"(}, "algorithm": "root_gathering", "block": "8B", "engine": "native"})");
        nlohmann::json const first = answers(rondo("optimum --timeout 20s --format jsonl " + file)).at(0);
        if (first["status"] != "optimal") open.push_back(std::to_string(senders) + "+" + std::to_string(n - senders));
        if (topology == "ring") {
          EXPECT_EQ(first["at_least"], (n + 1) / 2) << senders << " of " << n;
        }
      }
    }
  }
  std::set<std::string> const known{"5+5", "6+4", "6+5"};
  for (std::string const& each : open) EXPECT_TRUE(known.contains(each)) << each;
}

TEST(OptimumCommand, writes_a_schedule_that_is_proved_and_takes_the_rounds_that_it_says) {
  Folder const folder;
  std::string const file = folder.write("s.json", allgather_on_torus(3));
  Ran const ran = rondo("optimum --message-blocks 1 --format jsonl --output " + folder.file("o.json") + " " + file);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  // 8 blocks come to each rank, one in a round.
  EXPECT_EQ(answers(ran).at(0)["rounds"], 8);
  EXPECT_EQ(answers(ran).at(0)["message_blocks"], 1);
  Ran const proved = rondo("prove " + folder.file("o.json"));
  EXPECT_EQ(proved.exit_code, 0);
  EXPECT_NE(proved.out.find("proved: allgather on 9 ranks, 8 rounds"), std::string::npos) << proved.out;
}

TEST(OptimumCommand, of_a_reduction_is_that_of_its_reversal) {
  Folder const folder;
  auto const of = [&](std::string const& collective) {
    std::string const file = folder.write(
        "s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 6}, "latency": "1us", "bandwidth":
        "1GBps"}, "algorithm": "linear", "block": "1KiB", "engine": "native", "collective": )" +
                      collective + "}");
    std::string const out = folder.file("o.json");
    Ran const ran = rondo("optimum --format jsonl --force --output " + out + " " + file);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(rondo("prove " + out).exit_code, 0) << collective;
    return ran.out;
  };
  EXPECT_EQ(of(R"({"kind": "reduce", "ranks": 6})"), of(R"({"kind": "bcast", "ranks": 6})"));
  EXPECT_EQ(of(R"({"kind": "reduce_scatter", "ranks": 6})"), of(R"({"kind": "allgather", "ranks": 6})"));
}

TEST(OptimumCommand, cuts_blocks_in_pieces_and_knows_the_links_of_a_graph) {
  Folder const folder;
  auto const scenario = [](std::string const& more, std::string const& collective) {
    return R"({"machine": {"topology": {"kind": "graph", "hosts": 3, "links": [[0, 1, 2], [1, 2]])" + more +
           R"(}, "ports": 4, "latency": "1us", "bandwidth": "1GBps"}, "algorithm": "ring", "block": "7B", "engine":
        "native", "collective": )" +
           collective + "}";
  };
  std::string const gather = R"({"kind": "allgather", "ranks": 3})";
  std::string const file = folder.write("s.json", scenario("", gather));
  std::string const out = folder.file("o.json");
  // 2 blocks in 3 pieces come to rank 2 over one link, a piece a message.
  Ran const ran = rondo("optimum --pieces 3 --message-blocks 1 --format jsonl --output " + out + " " + file);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(answers(ran).at(0)["at_least"], 6);
  EXPECT_EQ(answers(ran).at(0)["at_most"], 6);
  EXPECT_NE(rondo("prove " + out).out.find("proved: allgather on 3 ranks, 6 rounds"), std::string::npos);
  Ran const switched = rondo("optimum --message-blocks 1 --format jsonl " +
                             folder.write("w.json", scenario(R"(, "switches": 0, "directed": false)", gather)));
  ASSERT_EQ(switched.exit_code, 0) << switched.err;
  EXPECT_EQ(answers(switched).at(0)["at_least"], 2);
  Ran const refused = rondo("optimum --pieces 2 " + folder.write("b.json", R"({"machine": {"topology": {"kind":
      "fully_connected", "hosts": 3}, "latency": "1us", "bandwidth": "1GBps"}, "algorithm": "pipeline", "block": "6B",
      "engine": "native", "collective": {"kind": "bcast", "ranks": 3, "segment": "3B"}})"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("expected whole blocks beside --pieces"), std::string::npos) << refused.err;
}

TEST(OptimumCommand, keeps_what_is_known_when_its_time_is_over_or_it_is_interrupted) {
  Folder const folder;
  std::string const file = folder.write("s.json", allgather_on_torus(7));
  std::string const words = "optimum --message-blocks 3 --format jsonl --output ";
  for (auto const& [name, before, more] : {std::tuple("a.json", "", " --timeout 1s"),
                                           {"b.json", "timeout --preserve-status -s INT 2", " --timeout 100s"}}) {
    Ran const ran = rondo(words + folder.file(name) + more + " " + file, before);
    EXPECT_EQ(ran.exit_code, 0) << name << ran.err;
    ASSERT_FALSE(answers(ran).empty()) << name;
    nlohmann::json const first = answers(ran)[0];
    EXPECT_EQ(first["status"], "bounded") << first;
    // 48 blocks come to a rank, 3 in a round.
    EXPECT_GE(first["at_least"], 16);
    EXPECT_GE(first["at_most"], first["at_least"]);
    EXPECT_EQ(first["stopped"], more == std::string(" --timeout 1s") ? "timeout" : "interrupted");
    EXPECT_EQ(rondo("prove " + folder.file(name)).exit_code, 0);
  }
}

TEST(OptimumCommand, replaces_the_files_of_an_earlier_proof_whole) {
  Folder const folder;
  std::string const searched = folder.write("s.json", R"({"machine": {"topology": {"kind": "ring", "hosts": 5},
    "neighbors_only": true, "latency": "1us", "bandwidth": "1GBps"}, "algorithm": "torus", "block": "1KiB", "engine":
    "native", "collective": {"kind": "isomorphic_alltoall", "torus": [5], "neighborhood":
    {"kind": "offsets", "offsets": [[2], [-2]]}}})");
  std::string const counted = folder.write("t.json", allgather_on_torus(3));
  std::string const proof = folder.file("p");
  EXPECT_EQ(rondo("optimum --proof " + proof + " " + searched).exit_code, 0);
  EXPECT_TRUE(fs::exists(proof + ".drat"));
  EXPECT_EQ(rondo("optimum --proof " + proof + " " + counted).exit_code, 2) << "the files are there";
  EXPECT_EQ(rondo("optimum --force --proof " + proof + " " + counted).exit_code, 0);
  EXPECT_FALSE(fs::exists(proof + ".drat") || fs::exists(proof + ".cnf"));
  EXPECT_EQ(python("check_optimum.py " + counted + " " + proof).exit_code, 0);
  // The first answer is counted, behind a search for rounds.
  EXPECT_EQ(rondo("optimum --force --rounds 3 --proof " + proof + " " + searched).exit_code, 0);
  EXPECT_EQ(python("check_optimum.py " + searched + " " + proof).exit_code, 0);
}

}  // namespace
}  // namespace rondo::test
