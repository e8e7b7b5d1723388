#pragma once

// Asks a SAT solver whether a schedule exists, for the search for optima.

#include <cstdio>
#include <functional>
#include <string>

#include "optimum/formula.hpp"

namespace rondo::optimum {

/// Whether the formula has a solution; unknown if the solver stopped.
enum class Verdict : std::uint8_t { possible, impossible, unknown };

/// The result of a call.
struct Solved {
  Verdict verdict = Verdict::unknown;
  Moves moves = {};  ///< the messages of a solution, if one is possible
  /// Why the verdict is unknown: the reason that `stop` returned, "size" (too many clauses), "memory", or empty after
  /// the limit of conflicts.
  std::string stopped = {};
};

/// Decides by CaDiCaL whether a schedule within the limits exists. If none exists, `proof` gets the proof as DRAT text,
/// unless it is null. The verdict is unknown if the solver stops: when `stop` returns a reason, after so many conflicts
/// (unset: any number), for a formula that is too large, and if the memory does not suffice.
Solved solve(Question const& question, Limits const& limits, std::function<std::string()> const& stop, std::FILE* proof,
             std::optional<int> conflicts = {});

}  // namespace rondo::optimum
