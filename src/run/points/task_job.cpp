// Makes a job of a file of tasks. Its point is a custom problem that is read already. The expanded scenario in its
// record has the file's name in the place of a collective.

#include "run/points/task_job.hpp"

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

/// Refuses options that a file of tasks needs and lacks, or has and does not need.
void expect_words(std::string const& file, TaskFormat format, TaskWords const& words, Overrides const& overrides) {
  if (words.machine.empty()) {
    throw InputError(fmt::format("{}: expected --machine FILE, the machine that runs it", file));
  }
  if (!overrides.sets.empty()) {
    throw InputError(fmt::format("{}: --set changes a scenario, and this file holds {}", file, title(format)));
  }
}

scenario::Engine engine_of(Overrides const& overrides) {
  if (!overrides.engine) return scenario::Engine::native;
  if (auto const engine = rondo::value_of<scenario::Engine>(*overrides.engine)) return *engine;
  throw InputError(
      fmt::format("--engine: expected one of \"native\", \"smpi\", got \"{}\"", excerpt(*overrides.engine)));
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

Job load_task_job(std::string const& file, TaskFormat format, TaskWords const& words, Overrides const& overrides) {
  InputsRead const read;
  expect_words(file, format, words, overrides);
  scenario::Engine const engine = engine_of(overrides);
  Platform const machine = scenario::load_machine(words.machine);
  std::optional<Bytes> const chunk = chunk_of(file, format, words.chunk);
  std::int64_t const carried = ranks(machine);
  TaskFile tasks = load_tasks(file, format, chunk.value_or(Bytes(0)), carried == 0 ? most_file_hosts : carried);
  if (auto const promise = find_promise(file, {}, {.block = chunk.value_or(Bytes(1))}, {words.promise})) {
    add_promise(tasks, *promise, file);
  }
  std::string const misfit = scenario::engine_misfit(engine, machine);
  if (!misfit.empty()) throw InputError("--engine: " + misfit);

  scenario::Json expanded{{key_of(format), printable(file)}, {"checksum", tasks.checksum}};
  if (!tasks.promise_name.empty()) expanded["promise"] = tasks.promise_name;
  if (chunk) expanded["chunk"] = chunk->value;
  expanded["machine"] = stated_machine(machine, words.machine);
  expanded["engine"] = to_string(engine);
  // The content of the machine's file is in the record itself, so that it is not an input.
  scenario::Inputs inputs = read.inputs();
  std::erase_if(inputs, [&](std::vector<std::string> const& input) { return input.front() == words.machine; });
  expanded = scenario::with_input_states(std::move(expanded), inputs, "");

  Job job{file, scenario::Sweep(expanded, file), {}};
  job.remarks.machine = remarks_on_machine(words.machine, machine);
  job.read.push_back(std::make_shared<scenario::Scenario const>(scenario::Scenario{
      .title = {},
      .source = {},
      .machine = machine,
      .problem = problem::Custom{.schedule = file, .name = {}, .promise = {}, .ranks = tasks.graph.tasks.ranks()},
      .block = {},
      .engine = engine,
      .expanded = std::move(expanded),
      .inputs = std::move(inputs)}));
  Prediction nothing;
  nothing.links.reset();
  job.plan = std::make_shared<Plan const>(
      TaskPlan{.tasks = std::move(tasks), .prediction = std::move(nothing), .says_sizes = true});
  return job;
}

}  // namespace rondo
