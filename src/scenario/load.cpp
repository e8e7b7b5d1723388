// Loads scenarios and machines from their files. A machine may stand in the scenario or in a file of its own; the
// content of the file replaces its name here, so that later stages see one document. A file of another kind (a promise,
// records, rules) is refused with the command that takes it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

#include "base/file.hpp"
#include "base/inputs.hpp"
#include "json/pointer.hpp"
#include "scenario/load.hpp"
#include "scenario/named_file.hpp"
#include "scenario/noise.hpp"
#include "scenario/read.hpp"
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

}  // namespace rondo::scenario
