// `rondo check-rules`: compares each rule of an MPI library's rules file with the best algorithm of that library, on a
// machine that the user names. The rules may come from `rondo tune` or from people who tuned by measurements.

#include "run/rules/check_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/usage.hpp"
#include "process/say.hpp"
#include "scenario/load.hpp"
#include "scenario/scenario.hpp"

namespace rondo::cli {
namespace {

struct CheckRulesArguments {
  std::string file, machine;
  std::vector<int> ranks;
  SearchArguments search{.per_doubling = 1};
  double at_most = 0;
  PointArguments points;
};

/// The machine as JSON, after --set: the search inserts it into a scenario for each rule, which lies where the
/// machine's file lies.
scenario::Json machine_of(CheckRulesArguments const& arguments) {
  Platform const machine = scenario::load_machine(arguments.machine);  // whose errors name the file
  if (!arguments.points.quiet) say_remarks(remarks_on_machine(arguments.machine, machine));
  scenario::Json document = {{"schema_version", 1},
                             {"machine", std::filesystem::path(arguments.machine).filename().string()}};
  scenario::inline_machine(document, arguments.machine);
  for (std::string const& set : arguments.points.overrides.sets) scenario::apply_set(document, set);
  return document["machine"];
}

/// 2, 4, 8, ... up to the number of the machine's hosts.
std::vector<int> powers_of_two(std::string const& file, scenario::Json const& machine) {
  auto const topology = machine.find("topology");
  bool const counted = topology != machine.end() && topology->contains("hosts");
  int const most = counted ? (*topology)["hosts"].get<int>() : hosts(scenario::load_machine(file));
  std::vector<int> ranks;
  // 256 ranks keep the default fast: the search simulates every algorithm for every number of ranks.
  for (int each = 2; each <= std::min(most, 256); each *= 2) ranks.push_back(each);
  return ranks;
}

/// 1 if the machine does not state it. Errors in it are reported when the machine is read.
int ranks_of_a_host(scenario::Json const& machine) {
  auto const found = machine.find("ranks_per_host");
  return found != machine.end() && found->is_number_integer() ? found->get<int>() : 1;
}

CheckRulesOptions options_of(CheckRulesArguments const& arguments) {
  CheckRulesOptions options;
  options.machine = machine_of(arguments);
  options.machine_file = arguments.machine;
  options.ranks = arguments.ranks.empty() ? powers_of_two(arguments.machine, options.machine) : arguments.ranks;
  // Rules may use segments that a search would not try. Both are simulated.
  options.segments = sizes_of("--segments", arguments.search.segments);
  options.tuning = search_options(arguments.search, arguments.points);
  return options;
}

int check_rules(CheckRulesArguments const& arguments) {
  arguments.points.permit();
  note_input(arguments.machine);
  CheckRulesOptions const options = options_of(arguments);
  Rules const rules = read_rules(arguments.file, ranks_of_a_host(options.machine));
  for (std::string const& remark : rules.remarks) say("{}\n", printable(remark));
  try {
    std::vector<RuleCost> const costs = rondo::check_rules(rules, options);
    fmt::print("{}", costs_table(costs));
    // A misfit is a rule whose algorithm is not for this number of ranks.
    auto const too_slow = [&](RuleCost const& each) {
      return each.misfit || (arguments.at_most > 0 && !each.best.empty() && each.ratio() > arguments.at_most);
    };
    return std::any_of(costs.begin(), costs.end(), too_slow) ? claim_fails : fine;
  } catch (TuneFailure const& failure) {
    say("{}\n", printable(failure.what()));
    return failed_point;
  }
}

}  // namespace

void add_check_rules(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<CheckRulesArguments>();
  CLI::App* command = app.add_subcommand(
      "check-rules", "compare each rule of a library's rules file with the best algorithm of the library");
  command
      ->add_option("FILE", arguments->file,
                   "a rules file as rondo tune writes it with --format ompi, ompi-json, mpich or nccl")
      ->required();
  command->add_option("--machine", arguments->machine, "a file with a machine as JSON")->type_name("FILE")->required();
  command
      ->add_option(
          "--ranks", arguments->ranks,
          "the numbers of ranks that are tried; by default powers of two up to the number of hosts, at most 256")
      ->type_name("N,...")
      ->check(from_to(2, 16777216))
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  add_search_options(*command, arguments->search,
                     "sizes of segments that are tried for the best algorithm, in addition to those in the file");
  command
      ->add_option("--at-most", arguments->at_most,
                   "exit with 1 if a rule takes more than this many times the best time")
      ->check(from_to(1.0, 1e9))
      ->type_name("RATIO");
  add_point_options(*command, arguments->points);
  command->callback([arguments, &exit_code] { exit_code = check_rules(*arguments); });
}

}  // namespace rondo::cli
