#pragma once

// Comparisons of a record with what it must agree with. Theory, counting and simulation derive the same point; a
// difference is a bug in one of them, so that the point fails. A record that comes from a file must agree with
// itself and with its point, because people edit, cut and merge results, and a number that no run has produced must
// not be taken for one.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.hpp"
#include "run/families/observation.hpp"
#include "run/points/record.hpp"
#include "schedule/measure.hpp"
#include "theory/prediction.hpp"

namespace rondo {

/// The relative tolerance for simulated and predicted times wherever theory is exact.
inline constexpr double time_tolerance = 1e-9;

/// Compares theory with counting, in every figure that theory has. Returns one line about a difference, or an empty
/// one.
std::string counting_disagrees(Record const& record);

/// Compares counting with the simulation (messages and bytes carried), and if `exact`, theory with the simulation
/// (time, within time_tolerance). `accounted_time_s` is the time to compare if theory has none. Returns one line about
/// a difference, or an empty one.
std::string simulation_disagrees(Record const& record, Measures const& measures, Timing const& timing, bool exact,
                                 std::optional<double> accounted_time_s = {});

/// Compares theory with the counts of a program, and these counts with each other: the messages with the rounds.
/// Returns one line about a difference, or an empty one.
std::string program_disagrees(Record const& record, Prediction const& prediction,
                              std::optional<ExpectedMessages> const& accounted = {});

/// The facts about a point that are known before it runs.
struct RecordFacts {
  std::string collective, algorithm, engine, timing;
  std::optional<std::string> routing;
  std::optional<std::int64_t> failed_links, block_bytes;
  std::int64_t p = 0;
  std::optional<std::uint64_t> seed;
};

RecordFacts facts_of(Record const& record);

/// "p: expected 4, as the scenario says, got 5": the first fact of a record that differs from `due`; empty if there is
/// none.
std::string contradiction(RecordFacts const& record, RecordFacts const& due);

/// Throws InputError `time_s: expected a number from 0, got -1` if a record contradicts itself: its numbers, its
/// verdict, or the scenario that it embeds.
void expect_consistent(Record const& record);

}  // namespace rondo
