// What the program says of its own words: completions and the manual page know every command and option that --help
// knows, and are installed.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

namespace fs = std::filesystem;

/// The first words of the lines behind a heading of a help text.
std::set<std::string> words_behind(std::string const& help, std::string const& heading, std::string const& pattern) {
  std::size_t const begin = help.find(heading);
  if (begin == std::string::npos) return {};
  std::set<std::string> words;
  std::string const text = help.substr(begin);
  std::regex const word("\n  (?:-h,)?(" + pattern + ")");
  for (std::sregex_iterator found(text.begin(), text.end(), word), none; found != none; ++found)
    words.insert((*found)[1]);
  return words;
}

std::set<std::string> commands() { return words_behind(rondo("--help").out, "Subcommands:", "[a-z-]+"); }
std::set<std::string> options(std::string const& command) {
  return words_behind(rondo(command + " --help").out, "Options:", "--[a-z-]+");
}

std::string replaced(std::string text, std::string const& what, std::string const& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Where the manual page has a command, whose name another one's may begin with.
std::size_t section_of(std::string const& page, std::string const& command) {
  std::string const heading = ".SS \"rondo " + command;
  return std::min(page.find(heading + " "), page.find(heading + "\""));
}

TEST(Words, of_help_fit_80_columns) {
  std::set<std::string> all = commands();
  all.insert("");
  for (std::string const& command : all) {
    std::istringstream lines(rondo(command + " --help").out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("Example: ")) {
        EXPECT_LE(line.size(), 80U) << command << ": " << line;
      }
    }
  }
}

TEST(Words, of_help_are_all_in_the_manual_page_and_in_the_completions) {
  std::string const page = replaced(rondo("man").out, "\\-", "-");
  std::string const bash = rondo("completion bash").out;
  std::string const zsh = rondo("completion zsh").out;
  std::string const fish = rondo("completion fish").out;
  ASSERT_GE(commands().size(), 10u);
  for (std::string const& command : commands()) {
    std::size_t const section = section_of(page, command);
    ASSERT_NE(section, std::string::npos) << command;
    EXPECT_NE(bash.find("    " + command + "/*) words='"), std::string::npos) << command;
    EXPECT_NE(zsh.find("    " + command + ") _arguments"), std::string::npos) << command;
    EXPECT_NE(fish.find(" -a " + command + " -d "), std::string::npos) << command;
    std::string const own = page.substr(section, page.find("\n.S", section) - section);
    for (std::string const& option : options(command)) {
      std::string const where = command + " " + option;
      EXPECT_NE(own.find("\"" + option), std::string::npos) << where;
      EXPECT_TRUE(std::regex_search(bash, std::regex(command + "/\\*\\) words='[^']*" + option))) << where;
      EXPECT_TRUE(std::regex_search(zsh, std::regex("    " + command + "\\) _arguments( \\\\\n .*)*" + option + "\\[")))
          << where;
      EXPECT_TRUE(std::regex_search(fish, std::regex("from " + command + "' -l " + option.substr(2) + " "))) << where;
    }
  }
}

/// What bash offers behind these words, the last of which is begun.
std::string completed(std::vector<std::string> const& words) {
  Folder const folder;
  folder.write("completion", rondo("completion bash").out);
  folder.write("a b.json", "");
  std::string line;
  for (std::string const& word : words) line += " '" + word + "'";
  std::string const script =
      folder.write("script", "cd " + folder.path().string() + " && . ./completion && COMP_WORDS=(" + line +
                                 ") COMP_CWORD=" + std::to_string(words.size() - 1) +
                                 " && _rondo && printf '%s,' \"${COMPREPLY[@]}\"\n");
  std::string const out = (folder.path() / "out").string();
  EXPECT_EQ(std::system(("bash " + script + " >" + out + " 2>&1").c_str()), 0);
  return content_of(out);
}

/// The line behind "Example: " in a help text.
std::string example_of(std::string const& command) {
  std::string const help = rondo(command + " --help").out;
  std::size_t const begin = help.rfind("Example: ");
  if (begin == std::string::npos) return "";
  std::string const line = help.substr(begin + 9);
  return line.substr(0, line.find('\n'));
}

/// Some examples read what others write, so that these run first.
TEST(Words, every_command_has_an_example_and_all_run_in_a_checkout) {
  std::vector<std::string> order{"run", "new", "tune", "export"};
  for (std::string const& command : commands()) {
    if (std::ranges::find(order, command) == order.end()) order.push_back(command);
  }
  Folder const folder;
  std::string script = "cd $work && ln -s " RONDO_SOURCE_DIR "/scenarios " RONDO_SOURCE_DIR "/platforms .\n";
  script += "rondo() { $rondo \"$@\"; }\n";
  script += "printf 'size,lat\\n1,2\\n1024,3\\n1048576,1000\\n4194304,4000\\n' >pingpong.csv\n";
  for (std::string const& command : order) {
    std::string const example = example_of(command);
    ASSERT_TRUE(example.starts_with("rondo " + command)) << command << ": " << example;
    script += example + " >printed || { echo '" + command + "'; exit 1; }\n";
  }
  Ran const ran = shell(script, folder);
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

TEST(Words, are_completed_by_bash) {
  EXPECT_EQ(completed({"rondo", "sch"}), "schema,");
  EXPECT_EQ(completed({"rondo", "run", "--form"}), "--format,");
  EXPECT_EQ(completed({"rondo", "run", "--format", ""}), "table,markdown,csv,jsonl,");
  EXPECT_EQ(completed({"rondo", "export", "--format", "pl"}), "platform,");
  EXPECT_EQ(completed({"rondo", "run", "--output", "a"}), "a b.json,");
  EXPECT_EQ(completed({"rondo", "run", "--quiet", "a"}), "a b.json,");
  EXPECT_EQ(completed({"rondo", "completion", "z"}), "zsh,");
}

TEST(Words, of_the_manual_page_are_no_requests_of_roff_but_those_meant) {
  std::istringstream page(rondo("man").out);
  std::set<std::string> const meant{".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".BI",
                                    ".BR", ".I",  ".RI", ".br", ".nf", ".fi"};
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with('.')) {
      EXPECT_TRUE(meant.contains(line.substr(0, line.find(' ')))) << line;
    }
    EXPECT_FALSE(line.starts_with('\'')) << line;
    EXPECT_FALSE(line.empty());
  }
}

TEST(Words, of_the_version_say_the_commit_of_a_clone) {
  std::string const version = rondo("--version").out;
  EXPECT_TRUE(std::regex_match(version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+(\\+g[0-9a-f]{10,})?(\\.changed)?\n")))
      << version;
}

TEST(LongWords, are_installed_beside_the_program) {
  Folder const folder;
  std::string const prefix = folder.path().string();
  std::string const build = fs::path(RONDO_BINARY).parent_path().string();
  std::string const log = (folder.path() / "log").string();
  ASSERT_EQ(std::system(("flock " + build + "/install.lock cmake --install " + build + " --prefix " + prefix + " >" +
                         log + " 2>&1")
                            .c_str()),
            0)
      << content_of(log);
  EXPECT_EQ(content_of(prefix + "/share/man/man1/rondo.1"), rondo("man").out);
  EXPECT_EQ(content_of(prefix + "/share/bash-completion/completions/rondo"), rondo("completion bash").out);
  EXPECT_EQ(content_of(prefix + "/share/zsh/site-functions/_rondo"), rondo("completion zsh").out);
  EXPECT_EQ(content_of(prefix + "/share/fish/vendor_completions.d/rondo.fish"), rondo("completion fish").out);
  EXPECT_TRUE(fs::exists(prefix + "/share/rondo/scenarios/quickstart.json"));
  std::string const ran =
      prefix + "/bin/rondo run --quiet " + prefix + "/share/rondo/scenarios/quickstart.json >" + log;
  EXPECT_EQ(std::system(ran.c_str()), 0);
}

}  // namespace
}  // namespace rondo::test
