#include "errors/catalogue.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace rondo::test {
namespace {

bool take(std::string& line, std::string const& word) {
  if (!line.starts_with(word)) return false;
  line.erase(0, word.size());
  return true;
}

void read_line(Entry& entry, std::string& base, std::string line) {
  if (line.starts_with("#")) return;
  if (take(line, "base ")) {
    base = line;
  } else if (line.starts_with("{")) {
    entry.patch = line;
  } else if (take(line, "file ")) {
    std::size_t const end = line.find(' ');
    entry.files.emplace_back(line.substr(0, end), end == std::string::npos ? "" : line.substr(end + 1));
  } else if (take(line, "$ ")) {
    entry.command = line;
  } else if (line.size() > 2 && line[0] >= '0' && line[0] <= '9' && entry.line.empty()) {
    entry.line = line;
  } else {
    throw std::runtime_error(entry.place + ": no line of an entry: " + line);
  }
}

void read_file(std::filesystem::path const& file, std::vector<Entry>& entries) {
  std::ifstream stream(file, std::ios::binary);
  std::string base = "isomorphic", line;
  Entry entry;
  bool begun = false;
  auto const end = [&] {
    entry.base = base;
    if (!entry.line.empty() || !entry.patch.empty() || !entry.command.empty()) entries.push_back(entry);
    entry = {};
    begun = false;
  };
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) {
      end();
      continue;
    }
    if (!begun) entry.place = file.filename().string() + ":" + std::to_string(number);
    begun = true;
    read_line(entry, base, line);
  }
  end();
}

}  // namespace

std::vector<Entry> read_catalogue(std::filesystem::path const& folder) {
  std::vector<std::filesystem::path> files;
  for (auto const& each : std::filesystem::directory_iterator(folder)) {
    if (each.path().extension() == ".txt") files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Entry> entries;
  for (auto const& file : files) read_file(file, entries);
  return entries;
}

}  // namespace rondo::test
