#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <string>

#include "folder.hpp"
#include "sample.hpp"
#include "scenario/load.hpp"

namespace rondo::scenario {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, in which files are named without their path.
class Load : public testing::Test {
 protected:
  std::string path(std::string const& name) const { return folder_.file(name); }
  std::string write(std::string const& name, std::string const& text) const { return folder_.write(name, text); }
  /// The message without the folder.
  std::string refusal_of(std::string const& name) const {
    std::string message = refusal([&] { read_all(load(path(name)), path(name)); });
    std::string const prefix = folder_.file("");
    while (message.find(prefix) != std::string::npos) message.erase(message.find(prefix), prefix.size());
    return message;
  }
  std::string refusal_of_text(std::string const& text) const {
    write("s.json", text);
    return refusal_of("s.json");
  }

 private:
  test::Folder folder_;
};

/// The CPU seconds that reading a list of so many objects takes, the least of three times.
double seconds_to_read(int objects) {
  std::string text = "{\"rounds\": [{}";
  for (int i = 1; i < objects; ++i) text += ", {\"sends\": [[1, 2]]}";
  text += "]}";
  double least = std::numeric_limits<double>::infinity();
  for (int time = 0; time < 3; ++time) {
    std::clock_t const begin = std::clock();
    EXPECT_EQ(parse_json(text, "s.json")["rounds"].size(), static_cast<std::size_t>(objects));
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

// In proportion 8 times as many objects take 8 times as long, as the square of the length 64 times.
TEST(LoadTime, grows_in_proportion_to_the_length_of_a_list) {
  EXPECT_LT(seconds_to_read(160000), 24 * seconds_to_read(20000));
}

TEST_F(Load, files_that_are_none) {
  EXPECT_EQ(refusal_of("nowhere.json"), "nowhere.json: no such file");
  fs::create_directory(path("folder"));
  EXPECT_EQ(refusal_of("folder"), "folder: expected a file, got a folder");
  EXPECT_EQ(refusal_of_text(""), "s.json: expected JSON, got an empty text");
  EXPECT_EQ(refusal_of_text(" \n\t"), "s.json: expected JSON, got an empty text");
  EXPECT_EQ(refusal_of_text("[1]"), "s.json: expected an object that describes a scenario, got [1]");
  EXPECT_EQ(refusal([] { load("/dev/zero"); }), "/dev/zero: expected a file, got a device");
  EXPECT_EQ(refusal([] { load(std::string(5000, 'x')); }).find('\n'), std::string::npos);
}

/// The parser ends at a zero byte, and so does the name of a file: what stands behind it would count for nothing.
TEST_F(Load, zero_bytes_are_refused) {
  std::string const scenario = sample().dump();
  EXPECT_EQ(refusal_of_text(scenario + "\n" + std::string(1, '\0') + "{}"), "s.json:2: expected text, got a zero byte");
  Json named = sample();
  named["title"] = std::string("a\0b", 3);
  EXPECT_TRUE(refusal_of_text(named.dump()).starts_with("s.json: /title: expected text without zero bytes, got "));
}

TEST_F(Load, names_a_file_that_is_near) {
  write("scenario.json", "{}");
  write("c.json", "{}");
  EXPECT_EQ(refusal_of("scenari.json"), "scenari.json: no such file; did you mean \"scenario.json\"?");
  EXPECT_EQ(refusal_of("scen.json"), "scen.json: no such file; did you mean \"scenario.json\"?");
  EXPECT_EQ(refusal_of("C.json"), "C.json: no such file; did you mean \"c.json\"?");
  EXPECT_EQ(refusal_of("scenario.jsn"), "scenario.jsn: no such file; did you mean \"scenario.json\"?");
  EXPECT_EQ(refusal_of("abc.json"), "abc.json: no such file") << "an extension alone makes no name near";
  EXPECT_EQ(refusal([] { load("-"); }), "-: expected the name of a file; standard input is not read");
}

TEST_F(Load, malformed_json_has_line_and_column) {
  EXPECT_EQ(refusal_of_text("{\n  \"block\": \"1B\",\n  \"seed\": 01\n}"),
            "s.json:3:12: syntax error while parsing object - unexpected number literal; expected '}'");
  EXPECT_EQ(refusal_of_text("{\"seed\": NaN}"),
            "s.json:1:10: syntax error while parsing value - invalid literal; last read: '\"seed\": N'");
  EXPECT_EQ(
      refusal_of_text("{\"seed\": -Infinity}"),
      "s.json:1:11: syntax error while parsing value - invalid number; expected digit after '-'; last read: '-I'");
  EXPECT_EQ(
      refusal_of_text("{\"seed\": 1,}"),
      "s.json:1:12: syntax error while parsing object key - unexpected '}'; expected string literal; remove the comma "
      "after the last value");
  EXPECT_EQ(
      refusal_of_text("{\"seed\": 1 \"block\": \"1B\"}"),
      "s.json:1:18: syntax error while parsing object - unexpected string literal; expected '}'; a comma is missing "
      "before it");
  EXPECT_EQ(
      refusal_of_text("{\"persistent\": False}"),
      "s.json:1:16: syntax error while parsing value - invalid literal; last read: '\"persistent\": F'; did you mean "
      "false?");
  EXPECT_EQ(refusal_of_text("machine:\n  topology: torus\n"),
            "s.json: expected JSON, an object in { }, got text that begins with \"machine:\"");
  EXPECT_EQ(refusal_of_text("{\"a\": 1} x").substr(0, 13), "s.json:1:10: ");
  EXPECT_EQ(refusal_of_text("{\"a\":\n\n").substr(0, 12), "s.json:3:1: ");
  EXPECT_EQ(refusal_of_text("{\"title\": \"\xff\"}").substr(0, 13), "s.json:1:12: ");
  EXPECT_EQ(refusal_of_text("# why\n{}").substr(0, 12), "s.json:1:1: ");
}

TEST_F(Load, what_json_lets_pass_and_a_scenario_does_not) {
  EXPECT_EQ(refusal_of_text(R"({"a": {"b": [{"c": 1, "d": 2, "c": 3}]}})"), "s.json: /a/b/0: duplicate key \"c\"");
  EXPECT_EQ(refusal_of_text(R"({"seed": 1, "seed": 1})"), "s.json: duplicate key \"seed\"");
  EXPECT_EQ(refusal_of_text(R"({"seed": 9223372036854775808})"),
            "s.json: /seed: expected a number below 2^63, got 9223372036854775808");
  EXPECT_EQ(refusal_of_text(R"({"a": [1, {"b": [0, -99999999999999999999]}]})"),
            "s.json: /a/1/b/1: expected a number below 2^63, got -1e+20");
  EXPECT_EQ(refusal_of_text(R"({"a": [1, 1e300]})"), "s.json: /a/1: expected a number below 2^63, got 1e+300");
  EXPECT_EQ(refusal_of_text(R"({"a": [1, 1e999]})"),
            "s.json: /a/1: expected a number below 2^63: number overflow parsing '1e999'");
}

TEST_F(Load, the_largest_seed_is_accepted) {
  Json scenario = sample();
  scenario["seed"] = 9223372036854775807;
  std::string const file = write("s.json", scenario.dump());
  EXPECT_EQ(parse(Sweep(load(file), file)[0], file).seed, 9223372036854775807u);
}

TEST_F(Load, bombs_are_refused) {
  std::string nested;
  for (int i = 0; i < 100000; ++i) nested += "[";
  EXPECT_EQ(
      refusal_of_text("{\"a\": " + nested), "s.json: /a" + [] {
        std::string place;
        for (int i = 0; i < 63; ++i) place += "/0";
        return place;
      }() + ": nested deeper than 64");
  std::string keys = "{\"k\": 0";
  for (int i = 0; i < 5000; ++i) keys += ", \"k" + std::to_string(i) + "\": 0";
  EXPECT_EQ(refusal_of_text(keys + "}"), "s.json: more than 4096 keys");
  EXPECT_LT(refusal_of_text("{\"seed\": " + std::string(2 << 20, '9') + "}").size(), 300u);
  EXPECT_LT(refusal_of_text("{\"seed\": \"" + std::string(2 << 20, 'x')).size(), 300u);
  EXPECT_LT(refusal_of_text("{\"" + std::string(2 << 20, 'x') + "\": NaN}").size(), 300u);
}

TEST_F(Load, a_string_past_64_kib_is_refused_wherever_it_stands) {
  EXPECT_EQ(refusal_of_text("{\"title\": \"" + std::string(2 << 20, 'x') + "\"}").substr(0, 68),
            "s.json: /title: expected a string of at most 65536 bytes, got \"xxxxx");
}

TEST_F(Load, a_machine_may_be_a_file_of_its_own) {
  write("machines/ring.json", R"({"topology": {"kind": "ring", "hosts": 24}, "latency": "2us", "bandwidth": "1GBps"})");
  write("s.json", sample(R"({"machine": null})").dump());
  Json scenario = sample();
  scenario["machine"] = "machines/ring.json";
  std::string const file = write("s.json", scenario.dump());
  Json document = load(file);
  apply_set(document, "/machine/latency=3us");
  Scenario const parsed = parse(Sweep(document, file)[0], file);
  EXPECT_EQ(parsed.machine.latency, parse_seconds("3us"));
  EXPECT_TRUE(std::holds_alternative<Ring>(parsed.machine.topology));
  EXPECT_EQ(parsed.expanded["machine"]["topology"]["kind"], "ring");
}

TEST_F(Load, machines_given_by_name_may_be_swept) {
  write("a.json", R"({"topology": {"kind": "ring", "hosts": 24}, "latency": "2us", "bandwidth": "1GBps"})");
  write("b.json", R"({"topology": {"kind": "fully_connected", "hosts": 24}, "latency": "2us", "bandwidth": "1GBps"})");
  Json const scenario = sample(R"({"sweep": {"/machine": ["a.json", "b.json"], "/machine/latency": ["1us"]}})");
  std::string const file = write("s.json", scenario.dump());
  Sweep const sweep(load(file), file);
  ASSERT_EQ(sweep.size(), 2u);
  EXPECT_EQ(sweep[1].axes[0].second, "b.json");
  EXPECT_TRUE(std::holds_alternative<FullyConnected>(parse(sweep[1], file).machine.topology));
  EXPECT_EQ(parse(sweep[1], file).machine.latency, 1_us);
}

TEST_F(Load, faults_in_a_machine_file_name_that_file) {
  Json scenario = sample();
  scenario["machine"] = "m.json";
  write("s.json", scenario.dump());
  EXPECT_EQ(refusal_of("s.json"),
            "s.json: /machine: expected an object, or the name of a file that holds one, got \"m.json\": no such file");
  write("m.json", "{\n");
  EXPECT_EQ(refusal_of("s.json").substr(0, 12), "m.json:2:1: ");
  write("m.json", "\"m.json\"");
  EXPECT_EQ(refusal_of("s.json"), "m.json: expected an object, got \"m.json\"");
  write("m.json", R"({"topology": {"kind": "ring", "hosts": 24}, "latency": "2us", "bandwith": "1GBps"})");
  EXPECT_EQ(refusal_of("s.json"), "m.json: unknown key \"bandwith\"; did you mean \"bandwidth\"?");
  write("m.json", R"({"topology": {"kind": "ring", "hosts": 0}, "latency": "2us", "bandwidth": "1GBps"})");
  EXPECT_EQ(refusal_of("s.json"), "m.json: /topology/hosts: expected an integer from 1 to 16777216, got 0");
}

TEST_F(Load, a_platform_file_is_found_from_the_folder_of_the_file_that_names_it) {
  write("machines/x.xml", "<platform/>");
  std::string const machine =
      R"({"topology": {"kind": "file", "path": "x.xml"}, "latency": "1us", "bandwidth": "1GBps"})";
  write("machines/x.json", machine);
  Json scenario = sample();
  scenario["machine"] = "machines/x.json";
  std::string const outer = write("s.json", scenario.dump());
  auto const by_machine = parse(Sweep(load(outer), outer)[0], outer).machine.topology;
  EXPECT_EQ(std::get<PlatformFile>(by_machine).path, path("machines/x.xml"));
  scenario["machine"] = Json::parse(machine);
  std::string const inner = write("machines/s.json", scenario.dump());
  auto const by_scenario = parse(Sweep(load(inner), inner)[0], inner).machine.topology;
  EXPECT_EQ(std::get<PlatformFile>(by_scenario).path, path("machines/x.xml"));
}

}  // namespace
}  // namespace rondo::scenario
