// Message rate of the SMPI engine in timing mode beside that of a plain SMPI program under smpirun, which does the same
// lockstep MPI_Sendrecv loop on an equivalent machine. Both run in turn, several times.
//
//   smpi_rate SMPIRUN PROGRAM DIRECTORY     (the platform file is written to DIRECTORY)

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace {

using namespace rondo;

constexpr int p = 480;
constexpr int rounds = 342;
constexpr int repetitions = 5;
constexpr Bytes block(8);

Neighborhood shifts() {
  std::vector<std::vector<int>> offsets;
  for (int i = 0; i < rounds; ++i) offsets.push_back({1 + i % (p - 1)});
  return Neighborhood(1, offsets);
}

Schedule lockstep(Neighborhood const& neighborhood) {
  Schedule schedule;
  schedule.ranks = p;
  schedule.torus = Torus({p});
  Layout layout;
  layout.block = block;
  layout[Buffer::send].slots = layout[Buffer::receive].slots = rounds;
  ProgramBuilder builder(layout);
  for (int i = 0; i < rounds; ++i) {
    auto const slot = static_cast<std::uint32_t>(i);
    Place const from[] = {send_slot(slot)}, into[] = {receive_slot(slot)};
    builder.begin_round();
    builder.send(2 * i, from);
    builder.receive(2 * i + 1, into);
    schedule.offsets.insert(schedule.offsets.end(), {neighborhood[i][0], -neighborhood[i][0]});
  }
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

std::string write_platform(std::string const& directory) {
  std::string path = directory + "/smpi_rate.xml";
  std::ofstream(path) << fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n  <cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" "
      "bw=\"1GBps\" lat=\"500ns\"/>\n</platform>\n",
      p - 1);
  return path;
}

/// Seconds of a loop, real and simulated.
struct Loop {
  double real = 0, simulated = 0;
};

Loop plain(std::string const& command) {
  std::FILE* const output = popen(command.c_str(), "r");
  Loop loop;
  bool const read = output != nullptr && std::fscanf(output, "%lf %lf", &loop.real, &loop.simulated) == 2;
  if (output == nullptr || pclose(output) != 0 || !read) throw std::runtime_error("failed: " + command);
  return loop;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(std::string const& command) {
  Neighborhood const neighborhood = shifts();
  Schedule const schedule = lockstep(neighborhood);
  Platform platform;
  platform.topology = FullyConnected{p};
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  constexpr double messages = double{p} * rounds;
  std::vector<double> ratios;
  fmt::print("{} ranks x {} rounds of {}; thousand messages per second of wall time\n", p, rounds, print(block));
  fmt::print("plain: the loop alone; engine: the whole simulation with its start-up\n");
  for (int i = 0; i < repetitions; ++i) {
    Loop const loop = plain(command);
    Outcome const outcome =
        simulate_smpi(schedule, IsomorphicAlltoall{Torus({p}), neighborhood}, platform, {Payload::timing, Seconds(0)});
    if (!outcome.result) throw std::runtime_error(outcome.error);
    ratios.push_back(loop.real / outcome.result->wall.value);
    fmt::print("plain {:6.1f} (simulated {})   engine {:6.1f} (simulated {}, {:.0f} MiB)   ratio {:.2f}\n",
               1e-3 * messages / loop.real, print(Seconds(loop.simulated)),
               1e-3 * messages / outcome.result->wall.value, print(outcome.result->makespan),
               static_cast<double>(outcome.result->peak_memory.value) / (1 << 20), ratios.back());
  }
  fmt::print("median ratio {:.2f}\n", median(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: smpi_rate SMPIRUN PROGRAM DIRECTORY\n");
    return 2;
  }
  try {
    measure(
        fmt::format("{} -np {} -platform {} --cfg=network/model:CM02 --cfg=network/crosstraffic:0 "
                    "--cfg=network/TCP-gamma:0 --cfg=network/weight-S:0 --cfg=smpi/async-small-thresh:0 "
                    "--cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 "
                    "--log=root.threshold:error {} {} {}",
                    argv[1], p, write_platform(argv[3]), argv[2], rounds, block.value));
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
