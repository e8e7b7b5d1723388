// Nothing lost, nothing silently wrong: outputs that are inputs, platform files that say more than a platform, records
// that were never proved, and text that a terminal would obey. Files that cannot be read whole: file_fault_test.cpp;
// inputs that ask too much: limits_test.cpp.

#include <gtest/gtest.h>

#include <regex>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

/// Files that commands read and are told to write to as well.
class OwnInput : public ::testing::Test {
 protected:
  void SetUp() override {
    write("s.json", R"({"machine": "m.json", "block": "8B", "algorithm": "naive", "engine": "native",
      "collective": {"kind": "neighbor_allgather", "graph": {"kind": "edges", "ranks": 3, "path": "g.txt"}},
      "expect": [{"claim": "c", "that": "naive.time > 0"}]})");
    write("m.json", R"({"topology": {"kind": "ring", "hosts": 4}, "latency": "1us", "bandwidth": "1GBps"})");
    write("g.txt", "0 1\n1 2\n");
    write("t.json", R"({"machine": "m.json", "block": "8B", "algorithm": "torus", "engine": "native",
      "collective": {"kind": "isomorphic_alltoall", "torus": [4],
                     "neighborhood": {"kind": "offsets", "offsets": [[1]]}}})");
    write("x.goal", "num_ranks 1\nrank 0 {\nl1: calc 5\n}\n");
    write("lat.txt", "1 2 3\n");
    ASSERT_EQ(in("run --quiet --output r.jsonl s.json").exit_code, 0);
  }
  void write(std::string const& name, std::string const& text) const { folder.write(name, text); }
  Ran in(std::string const& words) const { return rondo(words, "cd " + folder.path().string() + " && "); }
  /// Nothing is written, neither over the input nor beside it.
  void expect_refused(std::string const& words, std::string const& output, std::string const& input) {
    SCOPED_TRACE(words);
    std::string const before = content_of(folder.path() / input);
    auto const files = [&] { return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()); };
    auto const there = files();
    Ran const ran = in(words);
    EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err,
              output + ": expected another file to write to, this one is read: it is the input " + input + "\n");
    EXPECT_EQ(content_of(folder.path() / input), before);
    EXPECT_EQ(files(), there);
  }

  Folder folder;
};

TEST_F(OwnInput, is_not_written_over_by_run) {
  for (std::string const format : {"", "--format csv ", "--format jsonl ", "--format markdown "}) {
    for (std::string const input : {"s.json", "m.json", "g.txt"}) {
      for (std::string const how : {"--force", "--resume"}) {
        if (how == "--resume" && !format.ends_with("csv ") && !format.ends_with("jsonl ")) continue;
        expect_refused("run --quiet " + how + " " + format + "--output " + input + " s.json", input, input);
      }
    }
  }
  expect_refused("run --quiet --output s.json s.json", "s.json", "s.json");
  expect_refused("run --quiet --force --machine m.json --output x.goal x.goal", "x.goal", "x.goal");
  expect_refused("run --quiet --force --machine m.json --output m.json x.goal", "m.json", "m.json");
}

TEST_F(OwnInput, is_known_by_any_name) {
  fs::create_symlink("s.json", folder.path() / "link");
  fs::create_hard_link(folder.path() / "s.json", folder.path() / "hard");
  fs::create_directory(folder.path() / "in");
  for (std::string const name : {"./s.json", "in/../s.json", "link", "hard"}) {
    expect_refused("run --quiet --force --output " + name + " s.json", name, "s.json");
  }
  expect_refused("run --quiet --force --output s.json link", "s.json", "link");
}

TEST_F(OwnInput, is_not_written_over_by_other_commands) {
  expect_refused("check --quiet --junit s.json s.json", "s.json", "s.json");
  expect_refused("check --quiet --junit g.txt s.json", "g.txt", "g.txt");
  expect_refused("check --quiet --junit r.jsonl --results r.jsonl s.json", "r.jsonl", "r.jsonl");
  expect_refused("tune --quiet --to 2B --force --output t.json t.json", "t.json", "t.json");
  expect_refused("merge --force --output r.jsonl r.jsonl", "r.jsonl", "r.jsonl");
  expect_refused("report --force --output r.jsonl r.jsonl", "r.jsonl", "r.jsonl");
  expect_refused("export --format json --force --output s.json s.json", "s.json", "s.json");
  expect_refused("export --format platform --force --output m.json m.json", "m.json", "m.json");
  expect_refused("export --format goal --force --output m.json t.json", "m.json", "m.json");
  expect_refused("show --force --output g.txt s.json", "g.txt", "g.txt");
  expect_refused("fit --force --output lat.txt lat.txt", "lat.txt", "lat.txt");
  expect_refused("prove --junit x.goal x.goal", "x.goal", "x.goal");
}

TEST_F(OwnInput, is_no_output_that_is_there_from_before) {
  EXPECT_EQ(in("run --quiet --force --output r.jsonl s.json").exit_code, 0);
  EXPECT_EQ(in("run --quiet --resume --output r.jsonl s.json").exit_code, 0);
  EXPECT_EQ(in("run --quiet --force --output r.jsonl t.json").exit_code, 0);
}

TEST(Resumed, a_file_writes_over_nothing_beside_it_and_follows_no_link_there) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(2, "native"));
  std::string const out = (folder.path() / "r.jsonl").string();
  ASSERT_EQ(rondo("run --quiet --format jsonl --output " + out + " " + file).exit_code, 0);
  std::string const whole = content_of(out);
  // Without its first record the file is written anew when the sweep is over.
  folder.write("r.jsonl", whole.substr(whole.find('\n') + 1));
  std::string const victim = folder.write("victim", "mine");
  for (bool const link : {false, true}) {
    fs::remove(out + ".new");
    if (link) {
      fs::create_symlink(victim, out + ".new");
    } else {
      folder.write("r.jsonl.new", "also mine");
    }
    folder.write("r.jsonl", whole.substr(whole.find('\n') + 1));
    EXPECT_EQ(rondo("run --quiet --resume --format jsonl --output " + out + " " + file).exit_code, 0);
    EXPECT_EQ(timeless_file(out), timeless(whole));
    EXPECT_EQ(content_of(victim), "mine");
    EXPECT_EQ(content_of(out + ".new"), link ? "mine" : "also mine");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 4) << "nothing else is left";
}

TEST(Merged, two_of_three_shards_are_no_whole_sweep) {
  Folder const folder;
  // Three points: without the last shard the others have no gap.
  std::string text = sweep(3, "native");
  text.replace(text.find(", \"/algorithm\": [\"torus\", \"straightforward\"]"), 44, "");
  std::string const file = folder.write("s.json", text);
  for (std::string const format : {"jsonl", "csv"}) {
    std::string shards;
    for (std::string const shard : {"1", "2", "3"}) {
      std::string const out = (folder.path() / (shard + "." + format)).string();
      ASSERT_EQ(
          rondo("run --quiet --shard " + shard + "/3 --format " + format + " --output " + out + " " + file).exit_code,
          0);
      shards += " " + out;
      Ran const merged = rondo("merge" + shards);
      EXPECT_EQ(merged.exit_code, shard == "3" ? 0 : 1) << merged.err;
      EXPECT_EQ(lines(merged.out), std::stoi(shard) + (format == "csv" ? 1 : 0));
      if (shard == "2") {
        EXPECT_EQ(merged.err, file + ": 1 of 3 points is missing, the last among them\n");
      }
    }
  }
}

TEST(Merged, a_damaged_number_is_refused_by_all_that_read_records) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(1, "native"));
  for (std::string const format : {"jsonl", "csv"}) {
    std::string const out = (folder.path() / ("r." + format)).string();
    ASSERT_EQ(rondo("run --quiet --output " + out + " " + file).exit_code, 0);
    std::string damaged = content_of(out);
    // The seed is no number any more; what says which point it is stays.
    std::string const whole = format == "csv" ? ",timing,1," : "\"seed\":1,";
    std::size_t const at = damaged.find(whole);
    ASSERT_NE(at, std::string::npos) << damaged;
    damaged.replace(at, whole.size(), format == "csv" ? ",timing,one," : "\"seed\":\"one\",");
    folder.write("r." + format, damaged);
    for (std::string const& reads : {"report --output " + (folder.path() / "r.html").string() + " " + out,
                                     "merge " + out, "run --quiet --resume --output " + out + " " + file}) {
      Ran const ran = rondo(reads);
      EXPECT_EQ(ran.exit_code, 2) << reads << ran.out;
      EXPECT_NE(ran.err.find(out + ": line "), std::string::npos) << ran.err;
      EXPECT_EQ(content_of(out), damaged) << reads;
    }
  }
}

TEST(Resumed, records_stand_for_points_only_with_the_proof_that_is_asked_for) {
  Folder const folder;
  std::string const file = folder.write("s.json", sweep(1, "native"));
  std::string const out = (folder.path() / "r.jsonl").string();
  std::string const run = "run --quiet --format jsonl --output " + out + " " + file;
  auto const resumed = [&](std::string const& verify) {
    Ran const ran = rondo(run + " --resume" + verify);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.err;
  };
  ASSERT_EQ(rondo(run + " --verify off").exit_code, 0);
  EXPECT_NE(content_of(out).find("\"proof\":\"off\""), std::string::npos);
  EXPECT_EQ(resumed(" --verify off"), "");
  for (std::string const verify : {" --verify on", ""}) {
    ASSERT_EQ(rondo(run + " --force --verify off").exit_code, 0);
    EXPECT_EQ(resumed(verify).find(out + ": 2 of 2 records are left out: 2 without the proof that is asked for"), 0u);
    EXPECT_EQ(content_of(out).find("\"proof\":\"off\""), std::string::npos) << "run again";
    EXPECT_EQ(content_of(out).find("\"violations\":null"), std::string::npos) << "and proved";
  }
  for (std::string const verify : {" --verify on", "", " --verify off"}) EXPECT_EQ(resumed(verify), "") << verify;
}

TEST(GoalSizes, that_differ_are_refused_by_both_engines_without_a_proof_too) {
  Folder const folder;
  std::string const machine = folder.write(
      "m.json", R"({"topology": {"kind": "fully_connected", "hosts": 2}, "latency": "1us", "bandwidth": "1GBps"})");
  for (std::string const sent : {"8", "32"}) {
    std::string const goal =
        folder.write("x.goal", "num_ranks 2\nrank 0 {\nsend " + sent + "b to 1\n}\nrank 1 {\nrecv 16b from 0\n}\n");
    for (std::string const engine : {"native", "smpi"}) {
      Ran const ran = rondo("run --quiet --verify off --engine " + engine + " --machine " + machine + " " + goal);
      EXPECT_EQ(ran.exit_code, 3) << engine;
      EXPECT_NE(ran.out.find("rank 0's line 3 (send " + sent +
                             "b to 1 tag 0) meets rank 1's line 6 (recv 16b from 0 tag 0) of another size"),
                std::string::npos)
          << engine << ": " << ran.out;
    }
  }
}

/// A scenario of two ranks on a platform file.
std::string on_platform(Folder const& folder, std::string const& xml) {
  folder.write("p.xml", xml);
  return folder.write("s.json", R"({"machine": {"topology": {"kind": "file", "path": "p.xml"}, "latency": "1us",
      "bandwidth": "1GBps"}, "collective": {"kind": "isomorphic_alltoall", "torus": [2],
      "neighborhood": {"kind": "offsets", "offsets": [[1]]}}, "algorithm": "straightforward", "block": "8B"})");
}

TEST(PlatformFiles, write_over_no_file_whatever_is_done_with_them) {
  Folder const folder;
  std::string const victim = folder.write("victim", "mine");
  std::string const file = on_platform(folder, R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><config><prop id="tracing" value="yes"/><prop id="tracing/filename" value=")" +
                                                   victim +
                                                   R"("/></config>
<cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" sharing_policy="SPLITDUPLEX"/></platform>)");
  for (std::string const words :
       {"run ", "run --engine smpi ", "run --dry-run ", "run --dry-run=generate ", "check ", "show ",
        "show --format html ", "export --format json ", "export --format trace ", "tune "}) {
    rondo(words + file);
    EXPECT_EQ(content_of(victim), "mine") << words;
  }
  EXPECT_NE(rondo("run " + file).err.find("p.xml:3:25: <config> is left out: Rondo alone configures SimGrid"),
            std::string::npos);
}

TEST(PlatformFiles, of_three_hundred_million_hosts_are_refused_at_once) {
  Folder const folder;
  std::string const file = on_platform(
      folder,
      "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-300000000\" speed=\"1Gf\" "
      "bw=\"1GBps\" lat=\"1us\"/></platform>");
  Ran const ran = rondo("run " + file, sanitized ? "timeout 60" : "ulimit -v 4000000; timeout 20");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("expected at most 1048576 hosts, got more"), std::string::npos) << ran.err;
}

TEST(Terminals, are_told_no_character_that_they_obey) {
  Folder const folder;
  // ESC [ 2 J clears the screen, U+009B is its form in one character, U+202E turns the direction of writing.
  std::string const evil = "\\u001b[2J\\u009b2J\\u202e\\r\\n";
  std::string text = sweep(1, "native");
  text.replace(1, 0, "\"title\": \"T" + evil + "\", ");
  text.replace(text.rfind('}'), 0, ", \"expect\": [{\"claim\": \"C" + evil + "\", \"that\": \"torus.rounds == D\"}]");
  fs::path const inner = folder.path() / "\x1b[31m\xe2\x80\xae\n";
  fs::create_directory(inner);
  std::ofstream(inner / "s.json") << text;
  std::string const file = "'" + (inner / "s.json").string() + "'";
  auto const obeyed = [](std::string said) {
    // A line's end is one where the program ends a line, and here no line begins within the text of another.
    return said.find_first_of("\x1b\r") != std::string::npos || said.find("\xc2\x9b") != std::string::npos ||
           said.find("\xe2\x80\xae") != std::string::npos;
  };
  for (std::string const words :
       {"run ", "run --format markdown ", "run --dry-run ", "check ", "check --format markdown ", "tune --to 8B ",
        "show ", "run --set /block=7 ", "run --set /nonsense=1 "}) {
    Ran const ran = rondo(words + file);
    EXPECT_FALSE(obeyed(ran.out)) << words << ran.out;
    EXPECT_FALSE(obeyed(ran.err)) << words << ran.err;
    EXPECT_NE(ran.exit_code, 3) << words << ran.err;
  }
  // JSON has escapes of its own, wherever it goes: in a cell of CSV and in a page, too.
  for (std::string const words :
       {"run --format jsonl ", "run --format csv ", "check --format jsonl ", "tune --to 8B --format json ",
        "export --format json ", "export --format trace ", "show --format html "}) {
    Ran const ran = rondo(words + file);
    EXPECT_FALSE(obeyed(ran.out)) << words << ran.out;
  }
  if (!has_terminals()) GTEST_SKIP() << "no terminal can be made here, for lack of /dev/pts";
  for (std::string const words : {"run --quiet --format csv ", "run --quiet --format csv --force --output /dev/tty "}) {
    folder.write("script.sh", std::string(RONDO_BINARY) + " " + words + file);
    std::string const command = "script -qec 'bash " + (folder.path() / "script.sh").string() + "' /dev/null";
    std::string const typescript = (folder.path() / "typescript").string();
    ASSERT_EQ(std::system((command + " >" + typescript + " </dev/null").c_str()), 0);
    std::string const shown = std::regex_replace(content_of(typescript), std::regex("\r\n"), "\n");
    EXPECT_NE(shown.find("2J"), std::string::npos) << words;
    EXPECT_FALSE(obeyed(shown)) << words << shown;
  }
  for (std::string const& words :
       {"run '" + (inner / "none.json").string() + "'", "run --set /block=7 " + file, std::string("'r\x1b[1mun\n'"),
        std::string("run --no-such$(printf '\\n\\033')word x"), "merge '" + (inner / "s.json").string() + "'",
        "run --engine 'a\nb' " + file, "show --point 99 " + file, "export --format 'x\ny' " + file}) {
    Ran const ran = rondo(words);
    EXPECT_EQ(ran.exit_code, 2) << words;
    EXPECT_EQ(lines(ran.err), 1) << words << ran.err;
    EXPECT_FALSE(obeyed(ran.err)) << words << ran.err;
  }
}

}  // namespace
}  // namespace rondo::test
