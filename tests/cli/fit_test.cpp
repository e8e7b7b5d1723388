// `rondo fit`: from measurements to a machine that scenarios can name.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

using nlohmann::json;

// 2 us and 5 GB/s, exactly.
constexpr char const* exact = "lat;size\n2;0\n2.0002;1\n2.2;1000\n4;10000\n22;100000\n202;1000000\n";

TEST(Fit, writes_a_machine_on_which_a_message_takes_what_was_measured) {
  Folder const folder;
  std::string const machine = (folder.path() / "m.json").string();
  Ran const fit = rondo("fit " + folder.write("d.csv", exact) + " --hosts 4 --output " + machine);
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  json scenario = {
      {"machine", json::parse(content_of(machine))},
      {"collective",
       {{"kind", "isomorphic_alltoall"}, {"torus", {4}}, {"neighborhood", {{"kind", "offsets"}, {"offsets", {{1}}}}}}},
      {"algorithm", "torus"},
      {"block", "10kB"}};
  Ran const run = rondo("run --format jsonl " + folder.write("s.json", scenario.dump()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NEAR(json::parse(run.out)["time_s"].get<double>() / 4e-6, 1, 1e-3);
}

/// What rondo-measure writes of a machine with 2.3 us and 0.1 ns/B between hosts, and 0.8 us and 0.05 ns/B within one.
TEST(Fit, writes_a_measured_machine_on_which_messages_and_joins_take_what_was_measured) {
  Folder const folder;
  std::string const data = folder.write(
      "d.csv",
      "# rondo-measure 1: 4 ranks on 2 hosts\nmeasured,ranks,bytes,algorithm,us\n"
      "between,2,1,,2.3001\nbetween,2,1024,,2.4024\nbetween,2,8192,,3.1192\nbetween,2,65536,,8.8536\n"
      "between,2,1048576,,107.1576\ninside,2,1,,0.80005\ninside,2,32768,,2.4384\ninside,2,1048576,,53.2288\n"
      "pairs,2,1048576,,107.1576\npairs,4,1048576,,142.1101\npost,2,1,,0.2\ntake,2,1,,0.1\njoin,1,1048576,,104."
      "8576\nbarrier,4,0,,5\n");
  Ran const fit = rondo("fit " + data + " --output " + folder.file("m.json"));
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  auto const time = [&](char const* kind, int ranks_per_host) {
    json machine = json::parse(content_of(folder.file("m.json")));
    machine["ranks_per_host"] = ranks_per_host;
    folder.write("machine.json", machine.dump());
    json const scenario = {{"machine", "machine.json"},
                           {"collective", {{"kind", kind}, {"ranks", 2}}},
                           {"algorithm", "linear"},
                           {"block", "8KiB"}};
    Ran const run = rondo("run --quiet --format jsonl " + folder.write("s.json", scenario.dump()));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return json::parse(run.out)["time_s"].get<double>();
  };
  EXPECT_NEAR(time("bcast", 1), 3.1192e-6, 1e-9);
  EXPECT_NEAR(time("bcast", 2), 0.8e-6 + 8192 * 0.05e-9, 1e-9);
  EXPECT_NEAR(time("reduce", 1), 3.1192e-6 + 8192 * 0.1e-9, 1e-9);
  // Two ranks on each of two hosts exchange 1 MiB with those of the other one: two messages share 15 GB/s.
  json machine = json::parse(content_of(folder.file("m.json")));
  machine["ranks_per_host"] = 2;
  folder.write("machine.json", machine.dump());
  json const scenario = {
      {"machine", "machine.json"},
      {"collective",
       {{"kind", "isomorphic_alltoall"}, {"torus", {4}}, {"neighborhood", {{"kind", "offsets"}, {"offsets", {{2}}}}}}},
      {"algorithm", "posted"},
      {"block", "1MiB"}};
  Ran const run = rondo("run --quiet --format jsonl " + folder.write("p.json", scenario.dump()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NEAR(json::parse(run.out)["time_s"].get<double>(), 142.1101e-6, 1e-9);
}

TEST(Fit, says_each_parameter_with_its_interval) {
  Folder const folder;
  std::string const data = folder.write("d.csv", exact);
  Ran const fit = rondo("fit " + data + " --output " + (folder.path() / "m.json").string());
  EXPECT_EQ(fit.out, "Fitted by rondo fit to " + data +
                         ": 6 times of messages of 0B to 1MB; half of the times are met within 0.0 %.\n"
                         "With 95 % intervals: latency 2us (2us to 2us), bandwidth 5GBps (5GBps to 5GBps).\n");
}

// Times that fall with the size have no bandwidth of more than 0 that is best.
TEST(Fit, that_does_not_converge_says_so_and_writes_nothing) {
  Folder const folder;
  std::string const machine = (folder.path() / "m.json").string();
  Ran const fit =
      rondo("fit " + folder.write("d.csv", "lat;size\n8;0\n4;100\n2;1000\n1;10000\n") + " --output " + machine);
  EXPECT_EQ(fit.exit_code, 3) << fit.err;
  EXPECT_NE(fit.err.find("the fit did not converge: "), std::string::npos) << fit.err;
  EXPECT_NE(fit.err.find("; nothing is written\n"), std::string::npos) << fit.err;
  EXPECT_FALSE(std::filesystem::exists(machine));
}

/// OSU's text of times by latency and bandwidth, in microseconds and bytes a microsecond, up to a size and from there
/// on.
std::string osu_text(int last, double latency, double bandwidth, double later_latency, double later_bandwidth) {
  std::string text = "# OSU MPI Latency Test v7.5\n# Size          Latency (us)\n";
  for (int bytes = 1; bytes <= 1 << 22; bytes *= 2) {
    double const time = bytes <= last ? latency + bytes / bandwidth : later_latency + bytes / later_bandwidth;
    text += std::to_string(bytes) + " " + std::to_string(time) + "\n";
  }
  return text;
}

TEST(Fit, reads_what_stands_behind_the_words_of_a_launcher_and_names_them) {
  Folder const folder;
  std::string const data =
      folder.write("osu.txt", "[node-a:1] SET UCX_NET_DEVICES=x\n" + osu_text(1 << 22, 2, 5000, 0, 1));
  Ran const fit = rondo("fit " + data + " --output " + folder.file("m.json"));
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_EQ(fit.err, data + ":1: a line before the header is left out: [node-a:1] SET UCX_NET_DEVICES=x\n");
  EXPECT_NE(fit.out.find("23 times"), std::string::npos) << fit.out;
}

std::string broadcast_between_two(std::string const& machine, char const* blocks) {
  return R"({"schema_version": 1, "machine": )" + machine +
         R"(, "collective": {"kind": "bcast", "ranks": 2}, "algorithm": "linear", "engine": "native",
            "sweep": {"/block": )" +
         blocks + "}}";
}

// Up to 8 KiB 1.5 us and 5 GB/s, then 5 us and 12 GB/s: by hand 8 KiB take 3.138 us and 16 KiB 6.365 us.
TEST(Fit, writes_pieces_of_sizes_where_they_pay) {
  Folder const folder;
  std::string const data = folder.write("osu.txt", osu_text(8192, 1.5, 5000, 5, 12000));
  Ran const fit = rondo("fit " + data + " --output " + folder.file("m.json"));
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_NE(fit.out.find("latency up to 8KiB 1.5us"), std::string::npos) << fit.out;
  EXPECT_NE(fit.out.find("bandwidth above 8KiB 12GBps"), std::string::npos) << fit.out;
  std::string const machine = content_of(folder.file("m.json"));
  ASSERT_EQ(json::parse(machine)["pieces"].size(), 1U);
  Ran const run = rondo("run --format jsonl " +
                        folder.write("s.json", broadcast_between_two(machine, R"(["8KiB", "8193B", "16KiB"])")));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err.find("take less time"), std::string::npos) << run.err;
  std::vector<double> times;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) times.push_back(json::parse(line)["time_s"].get<double>());
  ASSERT_EQ(times.size(), 3U) << run.out;
  EXPECT_NEAR(times[0] / 3.1384e-6, 1, 1e-3);
  EXPECT_GT(times[1], times[0]);
  EXPECT_NEAR(times[2] / 6.3653e-6, 1, 1e-3);
}

// The data show it, so it stays: fit says so, the machine does, and so do run and tune for whoever takes the machine.
TEST(Fit, says_where_a_byte_more_takes_less_time_as_measured_and_so_do_those_who_read_the_machine) {
  Folder const folder;
  std::string const run_text = osu_text(131072, 2.5, 5100, 4.9, 15000);
  std::string const data = folder.write("osu.txt", run_text + run_text + run_text);
  Ran const fit = rondo("fit " + data + " --output " + folder.file("m.json"));
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  // By hand: 2.5 + 131072 / 5100 and 4.9 + 131073 / 15000.
  std::string const said =
      "A message of 131073B takes less time than one of 128KiB (13.64us, 28.2us), as measured: in 3 of 3 runs 256KiB "
      "took "
      "less than 128KiB.";
  EXPECT_NE(fit.out.find(said), std::string::npos) << fit.out;
  std::string const machine = content_of(folder.file("m.json"));
  EXPECT_NE(machine.find(said), std::string::npos) << machine;
  std::string const scenario = folder.write("s.json", broadcast_between_two(machine, R"(["128KiB"])"));
  std::string const remark = scenario +
                             ": /machine/pieces: more bytes take less time: 128KiB take 28.2us, one byte more 13.64us; "
                             "the fastest algorithm may change back and forth there\n";
  for (std::string const command :
       {"run ", "tune --from 1KiB --to 1MiB ", "tune --format ompi --from 1KiB --to 1MiB "}) {
    Ran const ran = rondo(command + scenario);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    auto const at = ran.err.find(remark);
    ASSERT_NE(at, std::string::npos) << command << ran.err;
    EXPECT_EQ(ran.err.find(remark, at + 1), std::string::npos) << ran.err;  // once
    if (command.find("ompi") != std::string::npos) {
      EXPECT_NE(ran.out.find("# " + remark), std::string::npos) << ran.out;
    }
  }
}

TEST(Fit, replaces_no_file_unless_forced) {
  Folder const folder;
  std::string const machine = folder.write("m.json", "mine");
  std::string const words = "fit " + folder.write("d.csv", exact) + " --output " + machine;
  EXPECT_EQ(rondo(words).exit_code, 2);
  EXPECT_EQ(content_of(machine), "mine");
  EXPECT_EQ(rondo(words + " --force").exit_code, 0);
  EXPECT_TRUE(json::parse(content_of(machine)).contains("latency"));
}

}  // namespace
}  // namespace rondo::test
