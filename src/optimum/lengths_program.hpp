#pragma once

// The linear program whose solution is the best lengths, by GLPK. The solution is only a proposal: whatever the
// lengths are, the bound is computed anew from them (optimum/lengths.hpp).

#include <memory>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace rondo::optimum
