// A part of a sweep by the numbers of its points; labels of swept values; tables with sizes down; what changed since
// records were stored.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"

namespace rondo::test {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// `sweep` with a claim that fails at 2B, where the neighborhood's 4 blocks take longer than one byte.
std::string with_claim(std::string const& that) {
  OrderedJson scenario = OrderedJson::parse(sweep(3, "native"));
  scenario["expect"] = OrderedJson::array({{{"claim", "c"}, {"that", that}}});
  return scenario.dump();
}

TEST(Points, that_are_named_are_run_and_no_others) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(3, "native"));
  std::string const all = timeless(rondo("run --quiet --format jsonl " + file).out);
  std::string some = timeless(rondo("run --quiet --format jsonl --points 5,1-2,1 " + file).out);
  EXPECT_EQ(lines(some), 3);
  for (int number = 1; number <= 6; ++number) {
    std::string const named = "\"point\":" + std::to_string(number) + ",";
    EXPECT_EQ(some.find(named) != std::string::npos, number == 1 || number == 2 || number == 5) << number;
  }
  std::istringstream rows(some);
  for (std::string row; std::getline(rows, row);) EXPECT_NE(all.find(row + "\n"), std::string::npos) << row;
  EXPECT_EQ(rondo("run --points 2 " + file).err.substr(0, file.size() + 40),
            (file + ": 6 points, 1 point of --points, 1 to do\n").substr(0, file.size() + 40));
}

TEST(Points, in_several_files_merge_to_the_whole) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(3, "native"));
  std::string const one = folder.file("one.jsonl"), two = folder.file("two.jsonl"), all = folder.file("all.jsonl");
  EXPECT_EQ(rondo("run --quiet --points 2-4 --output " + one + " " + file).exit_code, 0);
  EXPECT_EQ(rondo("merge " + one + " --output " + all).exit_code, 1) << "points are missing";
  EXPECT_EQ(rondo("run --quiet --points 6,5,1 --output " + two + " " + file).exit_code, 0);
  EXPECT_EQ(rondo("merge --force " + one + " " + two + " --output " + all).exit_code, 0);
  EXPECT_EQ(timeless_file(all), timeless(rondo("run --quiet --format jsonl " + file).out));
}

TEST(Points, that_a_claim_lacks_leave_it_not_judged_unless_it_fails) {
  Folder const folder;
  // Points 1 and 2 are those of 1B, 3 and 4 those of 2B.
  std::string const holds = folder.write("s.json", with_claim("torus.rounds <= straightforward.rounds"));
  Ran const some = rondo("check --quiet --points 1-3 " + holds);
  EXPECT_EQ(some.exit_code, 0);
  EXPECT_EQ(some.out, "not judged  " + holds + ": c (1 of 1)\n          3 points that it compares were not run\n");
  EXPECT_EQ(rondo("check --quiet --points 1-6 " + holds).out, rondo("check --quiet " + holds).out);
  std::string const fails = folder.write("f.json", with_claim("torus.rounds > straightforward.rounds || m > 1"));
  EXPECT_EQ(rondo("check --quiet --points 1-2 " + fails).exit_code, 1);
  EXPECT_EQ(rondo("check --quiet --points 3-4 " + fails).exit_code, 0);
  EXPECT_EQ(rondo("check --quiet --points 1 " + fails).out.substr(0, 10), "not judged");
}

TEST(Points, choose_the_problems_that_are_tuned) {
  Folder const folder;
  std::string const file = folder.write(
      "s.json",
      R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "bcast", "ranks": 8}, "algorithm": "binomial",
  "sweep": {"/machine/latency": ["1us", "3us", "9us"], "/block": ["1B", "2B"]}})");
  std::string const words = "tune --quiet --engine native --from 1KiB --to 64KiB --format json ";
  OrderedJson const all = OrderedJson::parse(rondo(words + file).out);
  OrderedJson const some = OrderedJson::parse(rondo(words + "--points 3,6 " + file).out);
  ASSERT_EQ(all["decisions"].size(), 3U);
  ASSERT_EQ(some["decisions"].size(), 2U);
  EXPECT_EQ(some["decisions"][0], all["decisions"][1]);
  EXPECT_EQ(some["decisions"][1], all["decisions"][2]);
  for (std::string const i : {"1", "2"})
    rondo(words + "--shard " + i + "/2 --output " + folder.file("part-" + i) + " " + file);
  Ran const merged = rondo("merge " + folder.file("part-1") + " " + folder.file("part-2"));
  EXPECT_EQ(OrderedJson::parse(merged.out), all);
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  Ran const half = rondo("merge " + folder.file("part-1"));
  EXPECT_EQ(half.exit_code, 1);
  EXPECT_EQ(half.err, file + ": 2 of 3 problems are decided\n");
  EXPECT_EQ(rondo("merge " + folder.file("part-1") + " " + folder.file("part-1")).exit_code, 2);
}

std::string const labelled =
    R"({"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
  "algorithm": "torus", "block": "8B", "engine": "native",
  "sweep": {"/collective/neighborhood": [{"label": "near", "value": {"kind": "offsets", "offsets": [[1], [-1]]}},
                                         {"label": "three ahead", "value": {"kind": "offsets", "offsets": [[1], [2], [3]]}}]},
  "expect": [{"claim": "c", "that": "near.rounds == 2", "across": "/collective/neighborhood"}]})";

TEST(Labels, name_swept_values_in_tables_and_csv_and_records_keep_the_values) {
  Folder const folder;
  OrderedJson scenario = OrderedJson::parse(labelled);
  scenario.erase("expect");
  std::string const file = folder.write("s.json", scenario.dump());
  std::string const table = rondo("run --quiet " + file).out;
  EXPECT_NE(table.find("near  "), std::string::npos) << table;
  EXPECT_NE(table.find("three ahead  "), std::string::npos) << table;
  std::string const csv = folder.file("r.csv"), json = folder.file("r.jsonl");
  rondo("run --quiet --output " + csv + " " + file);
  EXPECT_NE(content_of(csv).find(",three ahead\n"), std::string::npos) << content_of(csv);
  rondo("run --quiet --output " + json + " " + file);
  std::istringstream rows(content_of(json));
  std::string row;
  std::getline(rows, row);
  OrderedJson const record = OrderedJson::parse(row);
  EXPECT_EQ(record["labels"], OrderedJson({{"/collective/neighborhood", "near"}}));
  EXPECT_EQ(record["swept"]["/collective/neighborhood"]["offsets"], OrderedJson::parse("[[1], [-1]]"));
  EXPECT_EQ(record["expanded"]["collective"]["neighborhood"], record["swept"]["/collective/neighborhood"]);
  // Both files are continued and judged, and the report shows the labels.
  for (std::string const& kept : {csv, json}) {
    EXPECT_EQ(rondo("run --output " + kept + " --resume " + file).err.substr(0, file.size() + 20),
              file + ": 2 points, 0 to do\n");
    EXPECT_NE(rondo("report " + kept + " --force --output " + folder.file("r.html")).exit_code, 2);
    EXPECT_NE(content_of(folder.file("r.html")).find("three ahead"), std::string::npos) << kept;
  }
}

TEST(Labels, that_are_names_are_those_of_claims) {
  Folder const folder;
  std::string const file = folder.write("s.json", labelled);
  Ran const across = rondo("check --quiet " + file);
  EXPECT_EQ(across.exit_code, 2) << "\"three ahead\" is no name";
  OrderedJson scenario = OrderedJson::parse(labelled);
  scenario["sweep"]["/collective/neighborhood"][1]["label"] = "ahead";
  scenario["expect"][0]["that"] = "near.rounds == 2 && ahead.rounds == 2";
  Ran const named = rondo("check --quiet " + folder.write("t.json", scenario.dump()));
  EXPECT_EQ(named.exit_code, 1) << named.out << named.err;  // as far as the offset 3 leads
  EXPECT_NE(named.out.find("ahead.rounds = 3, near.rounds = 2"), std::string::npos) << named.out;
  scenario["expect"][0] = {{"claim", "c"}, {"that", "torus.rounds < 2"}};
  Ran const where = rondo("check --quiet " + folder.write("u.json", scenario.dump()));
  EXPECT_NE(where.out.find("at /collective/neighborhood=near: "), std::string::npos) << where.out;
}

TEST(Labels, leave_records_of_other_sweeps_as_they_were) {
  Folder const folder;
  Ran const ran = rondo("run --quiet --format jsonl " + folder.write("s.json", sweep(1, "native")));
  EXPECT_EQ(ran.out.find("labels"), std::string::npos);
}

TEST(Pivot, has_sizes_down_algorithms_across_and_marks_the_fastest) {
  Folder const folder;
  // 8 ranks, offsets -2, -1, 1, 2: straightforward 4 rounds of m bytes; torus 2 rounds of 2m, 2 of m: 4 us + 4m or 6m
  // ns.
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const table = rondo("run --quiet --pivot " + file).out;
  EXPECT_NE(table.find("time_s\nblock "), std::string::npos) << table;
  EXPECT_NE(table.find("4.004us *\n"), std::string::npos) << table;
  EXPECT_NE(table.find("4.006us "), std::string::npos) << table;
  EXPECT_EQ(table.find("4.006us *"), std::string::npos) << table;
  EXPECT_NE(table.find("   2B  4.012us          4.008us *\n"), std::string::npos) << table;
  std::string const markdown = rondo("run --quiet --pivot --columns rounds --format markdown " + file).out;
  EXPECT_NE(markdown.find("| block | torus | straightforward |"), std::string::npos) << markdown;
}

TEST(Pivot, has_a_table_for_each_choice_of_the_rest) {
  Folder const folder;
  OrderedJson scenario = OrderedJson::parse(sweep(2, "native"));
  scenario["sweep"]["/machine/latency"] = {"1us", "2us"};
  std::string const table = rondo("run --quiet --pivot " + folder.write("s.json", scenario.dump())).out;
  EXPECT_NE(table.find("time_s at latency = 1us\n"), std::string::npos) << table;
  EXPECT_NE(table.find("time_s at latency = 2us\n"), std::string::npos) << table;
  EXPECT_NE(table.find("8.004us *"), std::string::npos) << table;
}

TEST(Fastest, is_said_along_sizes_alone) {
  Folder const folder;
  OrderedJson scenario = OrderedJson::parse(sweep(1, "native"));
  EXPECT_NE(rondo("run --quiet " + folder.write("s.json", scenario.dump())).out.find("fastest:"), std::string::npos);
  scenario["sweep"] = {{"/machine/latency", {"1us", "2us"}}, {"/algorithm", {"torus", "straightforward"}}};
  EXPECT_EQ(rondo("run --quiet " + folder.write("t.json", scenario.dump())).out.find("fastest:"), std::string::npos);
}

TEST(AllFailures, are_listed_where_they_are_asked_for) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_claim("torus.time < straightforward.time"));
  auto const count = [](std::string const& text) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find("          at /block=", at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(rondo("check --quiet " + file).out), 1);
  Ran const all = rondo("check --quiet --all " + file);
  EXPECT_EQ(count(all.out), 3) << all.out;
  EXPECT_EQ(all.exit_code, 1);
}

TEST(Baseline, tells_what_is_slower_and_which_verdicts_turned) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_claim("straightforward.time < 5e-6"));
  std::string const stored = folder.write("b.jsonl", rondo("check --quiet --format jsonl " + file).out);
  Ran const same = rondo("check --quiet --baseline " + stored + " " + file);
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_EQ(same.out, "holds     " + file + ": c (3 of 3)\nbaseline  " + file + ": 0 slower, 0 faster, 6 alike\n");
  // 4 rounds of 2 us instead of 1.
  Ran const slower = rondo("check --quiet --set /machine/latency=2us --baseline " + stored + " " + file);
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_NE(slower.out.find(": 6 slower, 0 faster, 0 alike\n"), std::string::npos) << slower.out;
  EXPECT_NE(slower.out.find("the scenarios differ: /machine/latency: \"1us\" and \"2us\"\n"), std::string::npos);
  EXPECT_NE(slower.out.find(
                "SLOWER    point 2 (/block=\"1B\" /algorithm=\"straightforward\"): 4.004us, now 8.004us (+99.9 %)"),
            std::string::npos)
      << slower.out;
  EXPECT_NE(slower.out.find("TURNED    c: holds, now fails\n"), std::string::npos) << slower.out;
  Ran const faster = rondo("check --quiet --set /machine/latency=100ns --baseline " + stored + " " + file);
  EXPECT_EQ(faster.exit_code, 0);
  EXPECT_NE(faster.out.find(": 0 slower, 6 faster, 0 alike\n"), std::string::npos) << faster.out;
}

/// A part of a sweep does not judge a claim that compares other points. Such a claim was never as stated.
TEST(Baseline, compares_no_claim_that_was_not_judged) {
  Folder const folder;
  std::string const file = folder.write("s.json", with_claim("torus.rounds > straightforward.rounds"));
  Ran const part = rondo("check --quiet --points 1 --format jsonl " + file);
  EXPECT_NE(part.out.find("\"not judged\""), std::string::npos) << part.out;
  Ran const whole = rondo("check --quiet --baseline " + folder.write("b.jsonl", part.out) + " " + file);
  EXPECT_EQ(whole.exit_code, 1);  // for the claim itself
  EXPECT_EQ(whole.out.substr(0, 5), "FAILS");
  EXPECT_NE(whole.out.find("baseline  " + file + ": 0 slower, 0 faster, 1 alike, 5 new\n"), std::string::npos)
      << whole.out;
  EXPECT_EQ(whole.out.find("TURNED"), std::string::npos) << whole.out;
}

TEST(Baseline, is_a_table_for_a_pull_request_and_a_failure_for_junit) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(1, "native"));  // no claims
  std::string const stored = folder.file("b.csv"), junit = folder.file("j.xml");
  rondo("run --quiet --output " + stored + " " + file);
  Ran const ran = rondo("check --quiet --set /machine/latency=2us --format markdown --junit " + junit + " --baseline " +
                        stored + " " + file);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("| 2 | /block=\"1B\" /algorithm=\"straightforward\" | 4.004us | 8.004us | +99.9 % |"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(content_of(junit).find("tests=\"2\" failures=\"2\" errors=\"0\""), std::string::npos) << content_of(junit);
}

TEST(Baseline, counts_points_that_are_new_or_gone) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const stored = folder.file("b.jsonl");
  rondo("run --quiet --output " + stored + " " + file);
  OrderedJson scenario = OrderedJson::parse(sweep(2, "native"));
  scenario["sweep"]["/block"] = {"2B", "5B"};
  folder.write("s.json", scenario.dump());
  Ran const ran = rondo("check --quiet --baseline " + stored + " " + file);
  EXPECT_EQ(ran.out, "baseline  " + file + ": 0 slower, 0 faster, 2 alike, 2 new, 2 gone\n");
  EXPECT_EQ(ran.exit_code, 0);
}

}  // namespace
}  // namespace rondo::test
