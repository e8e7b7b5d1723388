#pragma once

// The scenario files that a command line names, by themselves or by their folders.

#include <string>
#include <vector>

namespace rondo {

/// The files that a command gets as arguments, after its folders are listed.
struct ScenarioFiles {
  std::vector<std::string> scenarios;
  std::vector<std::string> machines;  ///< files of the folders that describe a machine alone
};

/// The files themselves, and all *.json below the folders in the order of their paths. Throws InputError for a folder
/// without a scenario, and for a file in one that is no JSON.
ScenarioFiles scenario_files(std::vector<std::string> const& files_or_folders);

}  // namespace rondo
