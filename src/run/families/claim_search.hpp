#pragma once

#include <map>
#include <string>

#include "run/families/expression_tree.hpp"

namespace rondo {

/// Other words for what a name says of a value, behind its first dot: "time_s" for "time".
using Aliases = std::map<std::string, std::string>;

/// Whether some values of what is measured make a claim false. They are drawn from their domains, whichever is known:
/// counts are whole numbers, a fit is from 0 to 1, what is true or false is 0 or 1, slopes and exponents have either
/// sign, and nothing else is below 0. Among them are the constants of the claim and their neighbors, 0, very small and
/// very large values, and several names with one value. What only rounding makes false counts as true: the claim is
/// evaluated in intervals. Where a claim fails only where two sides are equal, that place is looked for by bisection.
/// A claim that has no finite value at any draw fails too. `false` says that none of some thousand draws made it false;
/// that is no proof.
bool may_fail(ExpressionNode const& claim, Aliases const& aliases);
/// Whether some values that make `condition` true make the claim false. `false` says that hundreds of draws made the
/// condition true and none of them the claim false; where fewer did, nothing is known, and the claim may fail.
bool may_fail_where(ExpressionNode const& condition, ExpressionNode const& claim, Aliases const& aliases);

}  // namespace rondo
