// The errors of the catalogue are what the program answers, to the letter.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.hpp"
#include "errors/catalogue.hpp"
#include "errors/sources.hpp"
#include "sanitized.hpp"

namespace rondo::test {
namespace {

std::filesystem::path const data = std::filesystem::path(RONDO_TEST_DATA) / "errors";

/// For bash: text in single quotes.
std::string quoted(std::string const& text) {
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The script that makes the folder of an entry, runs its command and writes the answer to `answers`.
std::string script_of(Entry const& entry, std::size_t number) {
  nlohmann::ordered_json scenario = nlohmann::ordered_json::parse(content_of(data / "bases" / (entry.base + ".json")));
  if (!entry.patch.empty()) scenario.merge_patch(nlohmann::ordered_json::parse(entry.patch));
  std::string const folder = "$work/" + std::to_string(number);
  std::string script = "mkdir " + folder + " && cd " + folder + "\n";
  script += "printf %s " + quoted(scenario.dump()) + " >s.json\n";
  for (auto const& [name, text] : entry.files) script += "printf %s $'" + text + "' >" + name + "\n";
  std::string const command = entry.command.empty() ? "rondo run --quiet s.json" : entry.command;
  // Commands of their own shell, so that what they set or limit ends with them; the last of them gives the exit code.
  script += "( " + command + "\n) >.out 2>.err </dev/null; code=$?\n";
  script += "[ -s .err ] && answer=$(<.err) || answer=$(tail -n 1 .out)\n";
  script += "answer=${answer//$PWD/.}\n";
  return script + "printf '%s %s\\0' $code \"$answer\" >>$work/answers\n";
}

/// The answers to some entries, from one bash.
std::vector<std::string> answers_to(std::vector<Entry> const& entries) {
  Folder const work;
  std::string script = "rondo() { \"$rondo\" \"$@\"; }\nunset RONDO_ALLOW_PROGRAMS SLURM_ARRAY_TASK_ID\n";
  for (std::size_t i = 0; i < entries.size(); ++i) script += script_of(entries[i], i);
  shell(script, work);
  std::vector<std::string> answers;
  std::istringstream stream(content_of(work.path() / "answers"));
  for (std::string answer; std::getline(stream, answer, '\0');) answers.push_back(answer);
  answers.resize(entries.size(), "no answer");
  return answers;
}

/// The names of the files of the catalogue.
std::vector<std::string> files() {
  std::set<std::string> names;
  for (Entry const& entry : read_catalogue(data)) names.insert(entry.place.substr(0, entry.place.find('.')));
  return {names.begin(), names.end()};
}

/// Every `step`th entry of a file of the catalogue is what the program answers.
void expect_answers(std::string const& file, std::size_t step) {
  if (sanitized) GTEST_SKIP() << "in release: a few hundred runs, some of them with little memory";
  std::vector<Entry> entries;
  std::size_t seen = 0;
  for (Entry& entry : read_catalogue(data)) {
    if (entry.place.starts_with(file + ".") && seen++ % step == 0) entries.push_back(std::move(entry));
  }
  ASSERT_FALSE(entries.empty());
  std::vector<std::string> const answers = answers_to(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(answers[i], entries[i].line) << "tests/data/errors/" << entries[i].place;
    EXPECT_EQ(answers[i].find('\n'), std::string::npos) << "one line: " << entries[i].place;
  }
}

std::string name_of(testing::TestParamInfo<std::string> const& each) {
  std::string name = each.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Catalogue : public testing::TestWithParam<std::string> {};
class LongCatalogue : public Catalogue {};

// The run of each takes a tenth of a second. That the catalogue has all texts of the sources is tested below.
TEST_P(Catalogue, has_every_fourth_answer_of_the_program) { expect_answers(GetParam(), 4); }
TEST_P(LongCatalogue, is_what_the_program_answers) { expect_answers(GetParam(), 1); }

INSTANTIATE_TEST_SUITE_P(Errors, Catalogue, testing::ValuesIn(files()), name_of);
INSTANTIATE_TEST_SUITE_P(, LongCatalogue, testing::ValuesIn(files()), name_of);

TEST(Errors, stand_in_the_catalogue_once_and_are_many) {
  std::set<std::string> distinct;
  for (Entry const& entry : read_catalogue(data)) EXPECT_TRUE(distinct.insert(entry.line).second) << entry.place;
  EXPECT_GE(distinct.size(), 200u);
}

/// The lines of tests/data/errors/unreached: texts that no input of a few bytes brings about, and why.
std::set<std::string> unreached() {
  std::istringstream stream(content_of(data / "unreached"));
  std::set<std::string> texts;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line[0] != '#') texts.insert(line);
  }
  return texts;
}

TEST(Errors, of_the_sources_are_all_in_the_catalogue) {
  std::vector<Entry> const entries = read_catalogue(data);
  std::set<std::string> known = unreached();
  std::set<std::string> used;
  std::vector<ErrorSite> const sites = error_sites(RONDO_SOURCE_DIR);
  for (ErrorSite const& site : sites) {
    bool covered = false;
    for (std::string const& text : site.texts) {
      covered = covered || std::any_of(entries.begin(), entries.end(),
                                       [&](Entry const& entry) { return holds(entry.line, text); });
    }
    if (covered) continue;
    EXPECT_TRUE(known.contains(site.texts.front()))
        << site.place << ": no entry of tests/data/errors brings about \"" << site.texts.front() << '"';
    used.insert(site.texts.front());
  }
  for (std::string const& text : known) EXPECT_TRUE(used.contains(text)) << "tests/data/errors/unreached: " << text;
  EXPECT_GT(sites.size(), 250u);
}

}  // namespace
}  // namespace rondo::test
