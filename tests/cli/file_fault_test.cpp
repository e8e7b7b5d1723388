// Files that cannot be read whole, for a fault or for want of memory, and outputs that are written whole or not at all.

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/sweeps.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

/// Runs the program with a read of this file that fails behind so many bytes.
Ran with_fault(std::string const& file, std::size_t bytes, std::string const& words) {
  return rondo(words, "env LD_PRELOAD=" RONDO_FILE_FAULT " FAULT_FILE=" + fs::canonical(file).string() +
                          " FAULT_BYTES=" + std::to_string(bytes));
}

class ReadFault : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "the sanitizers want to be preloaded themselves";
    scenario = folder.write("s.json", sweep(4, "native"));
    results = (folder.path() / "r.jsonl").string();
    ASSERT_EQ(rondo("run --quiet --format jsonl --output " + results + " " + scenario).exit_code, 0);
    whole = content_of(results);
  }
  Folder folder;
  std::string scenario, results, whole;
};

TEST_F(ReadFault, of_a_file_that_is_continued_leaves_it_as_it_was) {
  for (std::size_t const bytes : {std::size_t{0}, std::size_t{1}, whole.find('\n') + 1, whole.size() - 1}) {
    Ran const ran =
        with_fault(results, bytes, "run --quiet --resume --format jsonl --output " + results + " " + scenario);
    EXPECT_EQ(ran.exit_code, 3) << bytes;
    EXPECT_EQ(ran.err,
              results + ": cannot be read whole: Input/output error behind byte " + std::to_string(bytes) + "\n");
    EXPECT_EQ(content_of(results), whole) << bytes;
  }
}

TEST_F(ReadFault, of_a_file_that_is_merged_or_reported_leaves_no_part_of_it) {
  std::string const other = (folder.path() / "new").string();
  for (std::string const& words :
       {"merge " + results, "merge " + results + " --output " + other, "report " + results + " --output " + other}) {
    Ran const ran = with_fault(results, whole.find('\n') + 1, words);
    EXPECT_EQ(ran.exit_code, 3) << words;
    EXPECT_EQ(ran.out, "") << words;
    EXPECT_NE(ran.err.find(": cannot be read whole: Input/output error"), std::string::npos) << ran.err;
    EXPECT_FALSE(fs::exists(other)) << words;
  }
}

/// Also where the file system knows no files without a name, and they have another one first.
TEST(WholeOutput, has_the_rights_that_are_usual_and_replaces_nothing_unless_forced) {
  if (sanitized) GTEST_SKIP() << "the sanitizers want to be preloaded themselves";
  for (std::string const before : {"", "export LD_PRELOAD=" RONDO_FILE_FAULT " FAULT_NO_TMPFILE=1; "}) {
    Folder const folder;
    folder.write("s.json", sweep(1, "native"));
    auto const written = [&](std::string const& words) {
      return shell(
          "cd $work; umask 027; " + before + "$rondo export --format goal --output o.goal " + words + " s.json",
          folder);
    };
    EXPECT_EQ(written("").exit_code, 0) << before;
    fs::path const output = folder.path() / "o.goal";
    std::string const goal = content_of(output);
    EXPECT_EQ(goal.rfind("num_ranks", 0), 0u) << goal;
    EXPECT_EQ(fs::status(output).permissions(), fs::perms(0640)) << before;
    std::ofstream(output) << "another";
    Ran const refused = written("");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.err, "o.goal: exists already; --force starts it anew\n");
    EXPECT_EQ(content_of(output), "another");
    EXPECT_EQ(written("--force").exit_code, 0) << before;
    EXPECT_EQ(content_of(output), goal);
    // The script, its two streams, the scenario and the output.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 5) << before;
  }
}

// 50 MB of records: a limit of 100 MB on all memory has no place for the text; those of more have, but none for its
// rows, or for what they are read with, whose destructors ask for memory themselves.
TEST(ReadWithoutMemory, of_a_result_file_exits_with_3_and_leaves_it_untouched) {
  if (sanitized) GTEST_SKIP() << "the sanitizers reserve more than any such limit";
  Folder const folder;
  std::string const scenario = folder.write("s.json", sweep(1, "native"));
  std::string row = rondo("run --quiet --format jsonl " + scenario).out;
  // As of a sweep of so many points that each of them is one of it.
  std::string const points = "\"points\":";
  std::size_t const count = row.find(points) + points.size();
  row.replace(count, row.find(',', count) - count, "10000000");
  std::size_t const point = row.find("\"point\":1,");
  std::string const behind = row.substr(row.find(',', point), row.find('\n') + 1 - row.find(',', point));
  std::string text;
  for (int i = 1; text.size() < 50'000'000; ++i)
    text += row.substr(0, point) + "\"point\":" + std::to_string(i) + behind;
  std::string const results = folder.write("r.jsonl", text);
  std::string const beside = (folder.path() / "beside").string();
  std::string const resume = "run --quiet --resume --format jsonl --output " + results + " " + scenario;
  std::string const merge = "merge --output " + beside + " " + results;
  std::string const report = "report --output " + beside + " " + results;
  auto const expect_refused = [&](std::string const& words, int limit) {
    Ran const ran = shell("ulimit -v " + std::to_string(limit) + "; $rondo " + words, folder);
    EXPECT_EQ(ran.exit_code, 3) << limit << ": " << words << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << words;
    EXPECT_NE(ran.err.find("out of memory"), std::string::npos) << limit << ": " << words << ": " << ran.err;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 5) << words;
  };
  for (std::string const& words : {resume, merge, report}) expect_refused(words, 60'000);
  for (int const limit : {95'000, 105'000}) {
    for (std::string const& words : {resume, merge}) expect_refused(words, limit);
  }
  EXPECT_EQ(content_of(results), text);
}

}  // namespace
}  // namespace rondo::test
