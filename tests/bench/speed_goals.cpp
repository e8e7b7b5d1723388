// The speed goals of the native engine, side by side in one run: what is asked, and what is measured here.
//
//   speed_goals RONDO LOGGP_RATE DIRECTORY [LOGGOPSIM]
//
// Scenario files are written to DIRECTORY, where LOGGOPSIM finds loggp_rate.bin.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "engine/engine.hpp"
#include "generate/generate.hpp"
#include "problems.hpp"
#include "schedule/measure.hpp"
#include "schedule/verify.hpp"
#include "workloads.hpp"

extern "C" void MallocExtension_ReleaseFreeMemory() __attribute__((weak));  // tcmalloc's, where it is linked

namespace rondo {
namespace {

using namespace bench;

void report(std::string const& what, std::string const& asked, std::string const& measured) {
  fmt::print("| {} | {} | {} |\n", what, asked, measured);
  std::fflush(stdout);
}

/// CPU seconds of this process and of those it has waited for. Everything measured here runs on one core, and other
/// work on the machine counts little so.
double cpu_seconds() {
  double sum = 0;
  for (auto const who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (timeval const& time : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return sum;
}

/// Median CPU seconds of some runs.
double seconds(int runs, std::function<void()> const& work) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    double const start = cpu_seconds();
    work();
    times.push_back(cpu_seconds() - start);
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

Timing native(Schedule const& schedule, Platform const& platform) {
  Outcome outcome = simulate_native(schedule, platform, {});
  if (!outcome.result) throw std::runtime_error(outcome.error);
  return std::move(*outcome.result);
}

double native_seconds(int runs, Schedule const& schedule, Platform const& platform) {
  return seconds(runs, [&] { native(schedule, platform); });
}

std::string rate(double count, double time) { return fmt::format("{:.2g} a second", count / time); }

/// 36 bytes a message of lists are read: of 1,024 ranks 13 MB, of 8,192 ranks 101 MB.
void one_ported_rounds(int ranks) {
  Schedule const schedule = random_permutations(ranks, 342);
  double const time = native_seconds(15, schedule, machine(ranks));
  report(fmt::format("messages, one-ported rounds from lists of each rank, {} x 342", ranks), ">= 1e8 a second",
         rate(342.0 * ranks, time));
}

void event_queue() {
  Schedule const schedule = neighbor_exchange(1024, 0.2, 1);
  double const messages = static_cast<double>(native(schedule, machine(1024)).messages);
  double const time = native_seconds(5, schedule, machine(1024));
  report("messages, event queue: naive exchange on a random graph, 1,024 ranks, density 0.2", ">= 1e7 a second",
         rate(messages, time));
}

void representative() {
  auto const time_at = [](int extent) {
    Torus const torus({extent, extent, extent});
    Schedule const schedule = generate::isomorphic_dimension_wise(test::alltoall(torus, moore(3, 3), 64_B, {0, 1, 2}));
    constexpr int repetitions = 1000;
    return 1e6 / repetitions * seconds(5, [&] {
             for (int i = 0; i < repetitions; ++i) native(schedule, machine(torus.size()));
           });
  };
  report("isomorphic by a representative, 4,096 and 16,777,216 ranks", "independent of p",
         fmt::format("{:.1f} us, {:.1f} us", time_at(16), time_at(256)));
}

/// Moore(3,1) posted at once on a torus whose links are shared, under flow timing.
void representative_under_flow_timing() {
  auto const time_at = [](int extent) {
    Torus const torus({extent, extent, extent});
    Platform platform = machine(torus.size());
    platform.topology = TorusMachine{torus};
    platform.links = LinkSharing::shared;
    platform.timing = TimingModel::flow;
    platform.flow.o_send = 300_ns;
    platform.flow.o_recv = 200_ns;
    Schedule const schedule = generate::isomorphic_posted(test::alltoall(torus, moore(3, 1), 64_KiB));
    return 1e6 * native_seconds(5, schedule, platform);
  };
  report("flows that share the links of a torus, by a representative, 4,096 and 16,777,216 ranks", "independent of p",
         fmt::format("{:.0f} us, {:.0f} us", time_at(16), time_at(256)));
}

/// Gives what is free back to the kernel, where growth into it would not be seen.
void release_free_memory() {
  if (MallocExtension_ReleaseFreeMemory != nullptr) {
    MallocExtension_ReleaseFreeMemory();
  } else {
    malloc_trim(0);
  }
}

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The most that was resident at a time (proc(5)).
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
  }
  throw std::runtime_error("/proc/self/status does not say VmHWM");
}

void large_event_queue() {
  Schedule const schedule = neighbor_exchange(8192, 0.3, 1);
  release_free_memory();
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak of what was measured before is forgotten
  double const before = resident_bytes();
  double messages = 0;
  double const time = seconds(1, [&] { messages = static_cast<double>(native(schedule, machine(8192)).messages); });
  double const more = peak_bytes() - before;
  report(fmt::format("memory of the engine's flat form, {:.1e} messages", messages), "<= 24 B a message",
         fmt::format("{:.1f} B", more / messages));
  report("messages, event queue on that graph, 8,192 ranks, density 0.3", "-", rate(messages, time));
}

void against_smpi_in_process() {
  constexpr int p = 2048;
  Schedule const schedule = random_permutations(p, 100);
  Collective const promise = IsomorphicAlltoall{Torus({p}), Neighborhood(1, {{1}})};
  double const fast = native_seconds(21, schedule, machine(p));
  double const slow = seconds(1, [&] {
    Outcome const outcome = simulate_smpi(schedule, promise, machine(p), {Payload::timing, Seconds(0)});
    if (!outcome.result) throw std::runtime_error(outcome.error);
  });
  report("against SMPI, 2,048 ranks x 100 rounds from lists of each rank", ">= 200 times",
         fmt::format("{:.0f} times", slow / fast));
}

/// A dragonfly with so many groups of 4 chassis, two hosts a router, whose links are shared.
Platform shared_dragonfly(int groups, int routers) {
  Platform platform = machine(1);
  platform.topology = Dragonfly{.groups = groups, .chassis = 4, .routers = routers, .hosts_per_router = 2};
  platform.links = LinkSharing::shared;
  return platform;
}

/// Moore(3,1) with 64 KiB a neighbor on all hosts of such a machine.
Schedule stencil_on(Platform const& platform, bool posted) {
  Torus const torus({8, 8, hosts(platform) / 64});
  auto const problem = test::alltoall(torus, moore(3, 1), 64_KiB);
  return posted ? generate::isomorphic_posted(problem) : generate::isomorphic_straightforward(problem);
}

void shared_links_against_smpi() {
  Platform const platform = shared_dragonfly(16, 8);
  for (bool const posted : {false, true}) {
    Schedule const schedule = stencil_on(platform, posted);
    Collective const promise = IsomorphicAlltoall{*schedule.torus, moore(3, 1)};
    double const fast = native_seconds(21, schedule, platform);
    double const slow = seconds(5, [&] {
      Outcome const outcome = simulate_smpi(schedule, promise, platform, {Payload::timing, Seconds(0)});
      if (!outcome.result) throw std::runtime_error(outcome.error);
    });
    report(fmt::format("shared links against SMPI, dragonfly of 1,024 hosts, 26 neighbors of 64 KiB {}",
                       posted ? "posted at once" : "in rounds"),
           posted ? ">= 100 times" : ">= 50 times",
           fmt::format("{:.0f} times: {:.3f} s, {:.2f} s", slow / fast, fast, slow));
  }
}

void shared_links_on_many_hosts() {
  for (auto const& [groups, routers, asked] : {std::tuple(64, 16, "<= 2 s"), std::tuple(256, 32, "<= 60 s, 8 GiB")}) {
    Platform const platform = shared_dragonfly(groups, routers);
    for (bool const posted : {false, true}) {
      double const time = native_seconds(1, stencil_on(platform, posted), platform);
      report(fmt::format("the same on {} hosts, {} messages, {}", hosts(platform), 26 * hosts(platform),
                         posted ? "posted at once" : "in rounds"),
             asked, fmt::format("{:.2f} s", time));
    }
  }
}

/// The seconds that a whole process takes.
double process_seconds(int runs, std::string const& command) {
  return seconds(runs, [&] {
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error("failed: " + command);
  });
}

std::string write_scenario(std::string const& file, char const* torus, char const* neighborhood, int ranks) {
  std::ofstream(file) << fmt::format(
      R"({{"machine": {{"topology": {{"kind": "fully_connected", "hosts": {}}}, "latency": "1us", "bandwidth": "1GBps"}},
           "collective": {{"kind": "isomorphic_alltoall", "torus": {}, "neighborhood": {}}},
           "algorithm": "straightforward", "block": "64B", "payload": "timing"}})",
      ranks, torus, neighborhood);
  return file;
}

void whole_processes(std::string const& rondo, std::string const& directory) {
  std::string const large =
      write_scenario(directory + "/8192x342.json", "[16, 16, 32]", R"({"kind": "moore", "radius": 3})", 8192);
  std::string const run = rondo + " run --verify off " + large + " --engine ";
  double const fast = process_seconds(5, run + "native");
  double const slow = process_seconds(1, run + "smpi");
  report("against SMPI as whole processes, 8,192 ranks x 342 rounds, verification off", ">= 200 times",
         fmt::format("{:.0f} times ({:.2f} s, {:.1f} s)", slow / fast, fast, slow));
  std::string const wide =
      write_scenario(directory + "/12000x242.json", "[5, 5, 6, 8, 10]", R"({"kind": "moore", "radius": 1})", 12000);
  report("12,000 ranks x 242 rounds end to end, verified", "<= 2 s",
         fmt::format("{:.2f} s", process_seconds(5, rondo + " run --engine native " + wide)));
}

/// The sweep runs on two cores at once, so wall-clock time is measured.
void sweep(std::string const& rondo, std::string const& directory) {
  constexpr int blocks = 5000;
  std::string const file = directory + "/10000.json";
  std::ofstream out(file);
  out << R"({"machine": {"topology": {"kind": "fully_connected", "hosts": 64}, "latency": "1us", "bandwidth": "1GBps"},
             "collective": {"kind": "isomorphic_alltoall", "torus": [4, 4, 4], "neighborhood": {"kind": "moore", "radius": 1}},
             "engine": "native", "sweep": {"/algorithm": ["straightforward", "torus"], "/block": [)";
  for (int m = 1; m <= blocks; ++m) out << fmt::format("\"{}B\"{}", m, m < blocks ? ", " : "]}}");
  out.close();
  auto const start = std::chrono::steady_clock::now();
  process_seconds(1, rondo + " run --jobs 2 --format jsonl --force --output " + file + "l " + file);
  double const time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report("points of a sweep, 10,000 native points by 2 jobs, verified", ">= 1,000 a second", rate(2 * blocks, time));
}

void against_loggopsim(std::string const& loggp_rate, std::string const& loggopsim, std::string const& directory) {
  double const schedule = process_seconds(5, loggp_rate + " schedule");
  double const tasks = process_seconds(3, loggp_rate + " tasks");
  double const other = process_seconds(1, loggopsim + " -f " + directory + "/loggp_rate.bin");
  report("against LogGOPSim as whole processes, 4,096 ranks x 342 messages", ">= 10 times",
         fmt::format("{:.0f} times; {:.1f} times without the representative", other / schedule, other / tasks));
}

void verification(char const* what, Schedule schedule, IsomorphicAlltoall const& promise) {
  // Said rank by rank, no rank speaks for the others.
  schedule.program_of.assign(static_cast<std::size_t>(schedule.ranks), 0);
  double moves = 0;
  for (int round = 1; round <= schedule.rounds(); ++round) {
    for (Transfer const& send : schedule.programs[0].sends(round)) moves += send.count;
  }
  double const time = seconds(5, [&] {
    if (!verify(schedule, promise).valid()) throw std::runtime_error("a schedule that is not valid");
  });
  report(fmt::format("block moves of verify, every rank replayed, {}", what), ">= 1e7 a second",
         rate(moves * schedule.ranks, time));
}

void verifications() {
  Torus const torus({8, 8, 8});
  Neighborhood const neighborhood = moore(3, 3);
  IsomorphicAlltoall const promise{torus, neighborhood};
  verification("combined messages",
               generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, 64_B, {0, 1, 2})), promise);
  verification("messages of one block", generate::isomorphic_straightforward(test::alltoall(torus, neighborhood, 64_B)),
               promise);
}

/// A reduce_scatter joins every block that it moves.
void verification_of_reductions(problem::ClassicalAlgorithm algorithm, bool commutative) {
  problem::Classical problem{ClassicalCollective::reduce_scatter, 2048, 64_B, algorithm};
  problem.commutative = commutative;
  Schedule const schedule = generate::generate(problem);
  Collective const promise = generate::promise(problem);
  double const time = seconds(3, [&] {
    if (!verify(schedule, promise).valid()) throw std::runtime_error("a schedule that is not valid");
  });
  report(
      fmt::format("block moves of verify, {} of 2,048 ranks{}", enum_name(algorithm), commutative ? "" : " in order"),
      ">= 1e7 a second", rate(rondo::measure(schedule).total_blocks, time));
}

/// Whole vectors at distance 1, 2, 4, ..., or p parts of them: 2 (p - 1) p moves.
void verification_of_an_allreduce(problem::ClassicalAlgorithm algorithm) {
  problem::Classical problem{ClassicalCollective::allreduce, 4096, 1_MiB, algorithm};
  problem.commutative = algorithm == "circulant";
  problem.same_bits = true;
  Schedule const schedule = generate::generate(problem);
  Collective const promise = generate::promise(problem);
  double moves = 0;
  for (int r = 0; r < schedule.ranks; ++r) {
    Program const& program = schedule.program(Rank(r));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) moves += send.count;
    }
  }
  double const time = seconds(3, [&] {
    if (!verify(schedule, promise).valid()) throw std::runtime_error("a schedule that is not valid");
  });
  report(fmt::format("verify of an allreduce of 4,096 ranks, {}{}, the same bits", enum_name(algorithm),
                     problem.commutative ? "" : " in order"),
         "seconds, >= 1e7 block moves a second", fmt::format("{:.2f} s, {}", time, rate(moves, time)));
}

void compare_with_goals(std::string const& rondo, std::string const& loggp_rate, std::string const& directory,
                        std::string const& loggopsim) {
  fmt::print("| what | goal | measured |\n|---|---|---|\n");
  one_ported_rounds(1024);
  one_ported_rounds(8192);
  event_queue();
  representative();
  representative_under_flow_timing();
  verifications();
  verification_of_reductions(problem::ClassicalAlgorithm("circulant"), true);
  verification_of_reductions(problem::ClassicalAlgorithm("recursive_doubling"), false);
  for (auto const algorithm : {problem::ClassicalAlgorithm("recursive_doubling"),
                               problem::ClassicalAlgorithm("rabenseifner"), problem::ClassicalAlgorithm("circulant")}) {
    verification_of_an_allreduce(algorithm);
  }
  against_smpi_in_process();
  shared_links_against_smpi();
  shared_links_on_many_hosts();
  whole_processes(rondo, directory);
  sweep(rondo, directory);
  if (!loggopsim.empty()) against_loggopsim(loggp_rate, loggopsim, directory);
  large_event_queue();
}

}  // namespace
}  // namespace rondo

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    fmt::print(stderr, "usage: speed_goals RONDO LOGGP_RATE DIRECTORY [LOGGOPSIM]\n");
    return 2;
  }
  try {
    rondo::compare_with_goals(argv[1], argv[2], argv[3], argc == 5 ? argv[4] : "");
  } catch (std::exception const& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
