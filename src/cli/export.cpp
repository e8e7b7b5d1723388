#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/inputs.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/time_limit.hpp"
#include "process/say.hpp"
#include "run/families/plan.hpp"
#include "run/output/trace.hpp"
#include "run/points/exported.hpp"
#include "run/points/link_loads.hpp"
#include "run/points/run_tasks.hpp"
#include "run/points/timeline.hpp"
#include "run/points/whole_file.hpp"
#include "schedule/file/schedule_json.hpp"

namespace rondo::cli {
namespace {

struct ExportWords {
  std::string file;
  std::string format;
  std::string output;
  bool force = false;
  std::size_t point = 1;
  PointWords points;
};

/// Writes the machine of a point, or the machine that is the whole file.
void write_platform(ExportWords const& words, TextSink const& sink) {
  if (scenario::holds_machine(words.file)) {
    if (!words.points.overrides.sets.empty()) {
      throw InputError(fmt::format("{}: --set changes a scenario, and this file holds a machine", words.file));
    }
    return sink(to_simgrid_xml(scenario::load_machine(words.file)));
  }
  sink(to_simgrid_xml(chosen_point(words.file, words.point, words.points).machine));
}

void write_json(ExportWords const& words, TextSink const& sink) {
  auto const point = chosen_point(words.file, words.point, words.points);
  Plan const plan = plan_of(point, words.file);
  SchedulePlan const& chosen = schedule_plan(plan, words.file);
  expect_valid(chosen, point, words.file);
  write_schedule(exported(chosen, point), sink);
}

void write_goal(ExportWords const& words, TextSink const& sink) {
  rondo::write_goal(chosen_point(words.file, words.point, words.points), words.file, sink);
}

void write_goal_binary(ExportWords const& words, TextSink const& sink) {
  rondo::write_goal_binary(chosen_point(words.file, words.point, words.points), words.file, sink);
}

void write_msccl(ExportWords const& words, TextSink const& sink) {
  rondo::write_msccl(chosen_point(words.file, words.point, words.points), words.file, sink);
}

void write_trace(ExportWords const& words, TextSink const& sink) {
  auto const point = chosen_point(words.file, words.point, words.points);
  Timeline const timeline = timeline_of(plan_of(point, words.file), point, words.file, most_traced_messages);
  rondo::write_trace(timeline, point.title, sink);
}

void write_links(ExportWords const& words, TextSink const& sink) {
  auto const point = chosen_point(words.file, words.point, words.points);
  Plan const plan = plan_of(point, words.file);
  bool const runs = std::holds_alternative<ProgramPlan>(plan);
  LinkLoads const loads =
      runs ? link_loads(run_of(plan, point, words.file), point.machine) : link_loads(plan, point.machine, words.file);
  if (point.machine.routing.rule == RoutingRule::ugal) {
    throw InputError(words.file +
                     ": /machine/routing: expected one whose routes are known before messages start, got \"ugal\"");
  }
  if (loads.links.empty()) {
    throw InputError(words.file +
                     ": /machine/topology: expected one with links between routers that are known without "
                     "SimGrid, got " +
                     point.expanded["machine"]["topology"]["kind"].dump());
  }
  sink(links_csv(loads));
}

struct Export {
  char const* name;
  void (*write)(ExportWords const&, TextSink const&);
};

constexpr std::array formats = {Export{"platform", write_platform}, Export{"json", write_json},
                                Export{"goal", write_goal},         Export{"goal_binary", write_goal_binary},
                                Export{"msccl", write_msccl},       Export{"trace", write_trace},
                                Export{"links", write_links}};

std::string names() {
  std::string result;
  for (Export const& format : formats) result += fmt::format("{}{}", result.empty() ? "" : ", ", format.name);
  return result;
}

int write_out(Export const& format, ExportWords const& words) {
  TimeLimit const limited = point_limit(words.points.options().timeout, words.file);
  note_input(words.file);
  if (!words.output.empty()) expect_writable(words.output, words.force);
  if (words.output.empty()) {
    format.write(words, [](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stdout); });
  } else {
    write_whole(
        words.output, [&](TextSink const& sink) { format.write(words, sink); }, words.force);
  }
  return fine;
}

int export_file(ExportWords const& words) {
  words.points.permit();
  auto const format = std::find_if(formats.begin(), formats.end(),
                                   [&](Export const& candidate) { return words.format == candidate.name; });
  if (format == formats.end()) {
    throw InputError(fmt::format("--format: expected one of {}, got {}", names(), excerpt(words.format)));
  }
  try {
    return write_out(*format, words);
  } catch (NoRun const& why) {
    say("{}\n", printable(why.what()));
    return failed_point;
  }
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto words = std::make_shared<ExportWords>();
  CLI::App* command =
      app.add_subcommand("export", "write the machine, the schedule or the run of a point for other programs");
  command->add_option("FILE", words->file, "a scenario file; with --format platform also the file of a machine")
      ->required();
  command
      ->add_option("--format", words->format,
                   "platform: the machine as SimGrid XML; json: the schedule; goal: the schedule as GOAL text; "
                   "goal_binary: in LogGOPSim's binary form; msccl: "
                   "as MSCCL XML; trace: "
                   "the simulated run as Chrome trace events; links: the bytes over each link of the topology as CSV")
      ->type_name("platform|json|goal|goal_binary|msccl|trace|links")
      ->required();
  command->add_option("--output", words->output, "write to this new file, which appears only when it is complete")
      ->type_name("FILE");
  command->add_flag("--force", words->force, "replace an existing output file");
  command->add_option("--point", words->point, "the number of the point in the sweep")->capture_default_str();
  command
      ->add_option("--timeout", words->points.timeout,
                   "the real time that the command may take, such as 60s; no limit by default")
      ->type_name("TIME");
  add_overrides(*command, words->points);
  command->callback([words, &exit_code] { exit_code = export_file(*words); });
}

}  // namespace rondo::cli
