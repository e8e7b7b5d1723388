// Scans sources for the names of other files (included_files.hpp), breadth first.

#include "base/included_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

std::string folded_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Whether a line may name a file, because it contains a directive, possibly in a comment.
bool may_name(std::string_view line) {
  constexpr std::array<std::string_view, 6> signs = {"#", "%:", "?\?=", "include", "incbin", "import"};
  std::string const folded = folded_case(line);
  return std::ranges::any_of(signs, [&](std::string_view sign) { return folded.find(sign) != std::string::npos; });
}

/// Every text between two such marks, including overlapping ones.
void add_between(std::string_view line, char open, char close, std::vector<std::string>& names) {
  for (std::size_t position = line.find(open); position != line.npos; position = line.find(open, position + 1)) {
    std::size_t const end = line.find(close, position + 1);
    if (end == line.npos) return;
    std::string_view name = line.substr(position + 1, end - position - 1);
    if (name.ends_with('\\')) name.remove_suffix(1);  // a quote in a string, as in asm(".incbin \"table\"")
    if (!name.empty()) names.emplace_back(name);
  }
}

void add_quoted(std::string_view line, std::vector<std::string>& names) {
  add_between(line, '"', '"', names);
  add_between(line, '\'', '\'', names);
  add_between(line, '<', '>', names);
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `use, intrinsic :: grids` reads grids.mod, unless the sources produce it.
void add_modules(std::string_view line, std::vector<std::string>& names) {
  std::string const folded = folded_case(line);
  std::size_t const first = folded.find_first_not_of(" \t");
  if (first == std::string::npos || folded.compare(first, 3, "use") != 0) return;
  std::string word;
  for (char const c : folded.substr(first + 3) + ' ') {
    if (is_of_name(c)) {
      word += c;
    } else if (!word.empty()) {
      names.push_back(std::exchange(word, {}) + ".mod");
    }
  }
}

/// The lines of a text. A line that ends in a backslash is joined with the next one.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines(1);
  for (char const c : text) {
    bool const ends = c == '\n';
    if (!ends) {
      if (c != '\r') lines.back() += c;
    } else if (lines.back().ends_with('\\')) {
      lines.back().pop_back();
    } else {
      lines.emplace_back();
    }
  }
  return lines;
}

/// The names that the lines of a text may include.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::string const& line : lines_of(text)) {
    if (may_name(line)) add_quoted(line, names);
    add_modules(line, names);
  }
  return names;
}

/// Finds files breadth-first, starting with the sources and the flags.
class Scan {
 public:
  Scan(ScanInput const& sources, std::function<bool(std::string const&)> const& counts)
      : counts_(counts), folders_{sources.folder} {
    for (std::string const& flag : sources.flags) {
      if (flag.starts_with("-I")) folders_.push_back((fs::path(sources.folder) / flag.substr(2)).string());
    }
    for (std::string const& path : sources.paths) met_.insert(normal(path));
    add_of_flags(sources);
    for (std::string const& path : sources.paths) waiting_.push_back(path);
  }

  std::vector<std::string> result() && {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      std::string const path = waiting_[i];
      for (std::string const& name : names_in(content(path))) look_for(name, path);
    }
    return std::move(found_);
  }

 private:
  static std::string normal(fs::path const& path) { return path.lexically_normal().string(); }

  static bool is_file(fs::path const& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }

  static std::string content(std::string const& path) {
    std::string text;
    if (is_file(path))
      read_pieces(
          path, [&](std::string_view piece) { text += piece; }, most_bytes);
    return text;
  }

  /// Adds the files that flags name: -include, macros with names, and libraries.
  void add_of_flags(ScanInput const& sources) {
    for (std::size_t i = 0; i < sources.flags.size(); ++i) {
      std::string const& flag = sources.flags[i];
      if (flag == "-include" && i + 1 < sources.flags.size()) look_for(sources.flags[i + 1], {});
      std::vector<std::string> names;
      if (flag.starts_with("-D")) add_quoted(flag, names);
      for (std::string const& name : names) look_for(name, {});
      if (flag.starts_with("-l")) add_library(sources, flag.substr(2));
    }
  }

  void add_library(ScanInput const& sources, std::string const& name) {
    for (std::string const& flag : sources.flags) {
      if (!flag.starts_with("-L")) continue;
      fs::path const folder = fs::path(sources.folder) / flag.substr(2);
      for (char const* ending : {".so", ".a"}) add(folder / ("lib" + name + ending), Names::none);
    }
  }

  void look_for(std::string const& name, std::string const& beside) {
    if (name.find('\0') != std::string::npos) return;
    if (!beside.empty()) add(fs::path(beside).parent_path() / name, Names::more);
    for (std::string const& folder : folders_) add(fs::path(folder) / name, Names::more);
  }

  enum class Names : std::uint8_t { none, more };

  void add(fs::path const& path, Names names) {
    std::string const file = normal(path);
    if (met_.contains(file) || !is_file(file) || !counts_(file)) return;
    met_.insert(file);
    found_.push_back(file);
    if (names == Names::more) waiting_.push_back(file);
  }

  std::function<bool(std::string const&)> const& counts_;
  std::vector<std::string> folders_;
  std::set<std::string> met_;
  std::vector<std::string> found_, waiting_;
};

}  // namespace

std::vector<std::string> included_files(ScanInput const& sources,
                                        std::function<bool(std::string const&)> const& counts) {
  return Scan(sources, counts).result();
}

}  // namespace rondo
