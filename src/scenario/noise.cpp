#include "scenario/noise.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "json/text.hpp"
#include "scenario/named_file.hpp"

namespace rondo::scenario {

namespace {

constexpr char const* distribution = R"json({
  "type": "object",
  "title": "an object such as {\"kind\": \"exponential\", \"mean\": \"500ns\"}",
  "kinds": [
    {"kind": "uniform", "required": ["spread"],
     "description": "any time from 0 to spread with the same probability", "properties": {
       "spread": {"type": "string", "title": "a string with a unit such as \"500ns\"", "description": "the largest time"}}},
    {"kind": "normal", "required": ["mean", "spread"],
     "description": "a normal distribution; a time below 0 becomes 0", "properties": {
       "mean": {"type": "string", "title": "a string with a unit such as \"500ns\"", "description": "the mean"},
       "spread": {"type": "string", "title": "a string with a unit such as \"100ns\"", "description": "the standard deviation"}}},
    {"kind": "exponential", "required": ["mean"],
     "description": "an exponential distribution", "properties": {
       "mean": {"type": "string", "title": "a string with a unit such as \"500ns\"", "description": "the mean"}}},
    {"kind": "trace", "required": ["path"],
     "description": "the interruptions of a file", "properties": {
       "path": {"type": "string", "minLength": 1, "title": "the name of a file",
                "description": "a file with the begin and the duration of an interruption in each line, in nanoseconds, as LogGOPSim reads it, or with a duration alone; relative to the folder of the file that names it"}}}
  ]
})json";

constexpr char const* whole = R"json({
  "type": "object",
  "title": "an object such as {\"cpu\": {\"kind\": \"exponential\", \"mean\": \"500ns\"}}",
  "description": "random times that are added to works and latencies; {} adds none, for a sweep of the whole object",
  "additionalProperties": false,
  "properties": {
    "cpu": "added to each send, each receive and each reduction of a CPU, under flow and loggp timing",
    "compute": "added to each calculation",
    "latency": "added to the start-up of each message"
  }
})json";

constexpr std::uint64_t most_trace_bytes = std::uint64_t{1} << 30;

NoiseLaw read_law(Place const& law) {
  NoiseLaw result{known_value<NoiseKind>(law["kind"].text()), law.unit("mean", parse_seconds, Seconds(0)),
                  law.unit("spread", parse_seconds, Seconds(0))};
  if (result.kind != NoiseKind::trace) return result;
  std::string const file = named_file(law["path"]);
  result.trace = law["path"].checked([&] {
    std::string const text = rondo::read_file(file, most_trace_bytes);
    try {
      return std::make_shared<NoiseTrace const>(noise_trace(text));
    } catch (InputError const& error) {
      throw InputError(law["path"].text() + ": " + error.what());
    }
  });
  return result;
}

}  // namespace

Json distribution_schema(std::string const& description) {
  Json law = json_of(distribution);
  law["description"] = description;
  return law;
}

Json noise_schema() {
  Json schema = json_of(whole);
  for (char const* key : noise_keys) schema["properties"][key] = distribution_schema(schema["properties"][key]);
  return schema;
}

MachineNoise read_noise(Place const& noise) {
  MachineNoise result;
  if (noise.has("cpu")) result.cpu = read_law(noise["cpu"]);
  if (noise.has("compute")) result.compute = read_law(noise["compute"]);
  if (noise.has("latency")) result.latency = read_law(noise["latency"]);
  return result;
}

std::vector<std::optional<NoiseLaw>> read_noise_of_steps(Place const& workload) {
  std::vector<std::optional<NoiseLaw>> laws;
  auto const read = [&](Place const& list) {
    if (!list.has("steps")) return;  // a job of tasks
    for (int i = 0; i < static_cast<int>(list["steps"].value.size()); ++i) {
      Place const step = list["steps"].item(i);
      auto& law = laws.emplace_back();
      if (step.has("noise")) law = read_law(step["noise"]);
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
