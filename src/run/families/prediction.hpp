#pragma once

// What theory says of a problem before anything runs, in the words of the record.

#include <cstdint>
#include <optional>
#include <string>

#include "run/families/figures.hpp"
#include "run/families/sparse_figures.hpp"

namespace rondo {

/// What theory says of an algorithm, from the problem alone.
struct Prediction {
  Figures theory;  ///< the closed form; its time is unset where the closed form does not know the machine
  Figures bound;   ///< of the link class
  /// The link class that the bounds hold for: "unit" or "any"; unset where there are none.
  std::optional<std::string> links = "any";
  /// Whether the simulation must reproduce theory.time_s to 1e-9: no rank posts more than its ports serve at once, and
  /// links are not shared.
  bool exact = false;
  /// What theory does not derive from the problem, so that it is only accounted from what was generated or run: some of
  /// "rounds volume time messages".
  std::optional<std::string> accounted = {};
  /// The bounds hold for schedules with at most so many blocks in a message; unset: with any number.
  std::optional<std::int64_t> message_blocks = {};
  SparseFigures sparse = {};                ///< the messages of a sparse exchange by their purpose
  std::optional<std::int64_t> levels = {};  ///< of a bisection
};

}  // namespace rondo
