// Checksums and lengths of the files that a scenario names (base/checksum.hpp), under "inputs" of the expanded
// scenario.

#include "scenario/input_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/checksum.hpp"
#include "base/listed.hpp"
#include "base/printable.hpp"
#include "json/pointer.hpp"
#include "platform/simgrid_file.hpp"
#include "scenario/load.hpp"
#include "scenario/promise.hpp"
#include "scenario/read.hpp"
#include "scenario/task_files.hpp"

namespace rondo::scenario {
namespace {

/// The size limit of a file under this key: of a platform, a program, a graph or a schedule.
std::uint64_t most_bytes_of(Tokens const& place, std::string_view key) {
  if (place.front() == "machine") return most_platform_bytes;
  return std::uint64_t{1} << (key == "binary" || key.starts_with("source") ? 30 : 33);
}

/// Appends the promises that lie beside schedules.
void add_promises_beside(std::vector<std::string>& paths) {
  for (std::string const& each : std::vector<std::string>(paths)) {
    std::string const promise = promise_beside(each);
    if (std::filesystem::is_regular_file(promise)) paths.push_back(promise);
  }
}

}  // namespace

/// Adds the checksum of each file from which a graph or a machine is read, so that a record can be reproduced. A stated
/// checksum must be right.
Json with_checksums(Json document, std::string const& file) {
  using Named = std::pair<Tokens, char const*>;  // an object, and its key that names a file
  for (auto const& [place, key] :
       {Named{{"collective", "graph"}, "path"}, Named{{"collective", "pattern"}, "path"},
        Named{{"machine", "topology"}, "path"}, Named{{"collective"}, "source"}, Named{{"collective"}, "sources"},
        Named{{"collective"}, "binary"}, Named{{"collective"}, "schedule"}, Named{{"collective"}, "schedules"}}) {
    Json const* const read = find(document, place);
    if (read == nullptr || !read->contains(key)) continue;
    Json const& name = (*read)[key];
    std::vector<std::string> paths;
    for (auto const& each : name.is_structured() ? name : Json::array({name})) {
      for (std::string& path : files_of_tasks(resolve(folder_of(file), each.get<std::string>()))) {
        paths.push_back(std::move(path));
      }
    }
    if (Json const& promise = read->value("promise", Json()); promise.is_string()) {
      paths.push_back(resolve(folder_of(file), promise.get<std::string>()));
    } else if (promise.is_null() && std::string_view(key).starts_with("schedule")) {
      add_promises_beside(paths);
    }
    auto const is_file = [](std::string const& path) { return std::filesystem::is_regular_file(path); };
    if (!std::ranges::all_of(paths, is_file)) continue;  // refused where it is read
    std::string const found = files_checksum(paths, most_bytes_of(place, key));
    if (read->contains("checksum") && (*read)["checksum"] != found) {
      throw error_at(
          file, child(join(place), "checksum"),
          fmt::format("expected \"{}\", that of {}, got {}", found, shown(name), shown((*read)["checksum"])));
    }
    Json stated = *read;
    stated["checksum"] = found;
    put(document, place, std::move(stated));
  }
  return document;
}

namespace {

/// The name of a file relative to the scenario's folder, so that it does not depend on where Rondo is started.
std::string name_from(std::string const& folder, std::string const& path) {
  std::filesystem::path const name(path);
  bool const both_from_here = name.is_relative() && !std::filesystem::path(folder).is_absolute();
  if (!both_from_here && name.is_relative()) return path;
  std::filesystem::path const from = name.lexically_relative(folder.empty() ? "." : folder);
  return printable(from.empty() ? path : from.lexically_normal().string());
}

std::string state_text(FileState const& state, std::size_t files) {
  std::string const together = files == 1 ? "" : fmt::format(" in {} files", files);
  return fmt::format("{} {}B{}", state.checksum(), state.bytes, together);
}

bool is_there(std::string const& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

/// Adds the states of all inputs. If the document states one itself, as a record does that is run again, it must agree.
Json with_input_states(Json document, Inputs const& inputs, std::string const& file) {
  Json const stated = document.value("inputs", Json::object());
  Json states = Json::object();
  for (std::vector<std::string> const& input : inputs) {
    // A missing file is refused where it is read.
    if (!std::ranges::all_of(input, is_there)) continue;
    std::string const name = name_from(folder_of(file), input.front());
    std::string const found = state_text(state_of(input), input.size());
    if (stated.contains(name) && stated[name] != found) {
      throw error_at(file, child("/inputs", name),
                     fmt::format("expected \"{}\", as the file is, got {}", found, shown(stated[name])));
    }
    states[name] = found;
  }
  document.erase("inputs");
  if (!states.empty()) document["inputs"] = std::move(states);
  return document;
}

}  // namespace rondo::scenario
