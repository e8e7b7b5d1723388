// Reads a file of tasks with its machine and its promise. The point is a custom problem that says how large its
// messages are.

#include "run/points/task_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "platform/simgrid_file.hpp"
#include "run/families/promises.hpp"
#include "run/points/prove.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/load.hpp"

namespace rondo {
namespace {

scenario::Engine engine_of(scenario::Json const& document) {
  scenario::Json const& stated = document["engine"];
  std::string const name = stated.is_string() ? stated.get<std::string>() : stated.dump();
  if (auto const engine = rondo::value_of<scenario::Engine>(name)) return *engine;
  throw InputError(fmt::format("--engine: expected one of \"native\", \"smpi\", got \"{}\"", excerpt(name)));
}

/// The size of a chunk. It must be stated if the format does not say how large messages are, and only then.
std::optional<Bytes> chunk_of(std::string const& file, TaskFormat format, std::string const& stated) {
  bool const has_sizes = format != TaskFormat::msccl;
  if (stated.empty()) {
    if (has_sizes) return std::nullopt;
    throw InputError(fmt::format("{}: expected --chunk SIZE, the bytes of a chunk, which the file does not say", file));
  }
  if (has_sizes) throw InputError(fmt::format("--chunk: {} says how large its messages are", file));
  try {
    return parse_bytes(stated);
  } catch (InputError const& error) {
    throw InputError(fmt::format("--chunk: {}", error.what()));
  }
}

/// The machine as its file states it, with the checksum of a platform file that it names.
scenario::Json stated_machine(Platform const& machine, std::string const& file) {
  scenario::Json stated = scenario::load_json(file);
  auto const* platform = std::get_if<PlatformFile>(&machine.topology);
  if (platform != nullptr) stated["topology"]["checksum"] = file_checksum(platform->path, most_platform_bytes);
  return stated;
}

/// The key under which records name the file.
char const* key_of(TaskFormat format) {
  switch (format) {
    case TaskFormat::goal:
      return "goal";
    case TaskFormat::msccl:
      return "msccl";
    case TaskFormat::chakra:
      return "chakra";
  }
  return "";
}

}  // namespace

scenario::Document document_of_tasks(std::string const& file, TaskFormat format, TaskWords const& words) {
  if (words.machine.empty()) {
    throw InputError(fmt::format("{}: expected --machine FILE, the machine that runs it", file));
  }
  scenario::Json json{{key_of(format), printable(file)}};
  if (!words.chunk.empty()) json["chunk"] = words.chunk;
  if (!words.promise.empty()) json["promise"] = words.promise;
  json["machine_file"] = words.machine;
  json["engine"] = "native";
  return {std::move(json), true};
}

bool is_of_tasks(scenario::Json const& document, std::string const& file) {
  auto const format = task_format(file);
  return format && document.contains(key_of(*format));
}

ReadPoint read_tasks(scenario::Json const& document, std::string const& file) {
  InputsRead const read;
  TaskFormat const format = task_format(file).value();
  scenario::Engine const engine = engine_of(document);
  auto const machine_file = document["machine_file"].get<std::string>();
  Platform const machine = scenario::load_machine(machine_file);
  std::optional<Bytes> const chunk = chunk_of(file, format, document.value("chunk", ""));
  std::int64_t const carried = ranks(machine);
  TaskFile tasks = load_tasks(file, format, chunk.value_or(Bytes(0)), carried == 0 ? most_file_hosts : carried);
  auto const promise = find_promise(file, {}, {.block = chunk.value_or(Bytes(1))}, {document.value("promise", "")});
  if (promise) add_promise(tasks, *promise, file);
  std::string const misfit = scenario::engine_misfit(engine, machine);
  if (!misfit.empty()) throw InputError("--engine: " + misfit);

  scenario::Json expanded{{key_of(format), printable(file)}, {"checksum", tasks.checksum}};
  if (!tasks.promise_name.empty()) expanded["promise"] = tasks.promise_name;
  if (chunk) expanded["chunk"] = chunk->value;
  expanded["machine"] = stated_machine(machine, machine_file);
  expanded["engine"] = to_string(engine);
  // The content of the machine's file is in the record itself, so that it is not an input.
  scenario::Inputs inputs = read.inputs();
  std::erase_if(inputs, [&](std::vector<std::string> const& input) { return input.front() == machine_file; });
  expanded = scenario::with_input_states(std::move(expanded), inputs, "");

  Prediction nothing;
  nothing.links.reset();
  int const p = tasks.graph.tasks.ranks();
  return {{.title = {},
           .source = {},
           .machine = machine,
           .problem = problem::Custom{.schedule = file, .name = {}, .promise = {}, .ranks = p},
           .block = {},
           .engine = engine,
           .expanded = std::move(expanded),
           .inputs = std::move(inputs)},
          std::make_shared<Plan const>(
              TaskPlan{.tasks = std::move(tasks), .prediction = std::move(nothing), .says_sizes = true})};
}

}  // namespace rondo
