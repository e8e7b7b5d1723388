#pragma once

// The data that claims read: the records of the points that a claim compares, side by side, under the names of its
// expressions.

#include <map>
#include <string>
#include <vector>

#include "run/points/judge.hpp"

namespace rondo {

/// The data for one combination of the other axes: the names with their values, for each value of `over`, or once if
/// the claim has no `over`.
struct ClaimGroup {
  std::string where;                       ///< the combination as "POINTER=VALUE ..."; empty if there are no other axes
  std::vector<double> axis;                ///< the values of `over`; a single 0 without `over`
  std::vector<Names> along;                ///< for each of these values, the names with their values
  std::multimap<std::string, int> points;  ///< the numbers of the points, by the prefix of their names
  std::string failure;                     ///< the first error among its records; empty if there is none
  int failed_point = 0;                    ///< the number of the point with this error; 0 if there is none
  int not_run = 0;                         ///< points that were not to be run
};

/// The groups in the order of their first points. Throws InputError `FILE: /expect/0/across: ...` if values of an axis
/// cannot be names, or are not numbers.
std::vector<ClaimGroup> groups_of(scenario::Claim const& claim, std::vector<PointResult> const& results,
                                  std::string const& file);

}  // namespace rondo
