// The check that a scenario may read a file (named_file.hpp). Paths are compared after all symbolic links are followed.

#include "scenario/named_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/inputs.hpp"
#include "base/permissions.hpp"
#include "base/places.hpp"
#include "scenario/load.hpp"

namespace rondo::scenario {
namespace {

namespace fs = std::filesystem;

/// Whether a path lies below a folder; both must be free of links and dots.
bool lies_below(fs::path const& path, fs::path const& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The path after all links have been followed. Parts that do not exist stay as they are.
fs::path real(fs::path const& path) {
  std::error_code error;
  fs::path const result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path() : result;
}

/// The folders of the data that comes with Rondo: the installed ones beside this program, and those of the build.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  for (fs::path const& data : {places::prefix() / places::installed_data, fs::path(places::built_data)}) {
    for (char const* each : {"platforms", "scenarios"}) folders.push_back(data / each);
  }
  return folders;
}

InputError not_permitted(Place const& name, std::string_view what) {
  return name.error(fmt::format(
      "expected a {} below the scenario's folder, or below that of --allow-path DIR, where links lead too, got {}",
      what, shown(name.value)));
}

}  // namespace

/// Whether the file lies below the scenario's folder, a folder of --allow-path, or a folder that comes with Rondo.
bool is_permitted(std::string const& path, std::string const& scenario) {
  std::vector<fs::path> folders = own_folders();
  folders.emplace_back(fs::path(scenario).parent_path());
  for (std::string const& each : permissions().folders) folders.emplace_back(each);
  fs::path const file = real(path);
  return !file.empty() && std::any_of(folders.begin(), folders.end(), [&](fs::path const& folder) {
    fs::path const base = real(folder.empty() ? "." : folder);
    return !base.empty() && lies_below(file, base);
  });
}

std::string named_file(Place const& name) {
  std::string path = resolve(folder_of(name.file), name.text());
  if (!is_permitted(path, name.file)) throw not_permitted(name, "file");
  note_input(path);
  return path;
}

void expect_permitted_path(Place const& name, std::string const& path, std::string_view what) {
  if (!is_permitted((fs::path(folder_of(name.file)) / path).string(), name.file)) throw not_permitted(name, what);
}

}  // namespace rondo::scenario
