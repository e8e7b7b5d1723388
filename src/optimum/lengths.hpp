#pragma once

// Lower bounds of times by lengths of links. They are the dual of a flow of all pairs at the same time. A linear
// program has the best lengths as its solution. The solution is only a proposal: whatever the lengths are, the bound
// is computed anew from them.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "optimum/demand.hpp"
#include "optimum/distances.hpp"

namespace rondo::optimum {

/// Minimises the sum of cost times length over links, under the condition that the bytes of all sources together travel
/// a distance of 1. The distance of a source is at most that of each known routing of its bytes. Routings are added one
/// by one, when lengths show that they are the shortest.
class LengthsProgram {
 public:
  /// `costs` is by link; a link with cost 0 has length 0.
  LengthsProgram(std::span<double const> costs, int sources);
  ~LengthsProgram();
  LengthsProgram(LengthsProgram const&) = delete;
  LengthsProgram& operator=(LengthsProgram const&) = delete;

  /// Adds a routing of the bytes of a source, by the load of each link.
  void add(int source, std::span<double const> loads);
  /// The lengths by link, and their cost; unset if GLPK finds none.
  struct Solution {
    std::vector<double> lengths;
    double cost = 0;
  };
  std::optional<Solution> solve();

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

/// The bound that these lengths give, in seconds; 0 if they give none. Whatever the lengths and the routes are, bytes
/// from one rank to another pass links of at least the shortest distance between the two. Bytes that several ranks
/// want, or to which several contribute, pass links that together have at least the length of a tree between these
/// ranks. In T seconds the links carry at most T times the sum of capacity times length. The bound is the quotient of
/// the two sums. Links without a limit of capacity count with length 0.
double seconds_by_lengths(Network const& network, Demand const& demand, Lengths const& lengths);

/// Good lengths for the bytes that ranks owe each other; empty if none give a larger bound than cuts do, or if the
/// search would take too long. Lengths grow where short routes and trees meet, again and again, as in approximations of
/// concurrent flows (Garg and Koenemann). In small networks a linear program improves them; for blocks between pairs
/// these are the best ones.
Lengths find_lengths(Network const& network, Demand const& demand);

}  // namespace rondo::optimum
