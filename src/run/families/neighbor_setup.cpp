// Runs the distributed search for common neighbors as an MPI program, and compares its result and its messages with the
// pattern that is computed centrally.

#include "run/families/neighbor_setup.hpp"

#include <fmt/format.h>

#include "engine/programs/neighbor_setup.hpp"

namespace rondo {
namespace {

/// The most ranks and messages of a setup that a point simulates, which takes some minutes.
constexpr int most_setup_ranks = 1024;
constexpr std::int64_t most_setup_messages = 4000000;

/// How the distributed result differs from the central one; empty if it does not.
std::string found_otherwise(NeighborSetup const& found, CombiningSetup const& setup) {
  if (mpi::whole_pattern(found.parts, setup.options.combining) != setup.pattern) {
    return "the ranks find another pattern by messages than is computed centrally";
  }
  std::int64_t const expected = total(setup.pattern.setup);
  if (found.timing.messages == expected) return "";
  return fmt::format("the pattern takes {} messages to find, the simulation carried {}", expected,
                     found.timing.messages);
}

/// The reason why the simulation is left out; empty if it is made.
std::string too_much(CombiningSetup const& setup, scenario::Scenario const& scenario) {
  if (scenario.engine != scenario::Engine::smpi) return "only the engine \"smpi\" does";
  int const ranks = setup.graph.ranks();
  if (ranks > most_setup_ranks) return fmt::format("{} ranks, at most {}", ranks, most_setup_ranks);
  std::int64_t const messages = total(setup.pattern.setup);
  if (messages > most_setup_messages) return fmt::format("{} messages, at most {}", messages, most_setup_messages);
  return "";
}

}  // namespace

std::int64_t total(generate::SetupMessages const& messages) {
  return messages.build + messages.pairing + messages.notify + messages.update;
}

/// Times the distributed search for friends, unless it is too large to be simulated.
SimulatedSetup simulate_setup(CombiningSetup const& setup, scenario::Scenario const& scenario,
                              EngineOptions const& options) {
  SimulatedSetup result;
  if (std::string const obstacle = too_much(setup, scenario); !obstacle.empty()) {
    result.note = "finding the pattern was not simulated: " + obstacle;
    return result;
  }
  Outcome<NeighborSetup> const outcome =
      simulate_common_neighbors(setup.graph, setup.options, scenario.machine, options);
  if (!outcome.result) {
    result.error = fmt::format("finding the pattern: {}: {}", to_string(outcome.failure), outcome.error);
    return result;
  }
  result.time_s = outcome.result->timing.makespan.value;
  if (auto const difference = found_otherwise(*outcome.result, setup); !difference.empty()) result.error = difference;
  return result;
}

}  // namespace rondo
