#pragma once

// Robust least squares in log space by GSL: fits the parameters of a model to measured times, all of them above 0.
//
// The residual of a measurement is log(predicted / measured), so a time of 1 us counts as much as one of 1 s, and
// a few wild ones count little: their weights follow the soft-L1 loss 2 (sqrt(1 + (r/s)^2) - 1) with s = 0.1, which is
// quadratic for errors below some 10 % and linear above. Parameters are positive, and are fitted as logarithms.

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace rondo::fit {

/// The fit did not converge, or the data cannot determine its parameters at all.
class NotConverged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A parameter with its 95 % interval, which reaches a factor up and the same factor down. The interval assumes that
/// errors are independent and of equal distribution.
struct Estimate {
  std::string name;
  double value = 0;
  double factor = 1;
  double low() const { return value / factor; }
  double high() const { return value * factor; }
  /// Whether the interval spans more than a factor of 4, so the data hardly determine the parameter.
  bool undetermined() const { return factor > 2; }
};

/// Two parameters whose estimates rise and fall together, |correlation| > 0.95, so the data cannot separate them.
struct CorrelatedPair {
  std::string one, other;
  double correlation = 0;
};

/// The result of a fit.
struct Fitted {
  std::vector<Estimate> parameters;  ///< or the quantities that the problem asked for in their place
  std::vector<double> values;        ///< of the parameters
  std::vector<CorrelatedPair> confused;
  double median_error = 0;  ///< of |predicted / measured - 1|
  int iterations = 0;
};

/// Measured times, and a model that predicts them from parameters.
struct FitProblem {
  struct Start {
    std::string name;
    double value;  ///< more than 0
  };
  std::vector<Start> parameters;
  std::vector<double> measured;
  /// Predictions for all measurements; parameters in the order above.
  std::function<void(std::span<double const> parameters, std::span<double> predicted)> model;
  /// A quantity that a fit shall estimate: the sum of an offset and of the parameters with these weights, or the
  /// inverse of that sum.
  struct Quantity {
    std::string name;
    std::vector<double> weights;
    double offset = 0;
    bool inverse = false;
  };
  std::vector<Quantity> wanted = {};  ///< none: the parameters themselves
};

/// The loss of a residual; it is about the square if the residual is small.
double robust_loss(double residual);
/// The weight that the square of this residual gets in least squares, so that the fit minimizes that loss.
double robust_weight(double residual);

/// Throws NotConverged, with a sentence, unless there are more measurements than parameters, GSL reports convergence
/// and the covariance exists.
Fitted fit_robust(FitProblem const& problem);

}  // namespace rondo::fit
