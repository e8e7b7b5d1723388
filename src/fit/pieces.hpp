#pragma once

// The time of a message as a function of its size, in pieces of sizes: t(n) = L_k + G_k n for n up to u_k, and L, G
// of the last range for larger n.
//
// By construction a larger message never takes less time. t is a sum of these terms with coefficients that are at
// least 0:
//    1,  n,  and for each boundary u   min(n, u),   1 for n > u,   n for n > u.
// None of the terms falls as n rises, and so their sum does not fall either. Each term adds at least 0 to L_k and to
// G_k, so both are at least 0. At a boundary at which the data show falling times a new sum of this kind begins.

#include <cstdint>
#include <span>
#include <vector>

#include "fit/samples.hpp"

namespace rondo::fit {

/// Where a piece ends: messages of more than `up_to` bytes belong to the next piece.
struct Boundary {
  std::int64_t up_to = 0;
  bool falls = false;  ///< whether a byte more may take less time
};

/// How many runs measured the two neighboring sizes around a boundary, and in how many of them the larger one took
/// less time.
struct ObservedFall {
  std::int64_t last = 0, next = 0;  ///< the two sizes
  int runs = 0, falling = 0;
  bool in_most() const { return 2 * falling > runs; }
};

/// The terms of the sum for t. For each term and each range of sizes it knows how much the term adds to L and to G.
class PieceTerms {
 public:
  struct Line {
    double latency = 0, per_byte = 0;
  };
  /// Boundaries ascend in `up_to`.
  explicit PieceTerms(std::vector<Boundary> boundaries);

  std::size_t ranges() const { return boundaries_.size() + 1; }
  std::vector<Boundary> const& boundaries() const { return boundaries_; }
  std::size_t range_of(std::int64_t bytes) const;
  /// For each term its line in each range.
  std::vector<std::vector<Line>> const& terms() const { return terms_; }
  /// The value of a term with coefficient 1 for a message of so many bytes.
  double at(std::size_t term, std::int64_t bytes) const;
  /// Whether a term is n in all ranges of its sum. With a coefficient above 0, such a term makes every bandwidth there
  /// finite.
  bool is_slope(std::size_t term) const { return slope_[term]; }

 private:
  std::vector<Boundary> boundaries_;
  std::vector<std::vector<Line>> terms_;
  std::vector<bool> slope_;
};

/// The coefficients, all at least 0, for which the loss of log(t / measured) is least; fit/robust.hpp defines the loss.
std::vector<double> fit_terms(PieceTerms const& terms, std::span<Sample const> samples);

/// Chooses the boundaries that pay. A boundary pays if it lowers the loss so much that Bayes' information criterion
/// falls, too; the criterion counts the sizes as independent observations and takes four parameters for a piece. Every
/// piece has at least three measured sizes. Times may fall at a boundary only if most runs show it, and if the fit
/// becomes much better by it. The latter must hold even if any single size of the two pieces beside the boundary is
/// left out.
std::vector<Boundary> boundaries_that_pay(Samples const& samples);

/// One entry for each pair of neighboring sizes that runs have in common. The first time of each size belongs to the
/// first run, the second time to the second run, and so on.
std::vector<ObservedFall> falls_seen(Samples const& samples);

}  // namespace rondo::fit
