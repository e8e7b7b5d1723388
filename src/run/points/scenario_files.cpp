// Lists folders.

#include "run/points/scenario_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "scenario/load.hpp"

namespace rondo {
namespace {

/// Every *.json below the folder, in the order of their paths.
std::vector<std::string> json_files(std::string const& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw InputError(fmt::format("{}: expected a folder with scenarios, found no *.json in it", folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

ScenarioFiles scenario_files(std::vector<std::string> const& files_or_folders) {
  ScenarioFiles found;
  for (std::string const& each : files_or_folders) {
    if (!std::filesystem::is_directory(each)) {
      found.scenarios.push_back(each);
      continue;
    }
    std::size_t const before = found.scenarios.size();
    for (std::string& file : json_files(each)) {
      (scenario::holds_machine(file) ? found.machines : found.scenarios).push_back(std::move(file));
    }
    if (found.scenarios.size() == before) {
      throw InputError(fmt::format("{}: expected a folder with scenarios, found machines alone", each));
    }
  }
  return found;
}

}  // namespace rondo
