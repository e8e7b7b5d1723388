#include <filesystem>

#include "scenario/load.hpp"
#include "scenario/read.hpp"
#include "scenario/words.hpp"

namespace rondo::scenario {
namespace {

PlatformFile read_file(Place const& path) {
  std::string const file = resolve(folder_of(path.file), path.text());
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw path.error("expected the name of a SimGrid platform file, got " + shown(path.value) + ": no such file");
  }
  return PlatformFile{file};
}

MachineTopology read_topology(Place const& topology) {
  std::string const kind = topology["kind"].text();
  if (kind == "fully_connected") return FullyConnected{topology["hosts"].integer()};
  if (kind == "ring") return Ring{topology["hosts"].integer()};
  if (kind == "torus") return TorusMachine{read_torus(topology["dims"])};
  expects(kind == "file", "a reader for each kind of topology");
  return read_file(topology["path"]);
}

}  // namespace

Platform read_machine(Place const& machine) {
  Platform platform;
  platform.topology = read_topology(machine["topology"]);
  platform.latency = machine["latency"].unit(parse_seconds);
  platform.hop_latency = machine.unit("hop_latency", parse_seconds, platform.hop_latency);
  platform.bandwidth = machine["bandwidth"].unit(parse_bandwidth);
  platform.ports = machine.value.value("ports", platform.ports);
  platform.neighbors_only = machine.value.value("neighbors_only", platform.neighbors_only);
  platform.envelope = machine.unit("envelope", parse_bytes, platform.envelope);
  if (machine.has("timing")) platform.timing = value_of(timing_models, machine["timing"].text());
  if (platform.hop_latency > Seconds(0) && std::holds_alternative<PlatformFile>(platform.topology)) {
    throw machine["hop_latency"].error(
        "expected \"0s\" or nothing with a platform file, whose hops are not known, got " +
        shown(machine["hop_latency"].value));
  }
  bool const has_neighbors =
      std::holds_alternative<Ring>(platform.topology) || std::holds_alternative<TorusMachine>(platform.topology);
  if (platform.neighbors_only && !has_neighbors) {
    throw machine["neighbors_only"].error("expected false on a topology that is no \"ring\" or \"torus\", got true");
  }
  return platform;
}

}  // namespace rondo::scenario
