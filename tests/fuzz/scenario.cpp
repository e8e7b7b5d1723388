// Targets of scenarios: a whole file, one --set, a machine's file, a platform file of SimGrid.

#include <algorithm>

#include "base/error.hpp"
#include "fuzz.hpp"
#include "platform/simgrid_file.hpp"
#include "run/points/job.hpp"
#include "run/points/run.hpp"
#include "scenario/load.hpp"
#include "scenario/validate.hpp"

namespace rondo::fuzz {
namespace {

using scenario::Json;

constexpr std::size_t most_points = 3;
constexpr int small = 40;

/// Whether no list is long and no number large: such a point is run in no time.
bool is_small(Json const& value) {
  if (value.is_string()) return value.get_ref<std::string const&>().size() <= 8 || value[0] == 0;
  if (value.is_number()) return value.get<double>() <= small && value.get<double>() >= -small;
  if (!value.is_structured()) return true;
  return value.size() <= 16 &&
         std::all_of(value.begin(), value.end(), [](Json const& each) { return each.is_string() || is_small(each); });
}

/// A point of few ranks runs, on Rondo's own engine, and its record reads back.
void run_if_small(scenario::Scenario parsed) {
  Json const& expanded = parsed.expanded;
  bool const is_program = expanded["collective"].value("kind", "") == "program" || algorithm(parsed.problem).empty();
  if (is_program || ranks(parsed.problem) > small || !is_small(expanded["collective"])) return;
  if (std::holds_alternative<PlatformFile>(parsed.machine.topology) || ranks(parsed.machine) > 4096) return;
  if (!scenario::engine_misfit(scenario::Engine::native, parsed.machine).empty()) return;
  if (expanded.value("engine", "smpi") != "native") return;
  Record const record = run_point(parsed, "fuzzed", 1, {});
  promise(!record.error || record.error->find("bug") == std::string::npos, record.error.value_or(""));
  promise(json_row(record_of(to_json(record))) == json_row(record), "a record reads back as it is");
}

void read_points(Json const& document) {
  std::vector<scenario::Claim> const claims = scenario::claims(document, "fuzzed");
  scenario::Sweep const sweep(document, "fuzzed");
  for (std::size_t i = 0; i < std::min(sweep.size(), most_points); ++i) {
    accepted([&] {
      scenario::Scenario parsed = scenario::parse(sweep[i], "fuzzed");
      scenario::Point again = sweep[i];
      again.expanded = parsed.expanded;
      promise(scenario::parse(again, "fuzzed").expanded == parsed.expanded, "what a point expands to is that point");
      run_if_small(std::move(parsed));
    });
  }
}

}  // namespace

void fuzz_scenario(std::string_view text) {
  accepted([&] {
    Json const document = scenario::parse_json(text, "fuzzed");
    promise(scenario::parse_json(document.dump(), "fuzzed") == document, "JSON reads back as it is");
    if (!document.is_object()) throw InputError("expected an object");
    read_points(document);
  });
}

void fuzz_set(std::string_view text) {
  Json document = Json::parse(R"({
    "machine": {"topology": {"kind": "ring", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps"},
    "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
    "algorithm": "torus", "block": "8B", "engine": "native", "sweep": {"/block": ["1B", "2B"]}})");
  if (accepted([&] { scenario::apply_set(document, text); })) accepted([&] { read_points(document); });
}

void fuzz_machine(std::string_view text) {
  TextFile const file(text);
  accepted([&] {
    (void)scenario::holds_machine(file.path());
    Platform const machine = scenario::load_machine(file.path());
    if (std::holds_alternative<PlatformFile>(machine.topology) || hosts(machine) > 256) return;
    if (machine.timing == TimingModel::loggp) return;
    std::string const xml = to_simgrid_xml(machine);
    promise(accepted([&] { (void)simgrid_platform(xml, "fuzzed.xml"); }), "the XML of a machine is a platform");
  });
}

void fuzz_platform_xml(std::string_view text) {
  accepted([&] {
    std::string const platform = simgrid_platform(text, "fuzzed.xml");
    promise(accepted([&] { promise(simgrid_platform(platform, "again.xml") == platform, "written twice the same"); }),
            "a platform that was written anew is one");
    for (char const* word : {"<config", "<process", "<actor", "<include", "<!", "tracing/"}) {
      promise(platform.find(word) == std::string::npos || word[0] != '<' || word[1] == '!', "nothing but a platform");
    }
  });
}

}  // namespace rondo::fuzz
