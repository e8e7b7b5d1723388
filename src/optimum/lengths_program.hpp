#pragma once

// The linear program that the best lengths solve, by GLPK. Its solution is only a proposal: whatever lengths it gives,
// the bound is added up again (optimum/lengths.hpp).

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rondo::optimum {

/// Minimises the sum of cost times length over links, where the bytes of all sources together go a distance of 1. The
/// distance of a source is at most what each known routing of its bytes makes of the lengths; routings are added one by
/// one, as lengths show them to be the shortest.
class LengthsProgram {
 public:
  /// `costs` by link, 0 where its length is 0.
  LengthsProgram(std::span<double const> costs, int sources);
  ~LengthsProgram();
  LengthsProgram(LengthsProgram const&) = delete;
  LengthsProgram& operator=(LengthsProgram const&) = delete;

  /// A routing of the bytes of a source: what each link carries.
  void add(int source, std::span<double const> loads);
  /// The lengths by link and their cost; unset where GLPK finds none.
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
