#pragma once

// Optima of a scenario's promise (src/optimum): the question that follows from its problem and machine, the answers
// as lines, the schedule that was found, and the proof. docs/optima.md describes the proof.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "scenario/scenario.hpp"

namespace rondo {

struct OptimumOptions {
  std::optional<int> rounds = {};          ///< schedules of at most so many rounds; unset: the fewest
  std::optional<int> message_blocks = {};  ///< each message has at most so many blocks; unset: any number
  int pieces = 1;                          ///< each block is cut into so many pieces, which the search treats as blocks
  /// Whether to stop now, and why; empty: go on.
  std::function<std::string()> stop = [] { return std::string(); };
  bool proved = false;  ///< whether to keep a proof of the first answer
};

/// One answer: the members that `rondo optimum --format jsonl` prints, in their order.
struct OptimumLine {
  std::optional<int> rounds = {};
  std::optional<int> message_blocks = {};  ///< unset: any number
  std::optional<int> critical_blocks = {};
  std::string status = {};  ///< optimal, bounded, open
  int at_least = 0;
  std::optional<int> at_most = {};
  std::string of = {};       ///< the figure that is minimized: rounds or critical_blocks
  std::string by = {};       ///< the argument for the lower bound: optimum::Argument::by, or search
  std::string stopped = {};  ///< why the search stopped early; empty if it was complete
};

/// The results of a search that can be written to files.
struct OptimumFiles {
  std::string schedule;             ///< as JSON, with its promise; empty: none is known
  scenario::Json proof = {};        ///< null without `proved`
  std::string cnf = {}, drat = {};  ///< empty: the lower bound needs none
};

/// Searches, and calls `take` with each answer as soon as it is known. Throws InputError with the file's name if the
/// problem is no promise of blocks, or is too large.
OptimumFiles optimum_of(scenario::Scenario const& scenario, std::string const& file, OptimumOptions const& options,
                        std::function<void(OptimumLine const&)> const& take);

/// The names of the members of a line; and one as cells of a table, as a line of JSON.
std::vector<std::string> optimum_columns();
/// The cells of a line for the table, in the order of optimum_columns().
std::vector<std::string> optimum_cells(OptimumLine const& line);
/// The line as JSON, with null for unset values.
std::string optimum_json(OptimumLine const& line);

}  // namespace rondo
