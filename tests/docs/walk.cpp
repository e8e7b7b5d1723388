#include "docs/walk.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <regex>
#include <sstream>

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prompt = "$ ";

struct Ran {
  Lines printed;
  int status = 0;
};

/// The commands of a console block, each with what it prints.
void add_commands(Lines const& block, int line, std::string const& needs, std::vector<Step>& steps) {
  for (auto const& text : block) {
    ++line;
    if (text.starts_with(prompt)) {
      steps.push_back({line, "", text.substr(prompt.size()), {}, needs});
    } else if (!steps.empty()) {
      steps.back().text.push_back(text);
    }
  }
}

Ran run(std::string const& words, fs::path const& folder) {
  std::string const shell = fmt::format("cd '{}' && PATH=\"$PWD:$PATH\" NO_COLOR=1 bash -c '{}' 2>&1 </dev/null",
                                        folder.string(), std::regex_replace(words, std::regex("'"), "'\\''"));
  Ran result;
  FILE* const pipe = popen(shell.c_str(), "r");
  if (pipe == nullptr) return {{"no shell"}, 1};
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  int const status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.printed.push_back(line);
  return result;
}

/// What is missing or otherwise in the output of a command.
Lines complaints(Step const& step, Ran const& ran) {
  Lines result;
  if (ran.status != 0) result.push_back(fmt::format("line {}: {}: exit code {}", step.line, step.words, ran.status));
  if (printed_as(step.text, ran.printed)) return result;
  result.push_back(fmt::format("line {}: {}: printed", step.line, step.words));
  result.insert(result.end(), ran.printed.begin(), ran.printed.end());
  return result;
}

void write(Step const& step, fs::path const& folder) {
  fs::create_directories((folder / step.file).parent_path());
  std::ofstream out(folder / step.file);
  for (auto const& line : step.text) out << line << "\n";
}

}  // namespace

std::vector<Step> steps_of(Lines const& page) {
  static std::regex const titled(R"re(^```.*title="([^"]+)".*)re");
  static std::regex const needing(R"re(^<!-- needs (.+) -->$)re");
  std::vector<Step> steps;
  std::string needs;
  for (std::size_t k = 0; k < page.size(); ++k) {
    if (std::smatch needed; std::regex_match(page[k], needed, needing)) {
      needs = needed[1];
    }
    if (!page[k].starts_with("```")) continue;
    std::size_t const begin = k + 1;
    for (++k; k < page.size() && page[k] != "```";) ++k;
    Lines const block(page.begin() + static_cast<std::ptrdiff_t>(begin),
                      page.begin() + static_cast<std::ptrdiff_t>(std::min(k, page.size())));
    std::smatch match;
    if (std::regex_match(page[begin - 1], match, titled)) {
      steps.push_back({static_cast<int>(begin), match[1], "", block, ""});
    } else if (page[begin - 1] == "```console") {
      add_commands(block, static_cast<int>(begin), needs, steps);
    }
    needs.clear();
  }
  return steps;
}

bool printed_as(Lines const& expected, Lines const& printed) {
  // The places in `printed` at which the expected lines read so far may end.
  std::vector<bool> ends(printed.size() + 1, false);
  ends[0] = true;
  for (auto const& line : expected) {
    std::vector<bool> next(ends.size(), false);
    bool const any = line == "...";
    bool before = false;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      before = before || ends[k];
      if (any) next[k] = before;
      if (!any && k > 0) next[k] = ends[k - 1] && printed[k - 1] == line;
    }
    ends = std::move(next);
  }
  return ends.back();
}

Lines walk(std::vector<Step> const& steps, fs::path const& folder, fs::path const& program) {
  fs::create_symlink(program, folder / "rondo");
  for (char const* wrapper : {"rondo-cc", "rondo-cxx", "rondo-fc"}) {
    fs::create_symlink(program.parent_path() / wrapper, folder / wrapper);
  }
  Lines result;
  for (auto const& step : steps) {
    if (!step.file.empty()) {
      write(step, folder);
      continue;
    }
    if (!step.needs.empty() &&
        run("for each in " + step.needs + "; do command -v $each || exit 1; done", folder).status != 0)
      continue;
    Lines const more = complaints(step, run(step.words, folder));
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

Lines lines_of(fs::path const& file) {
  Lines result;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

}  // namespace rondo::docs
