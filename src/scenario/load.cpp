// Loads scenarios and machines from their files. A machine may stand in the scenario or in a file of its own; the
// content of the file replaces its name here, so that later stages see one document. A file of another kind (a
// promise, records, rules) is refused with the command that takes it. Checksums and lengths of the files that a
// scenario names (base/file.hpp) stand under "inputs" of the expanded scenario.

#include "scenario/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "json/pointer.hpp"
#include "platform/simgrid_file.hpp"
#include "scenario/arrival_and_noise.hpp"
#include "scenario/permitted_input.hpp"
#include "scenario/promise.hpp"
#include "scenario/read.hpp"
#include "scenario/task_files.hpp"
#include "scenario/validate.hpp"

namespace rondo::scenario {
namespace {

bool has_keys(Json const& document, std::initializer_list<char const*> keys) {
  return document.is_object() && std::ranges::all_of(keys, [&](char const* key) { return document.contains(key); });
}

/// Refuses a file whose name says that it contains something else than JSON.
void expect_json_by_name(std::string_view text, std::string const& name) {
  std::size_t const begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] == '{') return;
  constexpr char const* program = "a program, which a scenario of the kind program names as \"source\"";
  static std::vector<std::pair<char const*, char const*>> const contents{
      {".md", "a page of Markdown"},
      {".html", "a page of HTML"},
      {".yaml", "YAML"},
      {".yml", "YAML"},
      {".c", program},
      {".cc", program},
      {".cpp", program},
      {".f90", program},
      {".csv", "CSV; rondo report, rondo merge and rondo check --results take records"}};
  for (auto const& [ending, content] : contents) {
    if (name.ends_with(ending)) throw InputError(fmt::format("{}: expected JSON, got {}", name, content));
  }
}

/// Whether a document is a machine in a file of its own, or tries to be one; a scenario has a machine instead.
bool is_machine(Json const& document) {
  return document.is_object() && document.contains("topology") && !document.contains("machine");
}

}  // namespace

std::string other_kind(Json const& document) {
  if (has_keys(document, {"machine", "collective"})) return "a scenario, which rondo run and rondo check take";
  bool const is_format = has_keys(document, {"format"});
  if (is_format && document["format"] == "rondo-promise") return "a promise, which rondo prove --promise takes";
  if (has_keys(document, {"ranks", "programs"}) || (is_format && document["format"] == "rondo-schedule"))
    return "a schedule, which rondo prove takes, and which a scenario of the kind custom names as \"schedule\"";
  if (has_keys(document, {"scenario", "expanded"})) return "records, which rondo report and check --results take";
  if (has_keys(document, {"decisions"})) return "decisions of rondo tune, which rondo merge takes";
  if (has_keys(document, {"collectives"})) return "rules of Open MPI, which rondo check-rules takes";
  return is_machine(document) ? "a machine, which scenarios and --machine name" : "";
}

namespace {

/// {"machine": the content of the file}, checked against the schema.
Json wrapped_machine(std::string const& file) {
  Json wrapped = Json::object();
  wrapped["machine"] = load_json(file);
  if (!wrapped["machine"].is_object()) throw error_at(file, "", "expected an object, got " + shown(wrapped["machine"]));
  if (!is_machine(wrapped["machine"])) {
    std::string const other = other_kind(wrapped["machine"]);
    if (!other.empty()) throw InputError(fmt::format("{}: expected a machine, got {}", file, other));
  }
  validate(wrapped, file, Extent::part, "/machine");
  return wrapped;
}

}  // namespace

Json load_json(std::string const& file) {
  note_input(file);
  return parse_json(read_file(file, largest_file), file);
}

std::string folder_of(std::string const& file) { return std::filesystem::path(file).parent_path().string(); }

std::string resolve(std::string const& folder, std::string const& name) {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

void inline_machine(Json& document, std::string const& scenario) {
  if (!document.is_object() || !document.contains("machine") || !document["machine"].is_string()) return;
  auto const name = document["machine"].get<std::string>();
  std::string const file =
      scenario == command_line ? resolve("", name) : named_file({document["machine"], scenario, "/machine"});
  std::error_code ignored;
  if (name.empty() || !std::filesystem::exists(file, ignored)) {
    throw error_at(scenario, "/machine",
                   fmt::format("expected an object, or the name of a file that holds one, got {}: no such file{}",
                               shown(document["machine"]), nearest_file(file)));
  }
  Json wrapped = wrapped_machine(file);
  std::vector<Tokens> paths{{"machine", "topology", "path"}};
  for (char const* key : {"cpu", "compute", "latency"}) paths.push_back({"machine", "noise", key, "path"});
  for (Tokens const& place : paths) {
    if (Json const* path = find(wrapped, place))
      put(wrapped, place, resolve(folder_of(name), path->get<std::string>()));
  }
  document["machine"] = std::move(wrapped["machine"]);
}

bool holds_machine(std::string const& file) { return is_machine(load_json(file)); }

Platform load_machine(std::string const& file) {
  Json const wrapped = wrapped_machine(file);
  return read_machine({wrapped["machine"], file, ""});
}

Document load_text(std::string_view text, std::string const& name) {
  expect_json_by_name(text, name);
  Json document = parse_json(text, name);
  if (!document.is_object())
    throw error_at(name, "", "expected an object that describes a scenario, got " + shown(document));
  // Without this the first error would be that "topology" is an unknown key.
  if (is_machine(document) && !document.contains("collective")) {
    throw InputError(fmt::format("{}: expected a scenario, got a machine, which scenarios name: \"machine\": \"{}\"",
                                 name, std::filesystem::path(name).filename().string()));
  }
  if (!document.contains("machine") || document.contains("programs")) {
    std::string const other = other_kind(document);
    if (!other.empty()) throw InputError(fmt::format("{}: expected a scenario, got {}", name, other));
  }
  bool const names_machine = document.contains("machine") && document["machine"].is_string();
  inline_machine(document, name);
  return {std::move(document), names_machine};
}

Document load_document(std::string const& file) {
  note_input(file);
  return load_text(read_file(file, largest_file), file);
}

Json load(std::string const& file) { return load_document(file).json; }

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
