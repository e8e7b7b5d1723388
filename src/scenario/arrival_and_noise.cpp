// The key `arrival`: a schema checks the form of each kind; the length of a list depends on the number of ranks and
// is checked by the reader. The keys `noise` of a machine and of the steps of a workload: laws of random times
// (platform/noise.hpp), and traces of interruptions in the format of LogGOPSim.

#include "scenario/arrival_and_noise.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "json/value.hpp"
#include "scenario/permitted_input.hpp"

namespace rondo::scenario {

namespace {

constexpr std::uint64_t largest_trace_bytes = std::uint64_t{1} << 30;

/// The trace of a file. It is shared, because each expanded point of a sweep has the machine.
std::shared_ptr<NoiseTrace const> read_trace(Place const& path) {
  std::string const file = named_file(path);
  return path.checked([&] {
    std::string const text = rondo::read_file(file, largest_trace_bytes);
    // Adds the file's name to the error in a line of it; checked() adds the place in the scenario.
    return at_place(path.text(), [&] { return std::make_shared<NoiseTrace const>(noise_trace(text)); });
  });
}

Variety<NoiseLaw> noise_kind(NoiseKind kind, std::string_view description, Table<NoiseLaw> const& keys) {
  return variety<NoiseLaw, NoiseLaw>(enum_name(kind), description, keys,
                                     [kind](NoiseLaw& target, Place const& /*place*/) { target.kind = kind; });
}

}  // namespace

Form<NoiseLaw> noise_law_form() {
  auto const mean = key("mean", &NoiseLaw::mean, time("500ns"), "the mean", Need::required);
  return one_of<NoiseLaw>(
      R"(an object such as {"kind": "exponential", "mean": "500ns"})", "",
      {noise_kind(NoiseKind::uniform, "a uniform distribution from 0 to spread",
                  {key("spread", &NoiseLaw::spread, time("500ns"), "the largest time", Need::required)}),
       noise_kind(NoiseKind::normal, "a normal distribution; negative times become 0",
                  {mean, key("spread", &NoiseLaw::spread, time("100ns"), "the standard deviation", Need::required)}),
       noise_kind(NoiseKind::exponential, "an exponential distribution", {mean}),
       noise_kind(NoiseKind::trace, "interruptions that were measured, from a file",
                  {key("path", &NoiseLaw::trace, Form<std::shared_ptr<NoiseTrace const>>{file_name(), read_trace},
                       "a file with one interruption in each line: its start and its duration in nanoseconds, as "
                       "LogGOPSim reads "
                       "it, or its duration alone; relative to the folder of the file that names it",
                       Need::required)})});
}

Form<MachineNoise> noise_form() {
  auto const form = noise_law_form();
  return object(
      R"(an object such as {"cpu": {"kind": "exponential", "mean": "500ns"}})",
      Table<MachineNoise>{key("cpu", &MachineNoise::cpu, form,
                              "added to the CPU time of each send, receive and reduction, under flow and loggp timing"),
                          key("compute", &MachineNoise::compute, form, "added to each calculation"),
                          key("latency", &MachineNoise::latency, form, "added to the start-up of each message")});
}

std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload) {
  std::vector<std::optional<NoiseLaw>> laws;
  Form<NoiseLaw> const form = noise_law_form();
  // Entry i belongs to step i of Workload::steps, which lists the steps of all jobs in turn.
  auto const read = [&](Place const& list) {
    for (int i = 0; i < static_cast<int>(list["steps"].value.size()); ++i) {
      Place const step = list["steps"].item(i);
      auto& step_law = laws.emplace_back();
      if (step.has("noise")) step_law = form.read(step["noise"]);
    }
  };
  if (workload.has("jobs")) {
    for (int i = 0; i < static_cast<int>(workload["jobs"].value.size()); ++i) {
      Place const job = workload["jobs"].item(i);
      if (job.has("workload")) read(job["workload"]);
    }
  } else {
    read(workload);
  }
  if (std::ranges::none_of(laws, [](auto const& law) { return law.has_value(); })) laws.clear();
  return laws;
}

namespace {

using problem::Arrival;
using problem::ArrivalKind;

/// The size limit of a file: it has a few bytes for each rank, and this is enough for the largest machines.
constexpr std::uint64_t most_file_bytes = std::uint64_t{1} << 30;

/// The times of a file, one for each line; text behind # is a comment. Throws InputError with the file and the line.
std::vector<Seconds> times_in(Place const& path) {
  std::string const file = named_file(path);
  std::string const text = path.checked([&] { return read_file(file, most_file_bytes); });
  std::vector<Seconds> times;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line.erase(std::min(line.find('#'), line.size()));  // a comment
    std::size_t const first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    try {
      times.push_back(parse_seconds(line));
    } catch (InputError const& error) {
      throw path.error(fmt::format("{}:{}: {}", path.text(), number, error.what()));
    }
  }
  return times;
}

std::vector<Seconds> times_of(Place const& list) {
  std::vector<Seconds> times;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) times.push_back(list.item(i).unit(parse_seconds));
  return times;
}

/// A kind of arrival with the one key that it reads besides "kind".
Variety<Arrival> arrival(ArrivalKind kind, std::string_view description, Key<Arrival> key) {
  return variety<Arrival, Arrival>(enum_name(kind), description, {std::move(key)},
                                   [kind](Arrival& arrival, Place const& /*place*/) { arrival.kind = kind; });
}

/// All kinds but two have a spread, with a meaning of its own in each.
Key<Arrival> spread(std::string_view meaning, Need need = Need::required) {
  return key("spread", &Arrival::spread, without_default(time("50us")), meaning, need);
}

}  // namespace

Form<Arrival> const& arrival_form() {
  Form<std::vector<Seconds>> const list{
      json_of(R"json({"type": "array", "title": "a list of times, one for each rank", "minItems": 1,
                      "items": {"type": "string", "title": "a string with a unit such as \"50us\""}})json"),
      times_of};
  static Form<Arrival> const form = one_of<Arrival>(
      R"(an object such as {"kind": "one_late", "spread": "50us"})",
      "when each rank comes to the collective; all at 0 by default",
      {arrival(ArrivalKind::none, "all ranks come at 0",
               spread("not used; allowed so that a sweep can go over kinds", Need::optional)),
       arrival(ArrivalKind::one_late, "the last rank comes at spread, all others at 0",
               spread("when the last rank comes")),
       arrival(ArrivalKind::linear, "rank i of p comes at spread * i / (p - 1)", spread("when the last rank comes")),
       arrival(ArrivalKind::uniform, "each rank draws its time uniformly from 0 to spread", spread("the latest time")),
       arrival(ArrivalKind::normal,
               "each rank draws its time from a normal distribution with mean spread / 2 and deviation spread / 6, "
               "limited to 0 and spread",
               spread("the latest time")),
       arrival(ArrivalKind::exponential, "each rank draws its time from an exponential distribution with mean spread",
               spread("the mean of the times")),
       arrival(ArrivalKind::list, "the times of a list",
               key("values", &Arrival::values, list, "when each rank comes", Need::required)),
       arrival(ArrivalKind::file, "the times of a file",
               key("path", &Arrival::values, Form<std::vector<Seconds>>{file_name(), times_in},
                   "a file with a line for each rank, a time with its unit; relative to the scenario's folder",
                   Need::required))});
  return form;
}

/// Reads the key for so many ranks. Times of kinds that draw are drawn later (problem/run_options.hpp).
Arrival read_arrival(Place const& arrival, int ranks) {
  Arrival result = arrival_form().read(arrival);
  // A schema cannot compare the length of a list with the number of ranks.
  bool const stated = result.kind == ArrivalKind::list || result.kind == ArrivalKind::file;
  if (!stated || std::ssize(result.values) == ranks) return result;
  throw arrival[result.kind == ArrivalKind::list ? "values" : "path"].error(
      fmt::format("expected {}, one for each rank, got {}", counted(ranks, "time"), result.values.size()));
}

}  // namespace rondo::scenario
