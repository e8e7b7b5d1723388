// What other projects copy: the jobs for GitHub on docs/ci.md, the one for GitLab and the container's recipe. Their
// commands are run as they stand there, with an apt-get that installs nothing, and on a repository that is like Rondo's
// (a branch main, no tags) but whose launcher builds nothing.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "docs/walk.hpp"
#include "folder.hpp"

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

fs::path const checkout = RONDO_SOURCE_DIR;

std::string const claims_of_a_project = R"({"machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us",
  "bandwidth": "1GBps"}, "collective": {"kind": "allgather", "ranks": 8}, "algorithm": "ring", "block": "1B",
  "engine": "native", "expect": [{"claim": "seven rounds", "that": "ring.rounds == 7"}],
  "sweep": {"/algorithm": ["ring"]}})";

/// One rank has its block already, so nothing is to be sent.
std::string const schedule_of_a_project = R"({"format": "rondo-schedule", "ranks": 1,
  "promise": {"kind": "bcast", "ranks": 1}, "programs": [{"ranks": [0], "buffers": {"send": {"slots": 1}}, "rounds": []}]})";

void write_script(fs::path const& file, std::string const& text) {
  std::ofstream(file) << "#!/bin/bash\n" << text << "\n";
  fs::permissions(file, fs::perms::owner_all);
}

/// A project with claims and schedules of its own, and beside it what its jobs find outside.
class Project : public testing::Test {
 protected:
  void SetUp() override {
    for (char const* each : {"tools", "project/claims", "project/schedules", "origin"})
      fs::create_directories(folder_.path() / each);
    // What apt-get is to install from a file must be there.
    write_script(folder_.path() / "tools/apt-get", R"(for each; do [[ $each != */* || -e $each ]] || exit 1; done)");
    write_script(folder_.path() / "tools/cpack", R"([ "$1" = --config ] && touch "${2%/*}/rondo_0_amd64.deb")");
    std::ofstream(project() / "claims/claim.json") << claims_of_a_project;
    std::ofstream(project() / "schedules/schedule.json") << schedule_of_a_project;
    for (char const* each : {".github", ".ci"}) fs::copy(checkout / each, origin() / each, fs::copy_options::recursive);
    write_script(origin() / "rondo", "mkdir -p build/release; exec '" RONDO_BINARY "' \"$@\"");
    ASSERT_EQ(exit_of_shell("git init -q -b main . && git add . && git -c user.name=a -c user.email=a@b commit -qm a",
                            origin()),
              0)
        << said();
  }

  /// The exit code of a line of shell, what it says is in said().
  [[nodiscard]] int exit_of_shell(std::string const& line, fs::path const& where) const {
    write_script(folder_.path() / "line",
                 "export PATH='" + (folder_.path() / "tools").string() + "':$PATH\n" + variables_ + line);
    std::string const whole = "cd '" + where.string() + "' && bash '" + (folder_.path() / "line").string() + "' >'" +
                              (folder_.path() / "said").string() + "' 2>&1 </dev/null";
    int const status = std::system(whole.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void set(std::string const& name, std::string const& value) { variables_ += "export " + name + "='" + value + "'\n"; }

  [[nodiscard]] std::string said() const {
    std::string text;
    for (auto const& line : lines_of(folder_.path() / "said")) text += line + "\n";
    return text;
  }

  [[nodiscard]] fs::path project() const { return folder_.path() / "project"; }
  [[nodiscard]] fs::path origin() const { return folder_.path() / "origin"; }
  [[nodiscard]] fs::path top() const { return folder_.path(); }

 private:
  test::Folder folder_;
  std::string variables_;
};

/// "{files: claims/, results: r}" as assignments of the variables by which an action hands them to its script.
std::string assignments(std::string const& inputs) {
  static std::regex const input(R"(([a-z-]+): ([^,}]+))");
  std::string result;
  for (std::sregex_iterator each(inputs.begin(), inputs.end(), input); each != std::sregex_iterator(); ++each) {
    for (char const c : (*each)[1].str()) result += c == '-' ? '_' : static_cast<char>(std::toupper(c));
    result += "='" + (*each)[2].str() + "' ";
  }
  return result;
}

/// The commands of the jobs on a page: `run:`, and of an action of ours its script, with its inputs.
Lines commands_of_jobs(Lines const& page) {
  static std::regex const run(R"( +- run: (.+))"), uses(R"( +- uses: \./(\.rondo/\.github/actions/([a-z]+)))"),
      with(R"( +with: (\{.+\}))");
  Lines result;
  std::smatch match;
  for (std::size_t k = 0; k < page.size(); ++k) {
    if (std::regex_match(page[k], match, run)) result.push_back(match[1]);
    if (!std::regex_match(page[k], match, uses)) continue;
    std::string const script = match[1].str() + "/" + match[2].str() + ".sh";
    EXPECT_TRUE(k + 1 < page.size() && std::regex_match(page[k + 1], match, with)) << page[k];
    result.push_back(assignments(match[1]) + script);
  }
  return result;
}

TEST_F(Project, is_checked_and_proved_by_the_jobs_for_github_on_the_page) {
  set("RONDO_URL", origin());
  set("RONDO_COMMIT", "main");
  auto const commands = commands_of_jobs(lines_of(checkout / "docs/ci.md"));
  ASSERT_EQ(commands.size(), 6U);  // two jobs: install git, clone, and the action
  for (auto const& command : commands) {
    if (command.starts_with("git clone")) fs::remove_all(project() / ".rondo");
    EXPECT_EQ(exit_of_shell(command, project()), 0) << command << "\n" << said();
  }
  for (char const* file : {"claims.xml", "claims.jsonl", "proofs.sarif"})
    EXPECT_TRUE(fs::exists(project() / file)) << file;
}

/// The values of the top level's `variables:` in the template for GitLab, and its commands in their order.
struct GitlabJob {
  std::map<std::string, std::string> variables;
  Lines commands;
};

GitlabJob gitlab_job() {
  static std::regex const variable(R"re(  ([A-Z_]+): ("")?([^ ]*).*)re"), command(R"(    - (.+))");
  GitlabJob job;
  std::smatch match;
  for (auto const& line : lines_of(checkout / ".ci/gitlab-check.yml")) {
    if (std::regex_match(line, match, variable)) job.variables[match[1]] = match[3];
    if (std::regex_match(line, match, command)) job.commands.push_back(match[1]);
  }
  return job;
}

TEST_F(Project, is_checked_by_the_job_for_gitlab_at_a_branch_and_at_a_commit) {
  auto job = gitlab_job();
  job.variables.at("RONDO_URL") = origin().string();
  ASSERT_EQ(exit_of_shell("git rev-parse HEAD", origin()), 0);
  std::string const commit = said().substr(0, 40);
  for (std::string const& wanted : {job.variables.at("RONDO_COMMIT"), commit}) {
    job.variables.at("RONDO_COMMIT") = wanted;
    for (auto const& [name, value] : job.variables) set(name, value);
    fs::remove_all(project() / ".rondo");
    ASSERT_EQ(job.commands.size(), 5U);
    for (auto const& command : job.commands)
      EXPECT_EQ(exit_of_shell(command, project()), 0) << command << "\n" << said();
    EXPECT_NE(said().find(R"("verdict":"holds")"), std::string::npos) << said();
    EXPECT_TRUE(fs::exists(project() / "claims.xml"));
  }
}

TEST_F(Project, starts_programs_only_if_it_says_so) {
  std::ofstream(project() / "program.json")
      << R"({"machine": {"topology": {"kind": "ring", "hosts": 2}, "latency": "1us",
    "bandwidth": "1GBps"}, "collective": {"kind": "program", "source": "none.c", "ranks": 2}, "algorithm": "default",
    "block": "1B", "expect": [{"claim": "quick", "that": "time < 1"}]})";
  std::string const script =
      "RONDO='" RONDO_BINARY "' FILES=program.json '" + origin().string() + "/.github/actions/check/check.sh'";
  EXPECT_EQ(exit_of_shell(script, project()), 2);
  EXPECT_NE(said().find("--allow-programs"), std::string::npos) << said();
  EXPECT_EQ(exit_of_shell("ALLOW_PROGRAMS=true " + script, project()), 2);  // there is no such file
  EXPECT_EQ(said().find("--allow-programs"), std::string::npos) << said();
  EXPECT_EQ(exit_of_shell("ALLOW_PROGRAMS=yes " + script, project()), 2);
  EXPECT_EQ(said(), "check.sh: ALLOW_PROGRAMS: expected true or false, got \"yes\"\n");
}

TEST_F(Project, compares_with_records_that_are_slower_or_not) {
  std::string const script =
      "RONDO='" RONDO_BINARY "' FILES=claims/claim.json '" + origin().string() + "/.github/actions/check/check.sh'";
  EXPECT_EQ(exit_of_shell("RESULTS=main.jsonl " + script, project()), 0) << said();
  EXPECT_EQ(exit_of_shell("BASELINE=main.jsonl " + script, project()), 0) << said();
  EXPECT_NE(said().find(": 0 slower, 0 faster, "), std::string::npos) << said();
  // Records of a run that took a tenth of the time.
  EXPECT_EQ(exit_of_shell("sed -E 's/\"time_s\":[-+0-9.e]+/\"time_s\":1e-9/' main.jsonl >was.jsonl", project()), 0);
  EXPECT_EQ(exit_of_shell("BASELINE=was.jsonl " + script, project()), 1) << said();
  EXPECT_NE(said().find("SLOWER"), std::string::npos) << said();
}

/// An instruction of the recipe as shell, with `top` as the folder where everything is; empty for those that run
/// nothing.
std::string as_shell(std::string const& instruction, std::string const& top) {
  static std::regex const absolute(" /"), copy(R"(COPY (--from=build )?(\S+) (\S+))"), run("RUN (.+)");
  std::string const moved = std::regex_replace(instruction, absolute, " " + top + "/");
  std::smatch match;
  if (std::regex_match(moved, match, run)) return match[1];
  if (!std::regex_match(moved, match, copy)) return "";
  return "mkdir -p " + match[3].str() + " && cp -r " + match[2].str() + " " + match[3].str();
}

TEST_F(Project, gets_a_container_whose_recipe_builds_and_installs_the_package) {
  fs::path where = origin();
  int stages = 0;
  std::string last;
  for (auto const& line : lines_of(checkout / "Dockerfile")) {
    if (line.starts_with("FROM debian:12")) ++stages;
    if (line.starts_with("WORKDIR ")) fs::create_directories(where = top() / line.substr(9));
    if (!line.empty()) last = line;
    EXPECT_EQ(exit_of_shell(as_shell(line, top().string()), where), 0) << line << "\n" << said();
    EXPECT_TRUE(!line.starts_with("RUN cpack") || fs::exists(where / "build/release/rondo_0_amd64.deb"));
  }
  EXPECT_EQ(stages, 2);
  EXPECT_EQ(last, R"(ENTRYPOINT ["rondo"])");
}

TEST(Templates, are_named_by_the_page) {
  std::string page;
  for (auto const& line : lines_of(checkout / "docs/ci.md")) page += line + "\n";
  for (char const* file :
       {".github/actions/check/check.sh", ".github/actions/prove/prove.sh", ".ci/gitlab-check.yml", "Dockerfile"}) {
    EXPECT_NE(page.find("`" + std::string(file) + "`"), std::string::npos) << file;
    EXPECT_TRUE(fs::exists(checkout / file)) << file;
  }
}

}  // namespace
}  // namespace rondo::docs
