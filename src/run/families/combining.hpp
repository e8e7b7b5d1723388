#pragma once

// The figures of the common-neighbors combining of a neighborhood collective [Mirsadeghi17], for its record.

#include <cstdint>
#include <optional>
#include <string>

#include "generate/common_neighbors.hpp"
#include "topology/process_graph.hpp"

namespace rondo {

/// The figures of the combining; unset for all other algorithms.
struct CombiningFigures {
  std::optional<std::int64_t> friends;           ///< pairs of friends before the first iteration
  std::optional<std::int64_t> iterations;        ///< t, of Algorithm 1
  std::optional<std::int64_t> pairing_rounds;    ///< most r, iterations of Algorithm 2 in one of Algorithm 1
  std::optional<std::int64_t> pairing_messages;  ///< messages of Algorithm 2, if it runs distributed
  std::optional<std::int64_t> max_sends;         ///< most messages a rank sends; for `naive` too
  std::optional<std::int64_t> savable_messages;  ///< friend exchanges that deliver by themselves
  std::optional<double> setup_wall_s;            ///< real time that making the pattern, or an isomorphic schedule, took
  std::optional<double> setup_time_s;            ///< simulated time of the distributed algorithm that finds it
  std::optional<std::int64_t> setup_messages;    ///< messages of that algorithm, all kinds together
  std::optional<std::string> setup_note;         ///< why that was not simulated, though it was asked for
  std::optional<double> build_time_s;  ///< simulated time of building the schedule; in time_s if not persistent
  /// The time of the first call, which builds the schedule whether it is persistent or not; time_s is the time of any
  /// later call.
  std::optional<double> first_call_time_s;
  std::optional<bool> cumulative;  ///< whether neighbors are combined again; false where that fell back to single
};

/// The pattern that the distributed algorithm has to find.
struct CombiningSetup {
  ProcessGraph graph;
  problem::CommonNeighbors options;
  generate::CombiningPattern pattern;
};

}  // namespace rondo
