#pragma once

// What one message takes by its size, in pieces of sizes: t(n) = L_k + G_k n for n up to u_k, and L, G of the last
// range for larger n.
//
// A larger message never takes less time, by construction: t is a sum, with coefficients that are at least 0, of
//   1,  n,  and for each boundary u   min(n, u),   1 for n > u,   n for n > u.
// Each of these rises with n or stays, and so does their sum; L_k and G_k are at least 0 likewise. A boundary at which
// the data show that times fall begins such a sum anew.

#include <cstdint>
#include <span>
#include <vector>

#include "fit/samples.hpp"

namespace rondo::fit {

/// Behind messages of `up_to` bytes another piece begins.
struct Boundary {
  std::int64_t up_to = 0;
  bool falls = false;  ///< whether a byte more may take less time
};

/// How many runs measured the two neighbouring sizes around a boundary, and in how many of them the larger one took
/// less time.
struct FallSeen {
  std::int64_t last = 0, next = 0;  ///< the two sizes
  int runs = 0, falling = 0;
  bool in_most() const { return 2 * falling > runs; }
};

/// The terms of a sum for t, by what each adds to L and to G of every range.
class PieceTerms {
 public:
  struct Line {
    double latency = 0, a_byte = 0;
  };
  /// Boundaries ascend in `up_to`.
  explicit PieceTerms(std::vector<Boundary> boundaries);

  std::size_t ranges() const { return boundaries_.size() + 1; }
  std::vector<Boundary> const& boundaries() const { return boundaries_; }
  std::size_t range_of(std::int64_t bytes) const;
  /// For each term a line for each range.
  std::vector<std::vector<Line>> const& terms() const { return terms_; }
  /// What a term is for a message of so many bytes, if its coefficient is 1.
  double at(std::size_t term, std::int64_t bytes) const;
  /// Whether a term is n over all ranges of its sum: with a coefficient of more than 0, no bandwidth there is infinite.
  bool is_slope(std::size_t term) const { return slope_[term]; }

 private:
  std::vector<Boundary> boundaries_;
  std::vector<std::vector<Line>> terms_;
  std::vector<bool> slope_;
};

/// Coefficients with the least loss of log(t / measured) (fit/robust.hpp says which), all at least 0.
std::vector<double> fit_terms(PieceTerms const& terms, std::span<Sample const> samples);

/// The boundaries that pay: each makes the loss so much smaller that Bayes' information criterion, which counts the
/// sizes as independent observations and three parameters a piece, falls. Every piece has at least three measured
/// sizes. A boundary falls only where most runs show it and where it still does without any one of the sizes beside it.
std::vector<Boundary> boundaries_that_pay(Samples const& samples);

/// Of each two neighbouring sizes that runs have in common. The first time of each size makes the first run, the second
/// time the second run, and so on.
std::vector<FallSeen> falls_seen(Samples const& samples);

}  // namespace rondo::fit
