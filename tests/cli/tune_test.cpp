// rondo tune, from its words to its exit code. What it decides is tested in run/.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

// m* = 1000 * (8 - 4) / (12 - 8) = 1000 bytes (docs/notes.md#exact-counts, Moore(2,1))
constexpr char const* stencil = R"({"title": "A stencil",
  "machine": {"topology": {"kind": "fully_connected", "hosts": 9}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [3, 3], "neighborhood": {"kind": "moore", "radius": 1}},
  "algorithm": "torus", "block": "8B"})";

TEST(TuneCommand, prints_a_table_with_a_row_a_range) {
  Folder const folder;
  Ran const ran = rondo("tune --quiet --algorithms straightforward,torus " + folder.write("s.json", stencil));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // torus takes 4 us + 12 m ns, straightforward 8 us + 8 m ns; 1kB are 1000 bytes. No schedule takes less than 1 us +
  // 8 m ns: 15.988 / 8.992 and 16 / 9.
  EXPECT_EQ(ran.out,
            "A stencil\n"
            "isomorphic_alltoall, p = 9\n"
            " from        to        algorithm  at from      at to   gap    cut-off\n"
            "   1B      999B            torus  4.012us   15.988us  1.78          -\n"
            "1000B  1048576B  straightforward     16us  8.39661ms  1.78  confirmed\n"
            "searched on engine native, 2 sizes in each doubling and between, tolerance 2 %\n");
  EXPECT_EQ(ran.err, "");
}

/// A search looks at the promise before the scenario is checked.
TEST(TuneCommand, refuses_promises_and_schedules_of_the_wrong_type) {
  Folder const folder;
  for (std::string const wrong : {R"("schedule": "x.json", "promise": {"kind": 5})",
                                  R"("schedule": "x.json", "promise": {"kind": null})", R"("schedules": 5)"}) {
    Ran const ran = rondo("tune --quiet " +
                          folder.write("s.json", R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 4},
      "latency": "1us", "bandwidth": "1GBps"}, "collective": {"kind": "custom", )" +
                                                     wrong + "}}"));
    EXPECT_EQ(ran.exit_code, 2) << wrong << ": " << ran.err;
    EXPECT_EQ(ran.err.find("bug of rondo"), std::string::npos) << wrong << ": " << ran.err;
    EXPECT_NE(ran.err.find("s.json: /collective"), std::string::npos) << wrong << ": " << ran.err;
  }
}

TEST(TuneCommand, fits_80_columns_and_says_below_what_is_as_fast) {
  Folder const folder;
  // On 2 ranks many algorithms send the same messages; on 2 hosts of 4 ranks compositions stand beside flat ones.
  for (int const each : {1, 4}) {
    std::string const text = R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 2}, "ranks_per_host": )" +
                             std::to_string(each) + R"(, "latency": "1us", "bandwidth": "1GBps"},
      "collective": {"kind": "allreduce", "ranks": )" +
                             std::to_string(2 * each) + "}}";
    Ran const ran = rondo("tune --quiet --to 64B --per-doubling 1 " + folder.write("s.json", text));
    EXPECT_NE(ran.out.find("\nas fast on native at "), std::string::npos) << ran.out << ran.err;
    std::istringstream lines(ran.out.substr(0, ran.out.find("searched on")));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

/// They are what is searched.
TEST(TuneCommand, needs_neither_an_algorithm_nor_a_block) {
  Folder const folder;
  std::string without = stencil;
  without.replace(without.find(R"(,
  "algorithm")"),
                  std::string::npos, "}");
  std::string const words = "tune --quiet --algorithms straightforward,torus ";
  Ran const ran = rondo(words + folder.write("without.json", without));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, rondo(words + folder.write("s.json", stencil)).out);
  // It judges no claim, and so knows no algorithm of one.
  without.replace(without.rfind('}'), 1, R"(, "expect": [{"claim": "few", "that": "torus.rounds == 4"}]})");
  EXPECT_EQ(rondo(words + folder.write("claims.json", without)).out, ran.out);
}

TEST(TuneCommand, needs_no_algorithm_where_collectives_are_swept) {
  Folder const folder;
  std::string const text =
      R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "bcast", "ranks": 4}, "sweep": {"/collective/kind": ["allreduce", "bcast"]}})";
  std::string const words = "tune --quiet --to 8B --format json ";
  Ran const ran = rondo(words + folder.write("without.json", text));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  // The same decisions as with an algorithm that both have.
  std::string with = text;
  with.replace(with.find(R"("sweep")"), 0, R"("algorithm": "linear", "block": "8B", )");
  Ran const other = rondo(words + folder.write("with.json", with));
  json decisions = json::parse(ran.out)["decisions"], others = json::parse(other.out)["decisions"];
  ASSERT_EQ(decisions.size(), 2U);
  ASSERT_EQ(others.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(decisions[i]["rules"], others[i]["rules"]);
}

/// What the records of a file are of.
std::multiset<std::string> points_of(std::filesystem::path const& file) {
  std::istringstream text(content_of(file));
  std::multiset<std::string> points;
  for (std::string line; std::getline(text, line);) points.insert(json::parse(line)["expanded"].dump());
  return points;
}

TEST(TuneCommand, continues_from_the_records_that_it_kept) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", stencil);
  std::filesystem::path const records = folder.path() / "r.jsonl";
  auto const tuned = [&](std::string const& words) {
    return rondo("tune --quiet --algorithms straightforward,torus " + scenario + words).out;
  };
  auto const again = [&] { return tuned(" --records " + records.string()); };
  std::string const whole = tuned("");
  EXPECT_EQ(again(), whole);
  std::string const kept = content_of(records);
  auto const points = points_of(records);
  EXPECT_GT(points.size(), 80U) << "40 sizes by 2 algorithms, and cut-offs by two engines";
  EXPECT_EQ(std::set(points.begin(), points.end()).size(), points.size()) << "none is simulated twice";

  EXPECT_EQ(again(), whole);
  EXPECT_TRUE(content_of(records) == kept) << "nothing was left to simulate";

  std::size_t const half = kept.find('\n', kept.size() / 2) + 1;
  folder.write("r.jsonl", kept.substr(0, half + 100));  // cut off in the midst of a record
  EXPECT_EQ(again(), whole);
  EXPECT_TRUE(points_of(records) == points);
  EXPECT_TRUE(content_of(records).starts_with(kept.substr(0, half)));

  std::regex const time_of_torus(R"x(("algorithm":"torus".*?"time_s":))x");
  folder.write("r.jsonl", std::regex_replace(kept, time_of_torus, "$011"));
  EXPECT_NE(again(), whole) << "times that are there are believed";

  Ran const other = rondo("tune --quiet " + scenario + " --records " + folder.write("other.txt", "a letter"));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(content_of(folder.path() / "other.txt"), "a letter");
}

TEST(TuneCommand, takes_options_before_and_behind_its_files) {
  Folder const folder;
  std::string const scenario = folder.write("s.json", stencil);
  for (std::string const& words :
       {"--algorithms straightforward,torus " + scenario + " --to 2KiB", "--segments 8KiB " + scenario + " --to 2KiB",
        "--set /block=1B " + scenario + " --to 2KiB"}) {
    EXPECT_EQ(rondo("tune --quiet " + words).exit_code, 0) << words;
  }
  EXPECT_EQ(rondo("run --columns p,time_s " + scenario + " --quiet").exit_code, 0);
  Ran const twice =
      rondo("run --columns point,p,algorithm --quiet --set '/sweep={\"/algorithm\":[\"torus\"]}' " + scenario);
  EXPECT_EQ(twice.exit_code, 0) << twice.err;
  for (std::string const column : {"point", "algorithm"}) {
    EXPECT_EQ(twice.out.find(column), twice.out.rfind(column)) << column << " once:\n" << twice.out;
  }
}

/// Robustness takes the place of the gap, which is in JSON with either.
TEST(TuneCommand, states_bounds) {
  Folder const folder;
  std::string const file = folder.write("s.json", stencil);
  Ran const robust = rondo("tune --quiet --robust 10% --algorithms straightforward,torus " + file);
  EXPECT_NE(robust.out.find("at to    cut-off  robust\n"), std::string::npos) << robust.out << robust.err;
  Ran const ran = rondo("tune --quiet --format json --algorithms straightforward,torus " + file);
  json const rules = json::parse(ran.out)["decisions"][0]["rules"];
  // One start-up, and the 8 blocks that a rank sends.
  EXPECT_NEAR(rules[0]["bound_at_to_s"].get<double>(), 1e-6 + 8 * 999e-9, 1e-15);
  EXPECT_NEAR(rules[1]["bound_at_from_s"].get<double>(), 9e-6, 1e-15);
  EXPECT_LE(rules[0]["bound_at_from_s"], rules[0]["time_at_from_s"]);
}

/// 4 us + 12 m ns and 8 us + 8 m ns differ by no more than the factor 1.1 * 1.1 from 485 B to 2448 B.
TEST(TuneCommand, says_where_times_that_may_be_off_do_not_decide) {
  Folder const folder;
  std::string const words = "tune --quiet --algorithms straightforward,torus --interval ";
  std::string const file = folder.write("s.json", stencil);
  Ran const ran = rondo(words + "10% " + file);
  EXPECT_NE(ran.out.find("cannot be told apart at 512B to 2048B: torus and straightforward; measure both\n"
                         "  at 1024B (16.288us, 16.192us)\n"),
            std::string::npos)
      << ran.out << ran.err;
  json const found = json::parse(rondo(words + "10% --format json " + file).out)["decisions"][0]["undecided"];
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_EQ(found[0]["measure_at_bytes"], 1024);
  EXPECT_EQ(found[0]["rival"], "straightforward");
  EXPECT_NEAR(found[0]["rival_time_s"].get<double>(), 16.192e-6, 1e-15);
  EXPECT_NE(rondo(words + "1% --to 64B " + file).out.find("the intervals tell all algorithms apart\n"),
            std::string::npos);
}

TEST(TuneCommand, by_smpi_alone_has_cut_offs_that_are_its_own) {
  Folder const folder;
  Ran const ran = rondo("tune --quiet --engine smpi --from 900B --to 1100B --algorithms straightforward,torus " +
                        folder.write("s.json", stencil));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("gap  cut-off\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("  by smpi\n"), std::string::npos) << ran.out;
}

TEST(TuneCommand, names_its_options_where_a_size_is_refused) {
  Folder const folder;
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "sparse_exchange", "pattern": {"kind": "moore", "torus": [8], "radius": 1},
                   "largest_block": "1KiB"},
    "algorithm": "nbx", "block": "8B"})");
  Ran const ran = rondo("tune --quiet --algorithms nbx --engine smpi " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("/block = \"1448B\")"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("; --from 1B and --to 1MiB say which blocks are looked at\n"), std::string::npos) << ran.err;
}

TEST(TuneCommand, writes_rules_as_json_that_a_program_can_apply) {
  Folder const folder;
  std::string const output = (folder.path() / "rules.json").string();
  std::string const words = "tune --quiet --format json --to 64KiB --output " + output + " ";
  std::string const file = folder.write("s.json", stencil);
  EXPECT_EQ(rondo(words + file).exit_code, 0);
  json const all = json::parse(content_of(output));
  ASSERT_EQ(all["decisions"].size(), 1u);
  json const& found = all["decisions"][0];
  EXPECT_EQ(found["p"], 9);
  EXPECT_EQ(found["engine"], "native");
  EXPECT_EQ(found["problem"]["torus"], json::parse("[3, 3]"));
  std::int64_t next = 1;
  for (json const& rule : found["rules"]) {
    EXPECT_EQ(rule["from_bytes"], next);
    next = rule["to_bytes"].get<std::int64_t>() + 1;
  }
  EXPECT_EQ(next, 65537);
  EXPECT_EQ(found["rules"][0]["to_bytes"], 999);
  json const& cut = found["cut_offs"][0];
  EXPECT_EQ(cut["confirmed"], true);
  EXPECT_EQ(cut["last_bytes"], 999);
  EXPECT_NEAR(cut["times"][0]["smpi_s"]["torus"].get<double>(), 15.988e-6, 1e-14);
  EXPECT_NEAR(cut["times"][1]["native_s"]["straightforward"].get<double>(), 16e-6, 1e-14);
  EXPECT_EQ(rondo(words + file).exit_code, 2);
  EXPECT_EQ(rondo(words + "--force " + file).exit_code, 0);
}

TEST(TuneCommand, is_the_same_by_several_processes) {
  Folder const folder;
  std::string const file = folder.write("s.json", stencil);
  EXPECT_EQ(rondo("tune --quiet --format json --jobs 2 " + file).out, rondo("tune --quiet --format json " + file).out);
}

TEST(TuneCommand, refuses_programs_of_which_some_know_no_blocks) {
  Folder const folder;
  folder.write("p.c",
               "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); return "
               "MPI_Finalize(); }\n");
  std::string const file = folder.write("s.json", R"({
    "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "program", "source": "p.c"}, "block": "8B",
    "sweep": {"/collective/arguments": [["{block}"], ["12"]]}})");
  Ran const ran = rondo("tune --allow-programs --shard 2/2 " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, file + ": /collective/arguments: expected {block} in one, whose size is searched\n");
}

TEST(TuneCommand, refuses_what_makes_no_sense) {
  Folder const folder;
  std::string const file = folder.write("s.json", stencil);
  EXPECT_EQ(rondo("tune --from 0B " + file).err, "--from: expected a size from 1B to 1TiB, got 0B\n");
  EXPECT_EQ(rondo("tune --from 2KiB --to 1KiB " + file).err,
            "--to: expected at least 2KiB, as --from says, got 1KiB\n");
  EXPECT_EQ(rondo("tune --to 12 " + file).exit_code, 2);
  EXPECT_EQ(rondo("tune --per-doubling 0 " + file).exit_code, 2);
  EXPECT_EQ(rondo("tune --engine warp " + file).exit_code, 2);
  EXPECT_EQ(rondo("tune --algorithms naive " + file).exit_code, 2);
  EXPECT_EQ(rondo("tune --timeout 1ns --engine smpi " + file).exit_code, 3);
  EXPECT_EQ(rondo("tune " + file + "x").exit_code, 2);
}

}  // namespace
}  // namespace rondo::test
