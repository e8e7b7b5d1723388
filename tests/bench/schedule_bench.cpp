// What a rank pays for its schedule [Traeff16, Table 2]: Algorithm 1 alone, and with the derived datatypes of its
// messages, on Moore neighborhoods. All runs inside one SMPI rank, because datatypes need MPI; the times are real.

#include <benchmark/benchmark.h>
#include <mpi.h>
#include <smpi/smpi.h>

#include <numeric>
#include <simgrid/s4u.hpp>

#include "generate/generate.hpp"
#include "mpi/runtime/rounds.hpp"
#include "problems.hpp"
#include "schedule/collective.hpp"
#include "schedule/verify.hpp"

namespace {

using namespace rondo;

struct Problem {
  Torus torus;
  Neighborhood neighborhood;
  std::vector<int> order;

  explicit Problem(benchmark::State const& state)
      : torus(std::vector<int>(static_cast<std::size_t>(state.range(0)), 4)),
        neighborhood(moore(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)))),
        order(static_cast<std::size_t>(state.range(0))) {
    std::iota(order.begin(), order.end(), 0);
  }
  Schedule schedule() const { return generate::isomorphic_torus(test::alltoall(torus, neighborhood, Bytes(8), order)); }
};

void schedule_of_a_rank(benchmark::State& state) {
  Problem const problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(problem.schedule());
  state.counters["neighbors"] = problem.neighborhood.size();
}

void schedule_with_datatypes(benchmark::State& state) {
  Problem const problem(state);
  for (auto _ : state) {
    Schedule const schedule = problem.schedule();
    Program const& program = schedule.programs.at(0);
    std::vector<std::byte> memory(static_cast<std::size_t>(3 * 8 * problem.neighborhood.size()));
    mpi::SlotOffsets const offsets(program.layout());
    auto const buffer = static_cast<std::size_t>(8 * problem.neighborhood.size());
    mpi::Buffers const buffers{
        {memory.data(), memory.data() + buffer, memory.data() + 2 * buffer}, &program.layout(), &offsets};
    mpi::Rounds const rounds(schedule, Rank(0), buffers);
    benchmark::DoNotOptimize(&rounds);
  }
}

/// The replay of every rank; `moves` counts the blocks that all messages carry.
void verify_all_ranks(benchmark::State& state) {
  Problem const problem(state);
  Schedule schedule = problem.schedule();
  // Said rank by rank, the schedule is no longer known to be the same for all, and no rank speaks for the others.
  schedule.program_of.assign(static_cast<std::size_t>(schedule.ranks), 0);
  IsomorphicAlltoall const promise{problem.torus, problem.neighborhood};
  std::int64_t blocks = 0;
  for (int round = 1; round <= schedule.rounds(); ++round) blocks += schedule.programs[0].sends(round)[0].count;
  for (auto _ : state) benchmark::DoNotOptimize(verify(schedule, promise));
  state.counters["moves"] =
      benchmark::Counter(static_cast<double>(blocks * schedule.ranks), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(schedule_of_a_rank)->ArgsProduct({{3, 5}, {1, 3}})->Unit(benchmark::kMillisecond);
BENCHMARK(schedule_with_datatypes)->ArgsProduct({{3, 5}, {1, 3}})->Unit(benchmark::kMillisecond);
BENCHMARK(verify_all_ranks)->ArgsProduct({{3}, {1, 3}})->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<char const*> const words{"schedule_bench", "--cfg=contexts/stack-size:16384",
                                       "--log=root.threshold:error"};
  std::vector<char*> simgrid_words;
  for (char const* word : words) simgrid_words.push_back(const_cast<char*>(word));
  int count = static_cast<int>(simgrid_words.size());
  simgrid::s4u::Engine engine(&count, simgrid_words.data());
  smpi_init_options();
  simgrid::s4u::Engine::set_config(std::string("smpi/simulate-computation:no"));
  auto* zone = simgrid::s4u::create_full_zone("machine");
  auto* host = zone->create_host("h0", {1e9});
  zone->seal();
  SMPI_init();
  SMPI_app_instance_register("bench", nullptr, 1);
  auto actor = simgrid::s4u::Actor::init("rank 0", host);
  actor->set_property("instance_id", "bench");
  actor->set_property("rank", "0");
  actor->start([] {
    MPI_Init(nullptr, nullptr);
    benchmark::RunSpecifiedBenchmarks();
    MPI_Finalize();
  });
  engine.run();
  SMPI_finalize();
}
