// Makes a job of a file of tasks. Its expanded scenario has a machine and no collective; records refer to it like to
// any other.

#include "run/points/task_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "platform/simgrid_file.hpp"
#include "run/families/promised_tasks.hpp"
#include "run/points/prove.hpp"
#include "scenario/input_states.hpp"

namespace rondo {
namespace {

scenario::Engine engine_named(std::optional<std::string> const& name) {
  if (!name) return scenario::Engine::native;
  for (scenario::Engine const engine : {scenario::Engine::native, scenario::Engine::smpi}) {
    if (to_string(engine) == *name) return engine;
  }
  throw InputError(fmt::format("--engine: expected one of \"native\", \"smpi\", got \"{}\"", excerpt(*name)));
}

/// Refuses combinations that otherwise only a run would reject.
void expect_engine_knows(scenario::Engine engine, Platform const& machine) {
  std::string const misfit = scenario::engine_misfit(engine, machine);
  if (!misfit.empty()) throw InputError("--engine: " + misfit);
}

/// The machine as its file states it, with the content of a platform file that it names.
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

/// The tasks of the file, with the promise that is named or that lies beside it.
TaskFile read_tasks(std::string const& file, TaskFormat format, TaskWords const& words, Platform const& machine) {
  bool const has_sizes = format != TaskFormat::msccl;
  if (has_sizes && words.chunk) throw InputError(fmt::format("--chunk: {} says how large its messages are", file));
  if (!has_sizes && !words.chunk) {
    throw InputError(fmt::format("{}: expected --chunk SIZE, the bytes of a chunk, which the file does not say", file));
  }
  std::int64_t const carried = ranks(machine);
  TaskFile tasks = load_tasks(file, format, words.chunk.value_or(Bytes(0)), carried == 0 ? most_file_hosts : carried);
  if (auto const promise = find_promise(file, {}, {.block = words.chunk.value_or(Bytes(1))}, {words.promise})) {
    add_promise(tasks, *promise, file);
  }
  return tasks;
}

/// The scenario that represents the file: in records the file's name takes the place of a collective.
TaskPoint read_point(std::string const& file, TaskFormat format, TaskWords const& words) {
  scenario::Engine const engine = engine_named(words.engine);
  Platform machine = scenario::load_machine(words.machine);
  TaskFile tasks = read_tasks(file, format, words, machine);
  scenario::Json expanded{{key_of(format), printable(file)}, {"checksum", tasks.checksum}};
  if (!tasks.promise_name.empty()) expanded["promise"] = tasks.promise_name;
  if (words.chunk) expanded["chunk"] = words.chunk->value;
  expanded["machine"] = stated_machine(machine, words.machine);
  expanded["engine"] = to_string(engine);
  expect_engine_knows(engine, machine);
  problem::Custom problem{
      .schedule = file, .name = {}, .promise = {}, .ranks = tasks.graph.tasks.ranks(), .block = {}, .collectives = {}};
  return {{.title = {},
           .source = {},
           .machine = std::move(machine),
           .problem = std::move(problem),
           .block = {},
           .engine = engine,
           .expanded = std::move(expanded)},
          TaskPlan{.tasks = std::move(tasks), .prediction = {}, .says_sizes = true}};
}

}  // namespace

Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words) {
  InputsRead const read;
  TaskPoint point = read_point(file, format, words);
  scenario::Inputs inputs = read.inputs();
  // The content of the machine's file is in the record itself, so that it is not an input.
  std::erase_if(inputs, [&](std::vector<std::string> const& input) { return input.front() == words.machine; });
  scenario::Json& expanded = point.scenario.expanded;
  expanded = scenario::with_input_states(std::move(expanded), inputs, "");
  Job job{file, scenario::Sweep(expanded, file), {}};
  job.tasks = std::make_shared<TaskPoint const>(std::move(point));
  return job;
}

}  // namespace rondo
