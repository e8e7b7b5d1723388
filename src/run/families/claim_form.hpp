#pragma once

// Checks the form of claims: a claim that no result could refute is refused before anything is run.

#include <string>

#include "run/families/claim_search.hpp"
#include "run/families/expression.hpp"

namespace rondo {

/// Throws InputError as check_names does, and if the claim, or its condition, says nothing about measured values:
/// - it is a number ("torus.time" would hold whenever there is a time), or calculates with truths as with numbers;
/// - both sides of a comparison are constant or always equal (1 < 2, p == p, 2*D == D + D), in any branch;
/// - a truth is compared with something other than a truth, 0 or 1 (torus.delivered >= 0);
/// - its result does not depend on its comparisons (a < b || a >= b), as far as 65,536 cases of them show;
/// - a search finds no measured values that make it false (may_fail in run/families/claim_search.hpp); names that
///   `aliases` maps to each other have one value;
/// - it takes slope, exponent or fit of a constant, or compares a curve with itself;
/// - the tolerance of near(a, b, r) is not a constant from 0 to below 1.
void check_claim(Expression const& expression, Names const& names, bool along_an_axis, Aliases const& aliases = {});

/// Throws InputError if the claim can fail by itself, but never where its condition holds, as far as a search shows:
/// "ring.time > x" when "ring.time > 2*x".
void check_condition(Expression const& claim, Expression const& condition, Aliases const& aliases = {});

}  // namespace rondo
