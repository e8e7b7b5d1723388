// The options of common_neighbors, which several kinds have.

#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* theta_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "the number of common neighbors that makes two ranks friends, who may combine messages; 4 by default"
})json";

constexpr char const* tie_schema = R"json({
"type": "string", "enum": "tie",
"description": "which friend a rank chooses if several have the same number of common neighbors: the one with the highest or the lowest rank; highest by default"
})json";

constexpr char const* suitors_schema = R"json({
"type": "string", "enum": "suitors",
"description": "which friends a rank may accept of those that chose it: literal (by default), those that it has not removed from its own list; active, all that are neither paired nor finished, as in the author's code"
})json";

constexpr char const* half_schema = R"json({
"type": "string", "enum": "half",
"description": "whether the lower rank of a pair serves the smaller (floor) or the larger half (ceil) of the common neighbors; floor by default"
})json";

constexpr char const* cumulative_schema = R"json({
"type": "boolean", "description": "whether messages that were combined in an earlier iteration are combined again; false by default"
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
