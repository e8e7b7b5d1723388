#pragma once

// The figures of a family that a record gets besides the usual ones, and the facts about a run of an MPI program,
// which are known only afterwards. The figures describe the common-neighbors combining of a neighborhood collective
// [Mirsadeghi17] and programs of sparse exchanges.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "generate/common_neighbors.hpp"
#include "theory/prediction.hpp"
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

/// The counts of programs of sparse exchanges; unset for all other problems.
struct ExchangeProgramFigures {
  std::optional<std::int64_t> exchanges;   ///< exchanges of the rank that takes part in most
  std::optional<std::int64_t> reductions;  ///< reductions and scans of the rank that takes part in most
  std::optional<std::int64_t> reduction_messages;
  std::optional<std::int64_t> luby_rounds;
  std::optional<std::int64_t> members;  ///< ranks in the independent set
  std::optional<std::int64_t> colors;
  std::optional<std::int64_t> levels;         ///< levels of the bisection
  std::optional<std::int64_t> smallest_part;  ///< points
  std::optional<std::int64_t> largest_part;
};

/// The messages that the program must have sent. They are computed from the number of rounds that it took, which theory
/// cannot predict.
struct ExpectedMessages {
  std::int64_t messages = 0;
  SparseFigures sparse;
};

/// The counts and times of a program's ranks, and the errors that they found. A count or result that the program does
/// not have is unset.
struct Observation {
  Timing whole;  ///< of the whole program, including the making of communicators and checks, which `time` excludes
  Seconds time;  ///< from start to end of the part that is measured
  std::vector<Seconds> finish = {};               ///< of each rank, as `time` counts; empty where that is not known
  std::int64_t messages = 0;                      ///< of all ranks
  std::optional<std::int64_t> volume_bytes = {};  ///< sent by the rank that sends most
  std::optional<double> total_blocks = {};        ///< blocks sent by all ranks
  std::optional<bool> payload_verified = {};      ///< every byte that arrived was checked; unset if we sent no payload
  std::optional<bool> delivered = {};             ///< whether all data arrived unchanged
  std::optional<std::vector<std::string>> faults = {};  ///< wrong data, one line each; empty: none
  SparseFigures sparse = {};
  ExchangeProgramFigures exchange_program = {};
  std::optional<ExpectedMessages> accounted = {};  ///< set if the number of messages can be checked
  std::vector<CollectiveCalls> profile = {};       ///< empty unless EngineOptions::calls asks for it
};

}  // namespace rondo
