// The keys `noise` of a machine and of the steps of a workload: laws of random times (platform/noise.hpp), and traces
// of interruptions in the format of LogGOPSim.

#include "scenario/noise.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "json/text.hpp"
#include "scenario/named_file.hpp"

namespace rondo::scenario {

namespace {

constexpr std::uint64_t largest_trace_bytes = std::uint64_t{1} << 30;

/// The trace of a file. It is shared, because each expanded point of a sweep has the machine.
std::shared_ptr<NoiseTrace const> read_trace(Place const& path) {
  std::string const file = named_file(path);
  return path.checked([&] {
    std::string const text = rondo::read_file(file, largest_trace_bytes);
    // Adds the file's name to the error in a line of it; checked() adds the place in the scenario.
    try {
      return std::make_shared<NoiseTrace const>(noise_trace(text));
    } catch (InputError const& error) {
      throw InputError(path.text() + ": " + error.what());
    }
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

}  // namespace rondo::scenario
