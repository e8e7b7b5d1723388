#include "scenario/noise.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "json/text.hpp"
#include "scenario/named_file.hpp"

namespace rondo::scenario {

namespace {

constexpr std::uint64_t most_trace_bytes = std::uint64_t{1} << 30;

std::shared_ptr<NoiseTrace const> read_trace(Place const& path) {
  std::string const file = named_file(path);
  return path.checked([&] {
    std::string const text = rondo::read_file(file, most_trace_bytes);
    try {
      return std::make_shared<NoiseTrace const>(noise_trace(text));
    } catch (InputError const& error) {
      throw InputError(path.text() + ": " + error.what());
    }
  });
}

Variety<NoiseLaw> law(NoiseKind kind, std::string_view description, Table<NoiseLaw> const& keys) {
  return variety<NoiseLaw, NoiseLaw>(word_of(kind), description, keys,
                                     [kind](NoiseLaw& law, Place const& /*place*/) { law.kind = kind; });
}

}  // namespace

Form<NoiseLaw> noise_law_form() {
  auto const mean = key("mean", &NoiseLaw::mean, time("500ns"), "the mean", Need::required);
  return one_of<NoiseLaw>(
      R"(an object such as {"kind": "exponential", "mean": "500ns"})", "",
      {law(NoiseKind::uniform, "any time from 0 to spread with the same probability",
           {key("spread", &NoiseLaw::spread, time("500ns"), "the largest time", Need::required)}),
       law(NoiseKind::normal, "a normal distribution; a time below 0 becomes 0",
           {mean, key("spread", &NoiseLaw::spread, time("100ns"), "the standard deviation", Need::required)}),
       law(NoiseKind::exponential, "an exponential distribution", {mean}),
       law(NoiseKind::trace, "the interruptions of a file",
           {key("path", &NoiseLaw::trace, Form<std::shared_ptr<NoiseTrace const>>{file_name(), read_trace},
                "a file with the begin and the duration of an interruption in each line, in nanoseconds, as LogGOPSim "
                "reads it, or with a duration alone; relative to the folder of the file that names it",
                Need::required)})});
}

Form<MachineNoise> noise_form() {
  auto const law = noise_law_form();
  return object(R"(an object such as {"cpu": {"kind": "exponential", "mean": "500ns"}})",
                Table<MachineNoise>{
                    key("cpu", &MachineNoise::cpu, law,
                        "added to each send, each receive and each reduction of a CPU, under flow and loggp timing"),
                    key("compute", &MachineNoise::compute, law, "added to each calculation"),
                    key("latency", &MachineNoise::latency, law, "added to the start-up of each message")});
}

std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload) {
  std::vector<std::optional<NoiseLaw>> laws;
  Form<NoiseLaw> const form = noise_law_form();
  auto const read = [&](Place const& list) {
    if (!list.has("steps")) return;  // a job of tasks
    for (int i = 0; i < static_cast<int>(list["steps"].value.size()); ++i) {
      Place const step = list["steps"].item(i);
      auto& law = laws.emplace_back();
      if (step.has("noise")) law = form.read(step["noise"]);
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
