#include "docs/citations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "docs/walk.hpp"

namespace rondo::docs {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

struct File {
  std::string name;  ///< relative to the top folder
  Lines lines;
  std::string ending() const { return fs::path(name).extension().string(); }
};

bool is_text(fs::path const& path) {
  static Names const endings{".cpp", ".hpp", ".h", ".c", ".md", ".json", ".py", ".sh", ".txt", ".cmake"};
  return endings.contains(path.extension().string());
}

/// The files that cite: all but recorded data, which quotes nobody. The tests of this reader cite what is not there.
std::vector<File> read(fs::path const& root) {
  std::vector<File> files;
  auto const add = [&](fs::path const& path) {
    auto const name = fs::relative(path, root).generic_string();
    if (name.starts_with("tests/docs/") || name.starts_with("tests/data/")) return;
    if (is_text(path)) files.push_back({name, lines_of(path)});
  };
  for (char const* folder : {"src", "include", "tests", "scenarios", "docs", "analysis", "platforms", "python"}) {
    if (!fs::exists(root / folder)) continue;
    for (auto const& entry : fs::recursive_directory_iterator(root / folder)) add(entry.path());
  }
  add(root / "README.md");
  std::ranges::sort(files, {}, &File::name);
  return files;
}

/// Calls use(match) for each match in the text.
template <typename Use>
void each(std::string const& text, std::regex const& pattern, Use use) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern); match != std::sregex_iterator(); ++match) {
    use(*match);
  }
}

std::string joined(Lines const& lines) {
  std::string text;
  for (auto const& line : lines) text += line + "\n";
  return text;
}

/// The anchor that GitHub gives a heading: small letters and digits, hyphens for blanks.
std::string anchor(std::string const& heading) {
  std::string result;
  for (char const c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ') {
      result += '-';
    }
  }
  return result;
}

Names anchors_of(Lines const& lines) {
  Names result;
  for (auto const& line : lines) {
    auto const level = line.find_first_not_of('#');
    if (level != 0 && level != std::string::npos && line[level] == ' ') result.insert(anchor(line.substr(level + 1)));
  }
  return result;
}

class Reader {
 public:
  explicit Reader(fs::path const& root) : root_(root), files_(read(root)) {
    auto const references = joined(lines_of(root / "docs/references.md"));
    each(references, std::regex(R"(\*\*\[(\w+)\]\*\*)"), [&](auto const& match) { keys_.insert(match[1]); });
    each(references, std::regex(R"(\(`([^`]+ \d{4})`\))"), [&](auto const& match) { names_.insert(match[1]); });
    read_tests();
  }

  Lines unresolved() {
    for (auto const& file : files_) {
      for (std::size_t i = 0; i < file.lines.size(); ++i) check_line(file, i);
      if (file.ending() == ".json" && file.name.starts_with("scenarios/")) check_scenario(file);
      if (file.name.starts_with("docs/notes")) check_evidence(file);
    }
    std::ranges::sort(found_);
    return found_;
  }

 private:
  void read_tests() {
    static std::regex const test(R"((?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\((\w+),\s*(\w+))");
    static std::regex const mpi_case(R"re(\{"(\w+)",\s*\w+\})re");
    for (auto const& file : files_) {
      if (!file.name.starts_with("tests/")) continue;
      auto const text = joined(file.lines);
      each(text, test, [&](auto const& match) { tests_[file.name].insert(match.str(1) + "." + match.str(2)); });
      if (!file.name.starts_with("tests/mpi/")) continue;
      each(text, mpi_case, [&](auto const& match) { tests_[file.name].insert(match.str(1)); });
    }
  }

  void report(File const& file, std::size_t line, std::string const& what) {
    found_.push_back(fmt::format("{}:{}: {}", file.name, line + 1, what));
  }

  void check_line(File const& file, std::size_t i) {
    static std::regex const key(R"(\[([A-Z][a-z]+\d\d[a-z]?)(?=[\],]))");
    static std::regex const section(R"(\b(docs/[\w/.-]+\.md|README\.md)#([\w-]+))");
    static std::regex const link(R"(\]\(([^)#: ]*)(#[\w-]+)?\))");
    // A folder of the repository or of src/, then a file whose ending says that it is one.
    static std::regex const path(
        R"((?:^|[^\w./<-])((?:src|include|tests|docs|scenarios|platforms|analysis|base|topology|decomposition|problem|schedule|generate|theory|platform|engine|mpi|scenario|run|cli|rondo)/[\w./-]*\w\.(?:cpp|hpp|h|c|md|json|py|sh|cmake|js|txt))\b)");
    // Most lines cite nothing, which is found out sooner without a regular expression.
    auto const& line = file.lines[i];
    bool const has_path = line.find('/') != std::string::npos || line.find("README.md#") != std::string::npos;
    if (!has_path && line.find('[') == std::string::npos) return;
    each(line, key, [&](auto const& match) {
      if (!keys_.contains(match[1])) report(file, i, match.str() + "] is not in docs/references.md");
    });
    each(line, section, [&](auto const& match) { check_section(file, i, match[1], match[2]); });
    if (file.ending() == ".md") each(line, link, [&](auto const& match) { check_link(file, i, match[1], match[2]); });
    // Sources name files of other trees in their strings; there, only what is in comments counts.
    bool const is_code =
        file.ending() == ".cpp" || file.ending() == ".hpp" || file.ending() == ".c" || file.ending() == ".h";
    auto const comment =
        line.find("//") == std::string::npos ? std::min(line.find("/*"), line.find(" * ")) : line.find("//");
    if (!has_path || (is_code && comment == std::string::npos)) return;
    each(is_code ? line.substr(comment) : line, path, [&](auto const& match) { check_path(file, i, match[1]); });
  }

  void check_path(File const& file, std::size_t i, std::string const& path) {
    for (fs::path const& folder : {root_, root_ / "src", root_ / "include", root_ / "tests"}) {
      if (fs::exists(folder / path)) return;
    }
    if (!fs::exists(root_ / fs::path(file.name).parent_path() / path)) report(file, i, path + " is not there");
  }

  void check_section(File const& file, std::size_t i, std::string const& document, std::string const& section) {
    if (!anchors_of(lines_of(root_ / document)).contains(section)) {
      report(file, i, fmt::format("{} has no section #{}", document, section));
    }
  }

  void check_link(File const& file, std::size_t i, std::string const& target, std::string const& section) {
    auto const path = target.empty() ? root_ / file.name : root_ / fs::path(file.name).parent_path() / target;
    if (!fs::exists(path)) {
      report(file, i, target + " is not there");
    } else if (!section.empty() && !anchors_of(lines_of(path)).contains(section.substr(1))) {
      report(file, i,
             fmt::format("{} has no section {}", path.lexically_normal().lexically_relative(root_).string(), section));
    }
  }

  void check_scenario(File const& file) {
    auto const scenario = nlohmann::json::parse(joined(file.lines), nullptr, false);
    if (!scenario.is_object()) return;
    if (scenario.contains("source") && !cites(file, scenario["source"])) {
      report(file, 0,
             fmt::format("the source \"{}\" names no reference and no file", scenario["source"].get<std::string>()));
    }
    for (auto const& claim : scenario.value("expect", nlohmann::json::array())) {
      if (claim.contains("correction") && !notes().contains(file.name)) {
        report(file, 0,
               fmt::format("neither docs/notes.md nor docs/reproduction/ names this scenario, which corrects: {}",
                           claim["correction"].get<std::string>()));
      }
    }
  }

  /// Whether the text names a reference by its key or name, or a file beside this one. Unknown keys are reported
  /// elsewhere, line by line.
  bool cites(File const& file, std::string const& text) const {
    bool found = std::ranges::any_of(names_, [&](auto const& name) { return text.find(name) != std::string::npos; });
    each(text, std::regex(R"(\[(\w+)\])"), [&](auto const& match) { found = found || keys_.contains(match[1]); });
    each(text, std::regex(R"([\w./-]+\.\w+)"), [&](auto const& match) {
      found = found || fs::is_regular_file(root_ / fs::path(file.name).parent_path() / match.str());
    });
    return found;
  }

  /// The paths in backticks of docs/notes.md, its further pages, and those of docs/reproduction/.
  Names const& notes() {
    if (notes_.empty()) {
      for (auto const& page : files_) {
        if (!page.name.starts_with("docs/notes") && !page.name.starts_with("docs/reproduction/")) continue;
        each(joined(page.lines), std::regex("`([\\w/.-]+)`"), [&](auto const& match) { notes_.insert(match[1]); });
      }
    }
    return notes_;
  }

  /// Each paragraph that begins with "Evidence": tests named behind a file must be in that file.
  void check_evidence(File const& file) {
    std::string of;  ///< the last file named
    bool inside = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].starts_with("Evidence")) inside = true;
      if (file.lines[i].empty()) inside = false;
      if (!inside) continue;
      each(file.lines[i], std::regex("`([^`]+)`"), [&](auto const& match) {
        std::string const name = match[1];
        if (name.find('/') != std::string::npos) {
          of = name;
          if (!fs::exists(root_ / of)) report(file, i, of + " is not there");
        } else if (!tests_[of].contains(name)) {
          report(file, i, fmt::format("{} has no test {}", of, name));
        }
      });
    }
  }

  fs::path root_;
  std::vector<File> files_;
  Names keys_, names_, notes_;
  std::map<std::string, Names> tests_;
  Lines found_;
};

}  // namespace

std::vector<std::string> unresolved(fs::path const& root) { return Reader(root).unresolved(); }

}  // namespace rondo::docs
