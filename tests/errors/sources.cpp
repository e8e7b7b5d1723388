#include "errors/sources.hpp"

#include <algorithm>
#include <regex>

#include "cli/command.hpp"

namespace rondo::test {
namespace {

/// What begins such a statement.
std::regex const& begin() {
  static std::regex const known(
      R"(\b(InputError|error_at|ReadFailure|TuneFailure|refuse\w*|fail|fail_at)\(|\.(error|fail|fail_at)\(|record_?\.error =)");
  return known;
}

std::string without_comments(std::string const& text) {
  return std::regex_replace(text, std::regex("//[^\n\"]*(?=\n)"), "");
}

/// The literal that begins at `at`, as it is read; moves `at` behind it.
std::string literal(std::string const& text, std::size_t& at) {
  std::string value;
  if (text[at] == 'R') {
    std::size_t const end = text.find(")\"", at);
    value = text.substr(at + 3, end - at - 3);
    at = end + 2;
    return value;
  }
  for (++at; text[at] != '"'; ++at) {
    if (text[at] != '\\') {
      value += text[at];
    } else {
      ++at;
      value += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
    }
  }
  ++at;
  return value;
}

/// The parts of a text between what is in braces.
std::vector<std::string> parts_of(std::string const& text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool const doubled = (text[i] == '{' || text[i] == '}') && text.substr(i + 1, 1) == text.substr(i, 1);
    if (text[i] == '{' && !doubled) {
      i = std::min(text.find('}', i), text.size());
      parts.emplace_back();
    } else {
      parts.back() += text[i];
      if (doubled) ++i;
    }
  }
  return parts;
}

bool says_something(std::string const& text) {
  std::string fixed;
  for (std::string const& part : parts_of(text)) fixed += part;
  return fixed.size() >= 9 && fixed.find(' ') != std::string::npos;
}

/// The literals up to the end of the statement that begins at `at`; those that stand side by side are one.
std::vector<std::string> texts_from(std::string const& source, std::size_t& at) {
  std::vector<std::string> texts;
  bool joined = false;
  while (at < source.size() && source[at] != ';' && source[at] != '{') {
    bool const raw = source.compare(at, 3, "R\"(") == 0;
    if (source[at] == '"' || raw) {
      std::string const text = literal(source, at);
      joined ? void(texts.back() += text) : texts.push_back(text);
      joined = true;
      continue;
    }
    if (!std::isspace(static_cast<unsigned char>(source[at]))) joined = false;
    ++at;
  }
  std::erase_if(texts, [](std::string const& text) { return !says_something(text); });
  return texts;
}

void read_source(std::string const& name, std::string const& source, std::vector<ErrorSite>& sites) {
  std::size_t at = 0;
  std::smatch found;
  while (std::regex_search(source.begin() + static_cast<std::ptrdiff_t>(at), source.end(), found, begin())) {
    at += static_cast<std::size_t>(found.position() + found.length());
    auto const line = 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    std::vector<std::string> texts = texts_from(source, at);
    if (!texts.empty()) sites.push_back({name + ":" + std::to_string(line), std::move(texts)});
  }
}

}  // namespace

std::vector<ErrorSite> error_sites(std::filesystem::path const& root) {
  std::vector<std::filesystem::path> files;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(root / "src")) {
    std::string const extension = entry.path().extension().string();
    if (extension == ".cpp" || extension == ".hpp") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<ErrorSite> sites;
  for (auto const& file : files) {
    std::string const name = std::filesystem::relative(file, root).string();
    if (!name.starts_with("src/mpi")) read_source(name, without_comments(content_of(file)), sites);
  }
  return sites;
}

bool holds(std::string const& line, std::string const& text) {
  std::size_t at = 0;
  for (std::string const& part : parts_of(text)) {
    at = line.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
  }
  return true;
}

}  // namespace rondo::test
