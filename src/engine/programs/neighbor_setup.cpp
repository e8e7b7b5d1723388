// Runs the search for common neighbors as an MPI program and collects the part that each rank found.

#include "engine/programs/neighbor_setup.hpp"

#include <cstring>

#include "engine/smpi/simulation.hpp"
#include "mpi/setup/common_neighbors.hpp"

namespace rondo {

namespace {

// A simulated program returns bytes, so each rank's part of the pattern is encoded as numbers, and these as bytes.

std::vector<std::byte> bytes_of(std::vector<std::int64_t> const& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::int64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::vector<std::int64_t> numbers_of(std::vector<std::byte> const& bytes) {
  std::vector<std::int64_t> numbers(bytes.size() / sizeof(std::int64_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::int64_t));
  return numbers;
}

}  // namespace

Outcome<NeighborSetup> simulate_common_neighbors(ProcessGraph const& graph, problem::CommonNeighbors const& options,
                                                 Platform const& platform, EngineOptions const& engine) {
  auto const program = [&](MPI_Comm world, std::vector<std::byte>& result) {
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    result = bytes_of(encoded(
        mpi::common_neighbors(graph.distinct_targets(Rank(rank)), graph.distinct_sources(Rank(rank)), options, world)));
  };
  Outcome<ProgramRun> outcome = simulate_program(graph.ranks(), program, platform, engine);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  NeighborSetup setup{{}, std::move(outcome.result->timing)};
  for (auto const& result : outcome.result->results) setup.parts.push_back(mpi::decoded(numbers_of(result)));
  return {std::move(setup), {}, {}};
}

}  // namespace rondo
