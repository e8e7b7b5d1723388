// Which schedules are proved by default, and how findings of proofs are reported.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run/output/proof_report.hpp"
#include "run/points/run.hpp"

namespace rondo {
namespace {

/// Every rank sends `blocks` blocks to the next one and, said rank by rank, receives as many.
Schedule shift(int ranks, std::size_t blocks, bool isomorphic) {
  Layout layout{Bytes(1), {}};
  layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
  std::vector<Place> const from(blocks, send_slot(0)), into(blocks, receive_slot(0));
  ProgramBuilder builder(layout);
  builder.begin_round();
  builder.send(0, from);
  builder.receive(1, into);
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.programs.push_back(std::move(builder).finish());
  if (isomorphic) {
    schedule.torus = Torus({ranks});
    schedule.offsets = {1, -1};
  }
  return schedule;
}

TEST(Proof, is_left_out_by_default_past_a_hundred_million_moves) {
  EXPECT_TRUE(proves(Proof::automatic, shift(1000, 100'000, false)));
  EXPECT_FALSE(proves(Proof::automatic, shift(1001, 100'000, false)));
  EXPECT_TRUE(proves(Proof::automatic, shift(1001, 100'000, true))) << "one rank speaks for all";
}

TEST(Proof, is_made_or_left_out_as_asked) {
  EXPECT_TRUE(proves(Proof::on, shift(1001, 100'000, false)));
  EXPECT_FALSE(proves(Proof::off, shift(2, 1, true)));
}

/// SARIF 2.1.0: artifactLocation.uri is a reference of RFC 3986, and a region names the line of a text.
TEST(Proof, findings_have_their_lines_and_files_their_names_in_sarif) {
  Proved race;
  race.file = "my files/50%.xml";
  race.findings = {{"race", "gpu 1's tb 0 step 3 ...", "line 12", false},
                   {"missing contribution", "rank 0 ...", "", false}};
  race.violations = 2;
  race.delivered = false;
  Proved refused;
  refused.file = "x.goal";
  refused.refused = "x.goal:6:7: expected a number";
  auto const results = nlohmann::json::parse(proof_sarif({race, refused}))["runs"][0]["results"];
  auto const place = [&](std::size_t i) { return results.at(i)["locations"][0]["physicalLocation"]; };
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(place(0)["artifactLocation"]["uri"], "my%20files/50%25.xml");
  EXPECT_EQ(place(0)["region"]["startLine"], 12);
  EXPECT_FALSE(place(1).contains("region"));
  EXPECT_EQ(place(2)["artifactLocation"]["uri"], "x.goal");
  EXPECT_EQ(place(2)["region"]["startLine"], 6);
}

}  // namespace
}  // namespace rondo
