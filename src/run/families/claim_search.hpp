#pragma once

// Searches for measured values that make a claim false. A claim for which there are none could never be refuted.

#include <map>
#include <string>

#include "run/families/expression_tree.hpp"

namespace rondo {

/// Other words for a name's value, after its first dot: "time_s" for "time".
using Aliases = std::map<std::string, std::string>;

/// Whether some measured values make a claim false. Values are drawn from the known domains: counts are whole numbers,
/// a fit is from 0 to 1, truths are 0 or 1, slopes and exponents have either sign, and all others are at least 0. The
/// draws include the constants of the claim and their neighbors, 0, very small and very large values, and equal values
/// for several names. The claim is evaluated in intervals, so that it does not count as false if only rounding makes it
/// so. If a claim fails only where two sides are equal, bisection finds that place. A claim without a finite value at
/// any draw fails too. The answer `false` means that none of some thousand draws made the claim false; it is no proof.
bool may_fail(ExpressionNode const& claim, Aliases const& aliases);
/// Whether some values that make `condition` true make the claim false. The answer `false` means that hundreds of draws
/// made the condition true and none of them made the claim false. If fewer draws did, nothing is known, and the answer
/// is true.
bool may_fail_where(ExpressionNode const& condition, ExpressionNode const& claim, Aliases const& aliases);

}  // namespace rondo
