// The options of common_neighbors, which several kinds have.

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* theta_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "how many neighbors two ranks must have in common to be friends; 4 by default"
})json";

constexpr char const* tie_schema = R"json({
"type": "string", "enum": "tie",
"description": "which of several friends with as many common neighbors a rank chooses; highest by default"
})json";

constexpr char const* suitors_schema = R"json({
"type": "string", "enum": "suitors",
"description": "which of the friends that chose it a rank may accept: literal (by default): those that it has not given up itself; active: all that are neither paired nor terminal, as the author's code does"
})json";

constexpr char const* half_schema = R"json({
"type": "string", "enum": "half",
"description": "whether the lower rank of a pair takes floor or ceil of half the common neighbors; floor by default"
})json";

constexpr char const* cumulative_schema = R"json({
"type": "boolean", "description": "combine onloaded neighbors again in later iterations; false by default"
})json";

}  // namespace

Keys common_neighbors_keys() {
  return {{"theta", theta_schema},
          {"tie", tie_schema},
          {"suitors", suitors_schema},
          {"half", half_schema},
          {"cumulative", cumulative_schema}};
}

problem::CommonNeighbors read_common_neighbors(Place const& collective) {
  problem::CommonNeighbors options;
  options.theta = collective.value.value("theta", options.theta);
  options.tie = word_at(collective, "tie", options.tie);
  options.suitors = word_at(collective, "suitors", options.suitors);
  options.half = word_at(collective, "half", options.half);
  if (collective.value.value("cumulative", false)) options.combining = problem::Combining::cumulative;
  return options;
}

}  // namespace rondo::scenario
