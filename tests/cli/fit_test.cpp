// `rondo fit`: from measurements to a machine that scenarios can name.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

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
