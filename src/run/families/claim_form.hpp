#pragma once

#include <string>

#include "run/families/claim_search.hpp"
#include "run/families/expression.hpp"

namespace rondo {

/// Throws InputError where check_names does, and where the claim, or its condition, says nothing about what is
/// measured:
/// - it is a number ("torus.time" would hold whenever there is a time), or reckons with truths as if they were numbers;
/// - both sides of a comparison are constants, or one thing (1 < 2, p == p, 2*D == D + D), in whichever branch;
/// - a truth is compared with anything but a truth, 0 or 1 (torus.delivered >= 0);
/// - it comes out the same whatever its comparisons say (a < b || a >= b), as far as 65,536 cases of them can tell;
/// - no values of what is measured make it false, as far as a search can tell (may_fail in
///   run/families/claim_search.hpp), where names that `aliases` has stand for one value;
/// - slope, exponent or fit of a constant, and any curve against itself;
/// - the tolerance of near(a, b, r) is no constant from 0 to below 1.
void check_claim(Expression const& expression, Names const& known, bool along_an_axis, Aliases const& aliases = {});

/// Throws InputError where the claim, which may fail by itself, holds wherever its condition does, as far as a search
/// can tell: "ring.time > x" when "ring.time > 2*x".
void check_condition(Expression const& claim, Expression const& condition, Aliases const& aliases = {});

}  // namespace rondo
