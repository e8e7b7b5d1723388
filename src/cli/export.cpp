// `rondo export`: writes the machine, the schedule or the simulated run of a point in formats of other programs. Each
// format is a row of a table and a function that writes to a sink, so that large outputs are never in memory as a
// whole.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/time_limit.hpp"
#include "process/say.hpp"
#include "run/families/plan.hpp"
#include "run/output/trace.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/export.hpp"
#include "run/points/run_tasks.hpp"
#include "run/points/simulate.hpp"
#include "run/points/traffic.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::cli {
namespace {

/// A format and its writer.
struct ExportArguments {
  std::string file;
  std::string format;
  OutputFile output;
  std::size_t point = 1;
  PointArguments points;
};

/// Writes the machine of a point, or the machine that is the whole file.
void write_platform(ExportArguments const& arguments, TextSink const& sink) {
  if (scenario::holds_machine(arguments.file)) {
    if (!arguments.points.overrides.sets.empty()) {
      throw InputError(fmt::format("{}: --set changes a scenario, and this file holds a machine", arguments.file));
    }
    return sink(to_simgrid_xml(scenario::load_machine(arguments.file)));
  }
  sink(to_simgrid_xml(chosen_point(arguments.file, arguments.point, arguments.points).machine));
}

/// Writes Rondo's own format (schedule/file). An invalid schedule is refused, because the file would carry a promise
/// that it does not keep.
void write_json(ExportArguments const& arguments, TextSink const& sink) {
  auto const point = chosen_point(arguments.file, arguments.point, arguments.points);
  Plan const plan = plan_of(point, arguments.file);
  SchedulePlan const& chosen = schedule_plan(plan, arguments.file);
  expect_valid(chosen, point, arguments.file);
  write_schedule(export_schedule(chosen, point), sink);
}

/// Writes a point by a function of run/points/export.hpp.
template <void (*Write)(scenario::Scenario const&, std::string const&, TextSink const&)>
void write_point(ExportArguments const& arguments, TextSink const& sink) {
  Write(chosen_point(arguments.file, arguments.point, arguments.points), arguments.file, sink);
}

/// Writes the messages of a simulated run as trace events, which browsers and Perfetto display.
void write_trace(ExportArguments const& arguments, TextSink const& sink) {
  auto const point = chosen_point(arguments.file, arguments.point, arguments.points);
  Timeline const timeline = timeline_of(plan_of(point, arguments.file), point, arguments.file, most_traced_messages);
  rondo::write_trace(timeline, point.title, sink);
}

/// Writes the bytes over each link. The routes of "ugal" depend on the load at run time, so they are not known here.
void write_links(ExportArguments const& arguments, TextSink const& sink) {
  auto const point = chosen_point(arguments.file, arguments.point, arguments.points);
  Plan const plan = plan_of(point, arguments.file);
  bool const runs = std::holds_alternative<ProgramPlan>(plan);
  LinkLoads const loads = runs ? link_loads(run_of(plan, point, arguments.file), point.machine)
                               : link_loads(plan, point.machine, arguments.file);
  if (point.machine.routing.rule == RoutingRule::ugal) {
    throw InputError(arguments.file +
                     ": /machine/routing: expected one whose routes are known before messages start, got \"ugal\"");
  }
  if (loads.links.empty()) {
    throw InputError(arguments.file +
                     ": /machine/topology: expected one with links between routers that are known without "
                     "SimGrid, got " +
                     point.expanded["machine"]["topology"]["kind"].dump());
  }
  sink(links_csv(loads));
}

struct Export {
  char const* name;
  void (*write)(ExportArguments const&, TextSink const&);
};

constexpr std::array formats = {Export{"platform", write_platform},
                                Export{"json", write_json},
                                Export{"goal", write_point<write_goal>},
                                Export{"goal_binary", write_point<write_goal_binary>},
                                Export{"msccl", write_point<write_msccl>},
                                Export{"trace", write_trace},
                                Export{"links", write_links}};

std::string names() {
  std::string result;
  for (Export const& format : formats) result += fmt::format("{}{}", result.empty() ? "" : ", ", format.name);
  return result;
}

int write_out(Export const& format, ExportArguments const& arguments) {
  TimeLimit const limited = point_limit(arguments.points.options().timeout, arguments.file);
  note_input(arguments.file);
  arguments.output.expect_writable();
  if (arguments.output.path.empty()) {
    format.write(arguments, [](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stdout); });
  } else {
    write_atomically(
        arguments.output.path, [&](TextSink const& sink) { format.write(arguments, sink); }, arguments.output.force);
  }
  return fine;
}

int export_file(ExportArguments const& arguments) {
  arguments.points.permit();
  auto const format = std::find_if(formats.begin(), formats.end(),
                                   [&](Export const& candidate) { return arguments.format == candidate.name; });
  if (format == formats.end()) {
    throw InputError(fmt::format("--format: expected one of {}, got {}", names(), excerpt(arguments.format)));
  }
  try {
    return write_out(*format, arguments);
  } catch (NoRun const& why) {
    say("{}\n", printable(why.what()));
    return failed_point;
  }
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "write the machine, the schedule or the run of a point for other programs");
  command->add_option("FILE", arguments->file, "a scenario file; with --format platform also the file of a machine")
      ->required();
  command
      ->add_option("--format", arguments->format,
                   "platform: the machine as SimGrid XML; json: the schedule; goal: the schedule as GOAL text; "
                   "goal_binary: in LogGOPSim's binary form; msccl: "
                   "as MSCCL XML; trace: "
                   "the simulated run as Chrome trace events; links: the bytes over each link of the topology as CSV")
      ->type_name("platform|json|goal|goal_binary|msccl|trace|links")
      ->required();
  add_output_options(*command, arguments->output);
  command->add_option("--point", arguments->point, "the number of the point in the sweep")->capture_default_str();
  command
      ->add_option("--timeout", arguments->points.timeout,
                   "the real time that the command may take, such as 60s; no limit by default")
      ->type_name("TIME");
  add_overrides(*command, arguments->points);
  command->callback([arguments, &exit_code] { exit_code = export_file(*arguments); });
}

}  // namespace rondo::cli
