// What a rank pays to set up a neighborhood [Traeff16, Table 2], on Moore neighborhoods: Algorithm 1 alone, and with
// the derived datatypes of its messages, as Iso_neighborhood_alltoall_init has them; and the local work of the other
// rows, Iso_neighborhood_create and the two constructors of graphs, whose messages to other ranks are missing here
// (scenarios/isomorphic-table-2-messages.json has their time). All runs inside one SMPI rank, because datatypes and
// communicators need MPI; the times are real.

#include <benchmark/benchmark.h>
#include <mpi.h>
#include <smpi/smpi.h>

#include <numeric>
#include <simgrid/s4u.hpp>

#include "generate/generate.hpp"
#include "mpi/runtime/rounds.hpp"
#include "problems.hpp"
#include "rondo/isomorphic.h"
#include "rondo/topology.h"
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
  Schedule schedule() const {
    return generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, Bytes(8), order));
  }
};

/// s times D, in which Propositions 1 and 2 have the schedule computed.
std::int64_t neighbors_times_rounds(benchmark::State const& state, Problem const& problem) {
  return problem.neighborhood.size() * 2 * state.range(0) * state.range(1);
}

void schedule_of_a_rank(benchmark::State& state) {
  Problem const problem(state);
  for (auto _ : state) benchmark::DoNotOptimize(problem.schedule());
  state.counters["neighbors"] = problem.neighborhood.size();
  state.SetComplexityN(neighbors_times_rounds(state, problem));
}

/// As many edges from the only rank to itself as it has neighbors.
struct OneRank {
  int neighbors;
  std::vector<int> offsets, ranks, extents;

  explicit OneRank(benchmark::State const& state)
      : neighbors(Problem(state).neighborhood.size()),
        ranks(static_cast<std::size_t>(neighbors), 0),
        extents(static_cast<std::size_t>(state.range(0)), 1) {
    Problem const problem(state);
    for (int i = 0; i < neighbors; ++i) {
      for (int const c : problem.neighborhood[i]) offsets.push_back(c);
    }
  }
};

void iso_neighborhood_create(benchmark::State& state) {
  OneRank const one(state);
  for (auto _ : state) {
    MPI_Comm made = MPI_COMM_NULL;
    Rondo_Iso_neighborhood_create_torus(MPI_COMM_WORLD, static_cast<int>(one.extents.size()), one.extents.data(),
                                        one.neighbors, one.offsets.data(), &made);
    MPI_Comm_free(&made);
  }
}

void dist_graph_create_adjacent(benchmark::State& state) {
  OneRank const one(state);
  for (auto _ : state) {
    MPI_Comm made = MPI_COMM_NULL;
    Rondo_Dist_graph_create_adjacent(MPI_COMM_WORLD, one.neighbors, one.ranks.data(), MPI_UNWEIGHTED, one.neighbors,
                                     one.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    MPI_Comm_free(&made);
  }
}

void dist_graph_create(benchmark::State& state) {
  OneRank const one(state);
  int const rank = 0;
  for (auto _ : state) {
    MPI_Comm made = MPI_COMM_NULL;
    Rondo_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one.neighbors, one.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                            0, &made);
    MPI_Comm_free(&made);
  }
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

/// The rows and columns of the paper's table, which gives milliseconds.
void of_the_table(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgsProduct({{2, 3, 4, 5}, {1, 2, 3}})->ArgNames({"d", "r"})->Unit(benchmark::kMillisecond);
}

BENCHMARK(dist_graph_create_adjacent)->Apply(of_the_table);
BENCHMARK(dist_graph_create)->Apply(of_the_table);
BENCHMARK(iso_neighborhood_create)->Apply(of_the_table);
BENCHMARK(schedule_of_a_rank)->Apply(of_the_table)->Complexity(benchmark::oN);
BENCHMARK(schedule_with_datatypes)->Apply(of_the_table);
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
