// The native engine's LogGP beside LogGOPSim, as whole processes: `loggp_rate schedule` generates and times a schedule,
// `loggp_rate tasks` times all its tasks; `loggp_rate FILE` writes it as GOAL, for txt2bin and LogGOPSim.

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "engine/engine.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"

namespace rondo {
namespace {

/// LogGOPSim's default parameters.
Platform machine(int hosts) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.timing = TimingModel::loggp;
  platform.loggp = {2500_ns, 1500_ns, 1000_ns, 6_ns, Seconds(0), 65535_B};
  return platform;
}

int run(std::string const& word) {
  Torus const torus({16, 16, 16});
  Schedule const schedule = generate::isomorphic_straightforward(test::alltoall(torus, moore(3, 3), 64_B));
  if (word != "schedule" && word != "tasks") {
    std::ofstream file(word);
    write_goal(lower(schedule), [&](std::string_view piece) { file << piece; });
    return file.good() ? 0 : 1;
  }
  Platform const platform = machine(torus.size());
  Outcome const outcome =
      word == "tasks" ? simulate_native(lower(schedule), platform, {}) : simulate_native(schedule, platform, {});
  fmt::print("{}: {} messages, {:.0f} ns, {:.6f} s in the engine\n", word, outcome.result->messages,
             1e9 * outcome.result->makespan.value, outcome.result->wall.value);
  return 0;
}

}  // namespace
}  // namespace rondo

int main(int argc, char** argv) { return argc == 2 ? rondo::run(argv[1]) : 2; }
