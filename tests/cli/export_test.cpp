// `rondo export`, and the machines in platforms/ that it has written. RONDO_UPDATE=1 in the environment writes them
// anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char const* two_points = R"({
  "machine": {"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "isomorphic_alltoall", "torus": [2, 2], "neighborhood": {"kind": "offsets", "offsets": [[1, 1]]}},
  "algorithm": "torus", "block": "8B",
  "sweep": {"/algorithm": ["torus", "straightforward"]}
})";

std::string platforms(std::string const& name) { return RONDO_SOURCE_DIR "/platforms/" + name; }

TEST(Export, writes_the_machine_of_a_scenario_as_simgrid_xml) {
  Folder const folder;
  Ran const ran = rondo("export --format platform " + folder.write("s.json", two_points));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("A ring of 4 hosts"), std::string::npos);
  EXPECT_NE(ran.out.find("<link id=\"nic3\""), std::string::npos);
}

TEST(Export, writes_the_machines_of_the_papers_into_platforms) {
  int machines = 0;
  for (auto const& entry : fs::directory_iterator(platforms(""))) {
    if (entry.path().extension() != ".json") continue;
    fs::path xml = entry.path();
    xml.replace_extension(".xml");
    if (std::getenv("RONDO_UPDATE") != nullptr) {
      rondo("export --format platform --force --output " + xml.string() + " " + entry.path().string());
    }
    Ran const ran = rondo("export --format platform " + entry.path().string());
    if (entry.path().stem() == "rail-pod-32x8") {
      EXPECT_NE(ran.err.find("SimGrid XML cannot say which of several NICs a rank uses"), std::string::npos) << ran.err;
      continue;
    }
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(ran.out == content_of(xml)) << xml << " differs; RONDO_UPDATE=1 writes it anew";
    EXPECT_NE(ran.out.find("Assumed:"), std::string::npos) << xml;
    ++machines;
  }
  EXPECT_EQ(machines, 13);
}

TEST(Export, writes_the_schedule_of_a_point_as_json) {
  Folder const folder;
  std::string const file = folder.write("s.json", two_points);
  Ran const combined = rondo("export --format json " + file);
  ASSERT_EQ(combined.exit_code, 0) << combined.err;
  // (1, 1) by one step in each dimension over the intermediate buffer.
  EXPECT_EQ(json::parse(combined.out), json::parse(R"({
    "format": "rondo-schedule", "format_version": 1, "collective": "isomorphic_alltoall", "algorithm": "torus",
    "ranks": 4, "block_bytes": 8, "torus": [2, 2], "promises": {"ports": 1, "links": "unit"},
    "promise": {"kind": "isomorphic_alltoall", "torus": [2, 2], "neighborhood": {"kind": "offsets", "offsets": [[1, 1]]}},
    "programs": [{"ranks": "all",
      "buffers": {"send": {"slots": 1}, "receive": {"slots": 1}, "intermediate": {"slots": 1}},
      "copies": [],
      "rounds": [
        {"sends": [{"offset": [1, 0], "bytes": 8, "places": [["send", 0]]}],
         "receives": [{"offset": [-1, 0], "bytes": 8, "places": [["intermediate", 0]]}], "copies": []},
        {"sends": [{"offset": [0, 1], "bytes": 8, "places": [["intermediate", 0]]}],
         "receives": [{"offset": [0, -1], "bytes": 8, "places": [["receive", 0]]}], "copies": []}]}]})"))
      << combined.out;
  Ran const direct = rondo("export --format json --point 2 " + file);
  EXPECT_EQ(json::parse(direct.out)["algorithm"], "straightforward");
  EXPECT_EQ(json::parse(direct.out)["programs"][0]["rounds"].size(), 1u);
}

TEST(Export, names_the_formats_that_there_are) {
  Folder const folder;
  Ran const ran = rondo("export --format xml " + folder.write("s.json", two_points));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "--format: expected one of platform, json, goal, goal_binary, msccl, trace, links, got xml\n");
  EXPECT_EQ(rondo("export " + folder.write("s.json", two_points)).exit_code, 2);
}

TEST(Export, refuses_points_that_are_not_there) {
  Folder const folder;
  std::string const file = folder.write("s.json", two_points);
  Ran const ran = rondo("export --format json --point 3 " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, file + ": --point: expected a number from 1 to 2, got 3\n");
}

TEST(Export, writes_whole_files_and_replaces_none_unless_forced) {
  Folder const folder;
  std::string const file = folder.write("s.json", two_points);
  std::string const output = folder.write("out.xml", "mine");
  Ran const ran = rondo("export --format platform --output " + output + " " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, output + ": exists already; --force starts it anew\n");
  EXPECT_EQ(content_of(output), "mine");
  EXPECT_EQ(rondo("export --format platform --force --output " + output + " " + file).exit_code, 0);
  EXPECT_EQ(content_of(output), rondo("export --format platform " + file).out);
  auto const files = std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  EXPECT_EQ(files, 2) << "nothing else is left behind";
  Ran const nowhere =
      rondo("export --format platform --output " + (folder.path() / "no" / "x.xml").string() + " " + file);
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_NE(nowhere.err.find("cannot be written"), std::string::npos);
}

TEST(Export, refuses_a_machine_that_is_a_platform_file_already) {
  Folder const folder;
  std::string const machine =
      folder.write("m.json", R"({"topology": {"kind": "file", "path": ")" + platforms("ring-64.xml") +
                                 R"("}, "latency": "1us", "bandwidth": "1GBps"})");
  Ran const ran = rondo("export --format platform " + machine);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, platforms("ring-64.xml") + " is a SimGrid platform file already\n");
  EXPECT_EQ(rondo("export --format json " + machine).exit_code, 2);
}

TEST(Export, says_what_is_wrong_with_a_file_that_holds_a_machine) {
  Folder const folder;
  std::string const file = folder.write("m.json", R"({"topology": {"kind": "ring", "hosts": 0}, "latency": "1us"})");
  Ran const ran = rondo("export --format platform " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, file + ": /topology/hosts: expected an integer from 1 to 16777216, got 0\n");
}

/// A plain MPI program under smpirun with these words: the seconds of a million bytes and SMPI's own 16 from the first
/// rank to the last.
double smpirun(std::string const& platform, std::string const& words) {
  static Folder const folder;
  std::string const program = (folder.path() / "one_message").string();
  if (!fs::exists(program)) {
    std::string const compile = "smpicc -o " + program + " " RONDO_SOURCE_DIR "/tests/cli/one_message.c 2>&1";
    EXPECT_EQ(std::system(compile.c_str()), 0) << compile;
  }
  std::string const out = (folder.path() / "out").string();
  // Exact times: no windows and no weights; both ends meet before the message starts.
  std::string const line = "smpirun " + words + " -platform " + platform +
                           " --cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0"
                           " --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/async-small-thresh:0"
                           " --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 --cfg=surf/precision:1e-12 " +
                           program + " >" + out + " 2>" + out + ".err";
  EXPECT_EQ(std::system(line.c_str()), 0) << content_of(out + ".err");
  return std::atof(content_of(out).c_str());
}

/// From host `from` to host `to`.
double smpirun(std::string const& platform, std::string const& from, std::string const& to) {
  static Folder const folder;
  return smpirun(platform, "-np 2 -hostfile " + folder.write("hosts", from + "\n" + to + "\n"));
}

bool has_smpirun() { return std::system("command -v smpirun >/dev/null && command -v smpicc >/dev/null") == 0; }

TEST(Export, ranks_of_smpirun_sit_on_the_hosts_of_their_numbers) {
  if (!has_smpirun()) GTEST_SKIP() << "no smpirun";
  Folder const folder;
  std::string const scenario = folder.write("s.json", R"({"schema_version": 1,
    "machine": {"topology": {"kind": "ring", "hosts": 40}, "latency": "1us", "hop_latency": "200ns", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [40], "neighborhood": {"kind": "moore", "radius": 1}},
    "algorithm": "torus", "block": "1B"})");
  std::string const xml = (folder.path() / "ring.xml").string();
  ASSERT_EQ(rondo("export --format platform --output " + xml + " " + scenario).exit_code, 0);
  for (int last : {1, 2, 10, 11, 19, 20, 21, 38, 39}) {
    int const hops = std::min(last, 40 - last);
    EXPECT_NEAR(smpirun(xml, "-np " + std::to_string(last + 1)), 1e-6 + (hops - 1) * 200e-9 + 1000016 / 1e9, 1e-12)
        << "rank " << last;
  }
}

TEST(Export, writes_machines_that_smpirun_runs_plain_programs_on) {
  if (!has_smpirun()) GTEST_SKIP() << "no smpirun";
  double const bytes = 1000016;
  // Blue Gene/Q, (0,0,0,0,0) to (2,0,0,4,1), seven links: 1.2 us, 40 ns for each link after the first, 2 GB/s.
  EXPECT_NEAR(smpirun(platforms("bgq-1024x16.xml"), "h0000", "h0521"), 1.2e-6 + 6 * 40e-9 + bytes / 2e9, 1e-10);
  // On one host.
  EXPECT_NEAR(smpirun(platforms("bgq-1024x16.xml"), "h0007", "h0007"), 0.6e-6 + bytes / 4e9, 1e-10);
  // Jupiter, one switch.
  EXPECT_NEAR(smpirun(platforms("jupiter-30x16.xml"), "h100", "h129"), 1.6e-6 + bytes / 4e9, 1e-10);
  // ARCHER, within a chassis: one electrical link of 5.25 GB/s.
  EXPECT_NEAR(smpirun(platforms("archer-500x24.xml"), "h000", "h004"), 1.3e-6 + bytes / 5.25e9, 1e-10);
  // VSC-3 over the upper switches: two links between switches, 8 GB/s.
  EXPECT_NEAR(smpirun(platforms("vsc3-70x16.xml"), "h100", "h169"), 1.6e-6 + bytes / 8e9, 1e-10);
}

}  // namespace
}  // namespace rondo::test
