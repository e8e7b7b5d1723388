// Inter-group all-to-all broadcast as a user meets it: labels, what fails as printed, links, refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

/// p senders and q receivers on the ring they make.
json scenario(int senders, int receivers, std::string const& algorithm) {
  return {
      {"machine",
       {{"topology", {{"kind", "ring"}, {"hosts", senders + receivers}}}, {"latency", "1us"}, {"bandwidth", "1GBps"}}},
      {"collective", {{"kind", "intergroup_allgather"}, {"senders", senders}, {"receivers", receivers}}},
      {"algorithm", algorithm},
      {"block", "1KiB"}};
}

Ran with_words(std::string const& words, json const& of) {
  Folder const folder;
  return rondo(words + " " + folder.write("s.json", of.dump()));
}

json record_of(json const& of) { return json::parse(with_words("run --quiet --format jsonl", of).out); }

TEST(CliIntergroup, show_prints_the_message_sequences_by_the_names_of_the_paper) {
  Ran const ran = with_words("show", scenario(4, 6, "ring_sequences"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // Algorithm 3, lines 3 to 9, i = 0: in round 1 #1 takes m_2 and m_3 to the right, #2 m_0 and m_1 to the left.
  EXPECT_NE(ran.out.find("rank 3\n  round 1\n    #1 send to rank 4: 1 block, 1KiB: send[0]\n"
                         "    #1 receive from rank 2: 1 block, 1KiB: intermediate[0]\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("rank 0\n  round 1\n    #2 send to rank 9: 1 block, 1KiB: send[0]\n"), std::string::npos);
  for (std::string const label : {"#3 send to", "#3 receive from", "#4 send to", "#4 receive from"}) {
    EXPECT_NE(ran.out.find("    " + label), std::string::npos) << label;
  }
  EXPECT_EQ(with_words("show", scenario(4, 6, "ring_optimal")).out.find('#'), std::string::npos);
}

TEST(CliIntergroup, show_and_check_name_rank_round_and_block_where_the_printed_text_fails) {
  // (2, 4): line 58 of Algorithm 3 sends m_0 from rank p/2 = 1 instead of q/2 = 2. (2, 6): #4-2 also stops too early.
  json of = scenario(2, 4, "ring_sequences");
  of["collective"]["printed"] = true;
  std::string const off_the_ring =
      "rank 1, round 4: the message to rank 3 with block 0 of rank 0 is not along a unit link, as the schedule "
      "promises";
  Ran const shown = with_words("show", of);
  EXPECT_EQ(shown.exit_code, 3);
  EXPECT_NE(shown.out.find("1 violation\n  " + off_the_ring), std::string::npos) << shown.out;
  of["sweep"] = {{"/collective/printed", {true, false}}};
  of["expect"] = {{{"claim", "repaired"}, {"that", "false.delivered"}, {"across", "/collective/printed"}}};
  Ran const checked = with_words("check --quiet", of);
  EXPECT_EQ(checked.exit_code, 3) << checked.out;
  EXPECT_NE((checked.out + checked.err).find(off_the_ring), std::string::npos) << checked.out << checked.err;

  // A claim that the fault is there holds, and says what it is.
  of["expect"] = {{{"claim", "broken"}, {"that", "true.violations == 1"}, {"across", "/collective/printed"}}};
  Ran const held = with_words("check --quiet", of);
  EXPECT_EQ(held.exit_code, 0) << held.out;
  EXPECT_NE(held.out.find(": broken (1 of 1)\n          point 1: " + off_the_ring + "\n"), std::string::npos)
      << held.out;

  json more = scenario(2, 6, "ring_sequences");
  more["collective"]["printed"] = true;
  EXPECT_NE(with_words("show", more).out.find("rank 7, round 5: block 0 of rank 1 is lost"), std::string::npos);

  json crowded = scenario(6, 8, "ring_sequences");
  crowded["collective"]["printed"] = true;
  std::string const two_sends =
      "rank 9, round 10: 2 sends and 1 receive are posted, but the schedule promises at most 1 of each: block 0 of "
      "rank "
      "0 to rank 8, block 0 of rank 2 to rank 11";
  std::string const no_rank =
      "rank 13, round 5: malformed: a message from rank 14, which is no other rank; block 0 of rank 3 is owed there";
  for (std::string const& fault : {two_sends, no_rank}) {
    EXPECT_NE(with_words("show", crowded).out.find(fault), std::string::npos) << fault;
    auto const listed = record_of(crowded)["violation_list"];
    EXPECT_NE(std::find(listed.begin(), listed.end(), json(fault)), listed.end()) << fault;
  }
}

TEST(CliIntergroup, a_ring_of_neighbors_refuses_root_gathering_and_a_plain_ring_takes_its_hops) {
  json plain = scenario(2, 6, "root_gathering");
  plain["machine"]["hop_latency"] = "10us";
  json const multi_hop = record_of(plain);
  EXPECT_TRUE(multi_hop["error"].is_null()) << multi_hop["error"];
  EXPECT_EQ(multi_hop["delivered"], true);
  // a_1 to a_0 is a link; a_0 to b_0 is two: 1 us + 10 us; the broadcast's first message, b_0 to b_4, is four.
  double const m = 1024e-9;
  double const gather = 1e-6 + m, across = 11e-6 + 2 * m, down = (31e-6 + 2 * m) + (11e-6 + 2 * m) + (1e-6 + 2 * m);
  EXPECT_NEAR(multi_hop["time_s"].get<double>() / (gather + across + down), 1, 1e-9);
  plain["machine"]["neighbors_only"] = true;
  for (std::string const algorithm : {"root_gathering", "group_allgather"}) {
    plain["algorithm"] = algorithm;
    json const refused = record_of(plain);
    EXPECT_TRUE(refused["time_s"].is_null());
    EXPECT_GT(refused["violations"], 0);
    EXPECT_NE(refused["error"].get<std::string>().find("takes a link that the machine does not have"),
              std::string::npos);
  }
  for (std::string const algorithm : {"ring_sequences", "ring_allgather", "ring_optimal"}) {
    plain["algorithm"] = algorithm;
    EXPECT_EQ(record_of(plain)["delivered"], true) << algorithm;
  }
}

TEST(CliIntergroup, links_are_checked_also_where_nothing_is_proved) {
  json gathered = scenario(4, 6, "root_gathering");
  gathered["machine"]["neighbors_only"] = true;
  json printed = scenario(2, 4, "ring_sequences");
  printed["collective"]["printed"] = true;
  for (std::string const engine : {"native", "smpi"}) {
    for (json const& of : {gathered, printed}) {
      Ran const ran = with_words("run --quiet --format jsonl --verify off --engine " + engine, of);
      EXPECT_EQ(ran.exit_code, 3) << ran.out;
      json const record = json::parse(ran.out);
      EXPECT_TRUE(record["time_s"].is_null());
      EXPECT_TRUE(record["delivered"].is_null());
      EXPECT_EQ(record["error"].get<std::string>().rfind("not simulated: rank ", 0), 0u) << record["error"];
    }
  }
  EXPECT_EQ(with_words("run --quiet --verify off --engine native", scenario(4, 6, "root_gathering")).exit_code, 0);
}

TEST(CliIntergroup, a_broken_schedule_is_not_exported) {
  json printed = scenario(6, 8, "ring_sequences");
  printed["collective"]["printed"] = true;
  for (std::string const format : {"goal", "json"}) {
    Ran const ran = with_words("export --format " + format, printed);
    EXPECT_EQ(ran.exit_code, 3) << format;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("the schedule is invalid"), std::string::npos) << ran.err;
  }
}

TEST(CliIntergroup, ring_algorithms_take_a_ring_of_hosts_with_several_ranks) {
  json of = scenario(4, 8, "ring_optimal");
  of["machine"]["topology"]["hosts"] = 3;
  of["machine"]["ranks_per_host"] = 4;
  of["machine"]["neighbors_only"] = true;
  for (std::string const placement : {"block", "cyclic"}) {
    of["machine"]["placement"] = placement;
    json const record = record_of(of);
    EXPECT_TRUE(record["error"].is_null()) << record["error"];
    EXPECT_EQ(record["rounds"], 7);  // p + ceil(q/2) - 1
    // The messages that a host sends to both sides in a round share its NIC, so no run is faster than the bound
    // without sharing.
    EXPECT_GE(record["time_s"].get<double>(), 7 * (1e-6 + 1024e-9) * (1 - 1e-9));
  }
}

TEST(CliIntergroup, ring_algorithms_run_along_a_ring_of_ranks_on_any_machine) {
  for (json const& patch : std::vector<json>{
           {{"machine", {{"topology", {{"kind", "fully_connected"}}}}}, {"algorithm", "ring_allgather"}},
           {{"machine", {{"topology", {{"hosts", 12}}}}}},
           {{"machine",
             {{"topology", {{"hosts", 5}}}, {"ranks_per_host", 2}, {"placement", {0, 1, 2, 3, 4, 0, 2, 1, 3, 4}}}}}}) {
    json of = scenario(4, 6, "ring_optimal");
    of.merge_patch(patch);
    EXPECT_EQ(with_words("run --quiet", of).exit_code, 0) << patch;
  }
  // A machine with neighbors_only refuses this: ranks 9 and 0 of a ring of 12 hosts are not neighbors.
  json of = scenario(4, 6, "ring_optimal");
  of.merge_patch({{"machine", {{"topology", {{"hosts", 12}}}, {"neighbors_only", true}}}});
  EXPECT_EQ(with_words("run --quiet", of).exit_code, 3);
}

TEST(CliIntergroup, bad_input_is_one_line_and_exit_2) {
  struct Bad {
    char const* name;
    json patch;
    std::string said;
  };
  std::vector<Bad> const table{
      {"no senders", {{"collective", {{"senders", 0}}}}, "/collective/senders: expected an integer from 1 to "},
      {"no receivers", {{"collective", {{"receivers", 0}}}}, "/collective/receivers: expected an integer from 1 to "},
      {"negative", {{"collective", {{"senders", -4}}}}, "/collective/senders: expected an integer from 1 to "},
      {"groups larger than the machine",
       {{"machine", {{"topology", {{"hosts", 9}}}}}},
       "/collective: expected at most 9 ranks, one for each host of /machine/topology, got 4 senders + 6 receivers"},
      {"odd senders",
       {{"machine", {{"topology", {{"hosts", 9}}}}}, {"collective", {{"senders", 3}}}, {"algorithm", "ring_sequences"}},
       "ring_sequences takes an even number of senders and of receivers, got 3 and 6; ring_optimal takes any"},
      {"odd receivers",
       {{"machine", {{"topology", {{"hosts", 9}}}}},
        {"collective", {{"receivers", 5}}},
        {"algorithm", "ring_sequences"}},
       "ring_sequences takes an even number of senders and of receivers, got 4 and 5; ring_optimal takes any"},
      {"printed is a word", {{"collective", {{"printed", "yes"}}}}, "/collective/printed: expected true or false"},
  };
  for (Bad const& bad : table) {
    json of = scenario(4, 6, "ring_optimal");
    of.merge_patch(bad.patch);
    Ran const ran = with_words("run", of);
    EXPECT_EQ(ran.exit_code, 2) << bad.name;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << bad.name << ": " << ran.err;
    EXPECT_NE(ran.err.find("s.json: "), std::string::npos) << bad.name << ": " << ran.err;
    EXPECT_NE(ran.err.find(bad.said), std::string::npos) << bad.name << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << bad.name;
  }
}

}  // namespace
}  // namespace rondo::test
