#pragma once

// The SAT solver behind the search for optima.

#include <cstdio>
#include <functional>
#include <string>

#include "optimum/formula.hpp"

namespace rondo::optimum {

/// Whether the formula has a solution; unknown if the solver stopped.
enum class Verdict : std::uint8_t { possible, impossible, unknown };

/// The result of a call, with the messages of a solution or the reason to stop.
struct Solved {
  Verdict verdict = Verdict::unknown;
  Moves moves = {};          ///< if possible
  std::string stopped = {};  ///< why it is unknown
};

/// Whether a schedule within the limits exists, decided by CaDiCaL. If none exists, `proof`, unless it is null, gets
/// the proof as DRAT text. The verdict is unknown after so many conflicts.
Solved solve(Question const& question, Limits const& limits, std::function<std::string()> const& stop, std::FILE* proof,
             std::optional<int> conflicts = {});

}  // namespace rondo::optimum
