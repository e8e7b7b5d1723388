// Minimizes the robust loss by GSL: each turn is a weighted least-squares fit, whose residuals give the weights of the
// next turn. Derives confidence intervals and correlations from the covariance at the solution.

#include "fit/robust.hpp"

#include <fmt/format.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <ranges>

namespace rondo::fit {
namespace {

constexpr double spread = 0.1;           // residuals larger than this count linearly: the s of robust.hpp
constexpr std::size_t most_steps = 200;  // of GSL in one weighted fit
constexpr int most_weightings = 1000;
constexpr double tolerance = 1e-6;  // the fit ends if no logarithm of a parameter moves by as much

template <typename T, void (*free)(T*)>
struct Freed {
  void operator()(T* pointer) const { free(pointer); }
};
using Vector = std::unique_ptr<gsl_vector, Freed<gsl_vector, gsl_vector_free>>;
using Matrix = std::unique_ptr<gsl_matrix, Freed<gsl_matrix, gsl_matrix_free>>;
using Workspace =
    std::unique_ptr<gsl_multifit_nlinear_workspace, Freed<gsl_multifit_nlinear_workspace, gsl_multifit_nlinear_free>>;

/// log(predicted / measured) for GSL, which asks for it by a pointer.
int residuals(gsl_vector const* logarithms, void* data, gsl_vector* result) {
  auto const& problem = *static_cast<FitProblem const*>(data);
  std::vector<double> parameters(problem.parameters.size()), predicted(problem.measured.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = std::exp(gsl_vector_get(logarithms, i));
  problem.model(parameters, predicted);
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    double const residual = std::log(predicted[row] / problem.measured[row]);
    if (!std::isfinite(residual)) return GSL_EDOM;
    gsl_vector_set(result, row, residual);
  }
  return GSL_SUCCESS;
}

/// The quantities that the problem asks for; if it names none, each parameter by itself.
std::vector<FitProblem::Quantity> quantities(FitProblem const& problem) {
  if (!problem.wanted.empty()) return problem.wanted;
  std::vector<FitProblem::Quantity> each;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    auto& parameter = each.emplace_back(FitProblem::Quantity{problem.parameters[i].name, {}});
    parameter.weights.resize(problem.parameters.size());
    parameter.weights[i] = 1;
  }
  return each;
}

/// The bilinear form left^T M right.
double product(std::vector<double> const& left, std::vector<double> const& right, gsl_matrix const& matrix) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) sum += left[i] * gsl_matrix_get(&matrix, i, j) * right[j];
  }
  return sum;
}

/// Whether both sums contain a common parameter. If so, their estimates rise and fall together by construction, which
/// says nothing about the data.
bool have_common_parameter(std::vector<double> const& one, std::vector<double> const& other) {
  return std::ranges::any_of(std::views::iota(std::size_t{0}, one.size()),
                             [&](std::size_t i) { return one[i] != 0 && other[i] != 0; });
}

/// Solves one problem with GSL by iteratively reweighted least squares.
class Solver {
 public:
  explicit Solver(FitProblem const& problem)
      : problem_(problem),
        rows_(problem.measured.size()),
        columns_(problem.parameters.size()),
        at_(gsl_vector_alloc(columns_)),
        weights_(gsl_vector_alloc(rows_)) {
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    parameters.fdtype = GSL_MULTIFIT_NLINEAR_CTRDIFF;
    workspace_.reset(gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, rows_, columns_));
    if (!at_ || !weights_ || !workspace_) throw std::bad_alloc();
    function_.f = residuals;
    function_.n = rows_;
    function_.p = columns_;
    function_.params = const_cast<FitProblem*>(&problem_);  // only read
    for (std::size_t i = 0; i < columns_; ++i) gsl_vector_set(at_.get(), i, std::log(problem.parameters[i].value));
    gsl_vector_set_all(weights_.get(), 1);
  }

  /// Fits with equal weights, computes weights from the residuals, and fits again, until the parameters no longer
  /// change.
  void run() {
    for (int weighting = 1; weighting <= most_weightings; ++weighting) {
      std::vector<double> const before = logarithms();
      step();
      weigh();
      std::vector<double> const after = logarithms();
      double moved = 0;
      for (std::size_t i = 0; i < columns_; ++i) moved = std::max(moved, std::abs(after[i] - before[i]));
      if (moved < tolerance) return;
    }
    throw NotConverged(fmt::format("the parameters still move after {} weightings", most_weightings));
  }

  /// The estimates of the wanted quantities, with 95 % intervals of Student's t distribution. The covariance is that of
  /// logarithms. A quantity is a sum of parameters, so a relative change of a parameter changes the logarithm of the
  /// quantity by the share of that parameter in the sum.
  Fitted result() const {
    Fitted fitted;
    for (double const each : logarithms()) fitted.values.push_back(std::exp(each));
    Matrix const covariance = this->covariance();
    double const scale = variance_of_errors();
    double const t = gsl_cdf_tdist_Pinv(0.975, static_cast<double>(rows_ - columns_));
    std::vector<FitProblem::Quantity> const wanted = quantities(problem_);
    std::vector<std::vector<double>> gradients;
    for (auto const& each : wanted) {
      double const sum =
          std::inner_product(each.weights.begin(), each.weights.end(), fitted.values.begin(), each.offset);
      auto& gradient = gradients.emplace_back();
      for (std::size_t i = 0; i < columns_; ++i)
        gradient.push_back(sum > 0 ? each.weights[i] * fitted.values[i] / sum : 0);
      double const deviation = std::sqrt(std::max(scale * product(gradient, gradient, *covariance), 0.0));
      fitted.parameters.push_back({each.name, each.inverse ? 1 / sum : sum, std::exp(t * deviation)});
      for (std::size_t j = 0; j + 1 < gradients.size(); ++j) {
        if (have_common_parameter(gradient, gradients[j])) continue;
        double const both =
            std::sqrt(product(gradient, gradient, *covariance) * product(gradients[j], gradients[j], *covariance));
        double const correlation = product(gradient, gradients[j], *covariance) / both;
        if (std::abs(correlation) > 0.95) fitted.confused.push_back({wanted[j].name, each.name, correlation});
      }
    }
    fitted.median_error = median_error();
    fitted.iterations = iterations_;
    return fitted;
  }

 private:
  std::vector<double> logarithms() const {
    std::vector<double> result(columns_);
    for (std::size_t i = 0; i < columns_; ++i) result[i] = gsl_vector_get(at_.get(), i);
    return result;
  }

  /// Makes one weighted fit, which starts where the last one ended.
  void step() {
    int why = 0;
    int status = gsl_multifit_nlinear_winit(at_.get(), weights_.get(), &function_, workspace_.get());
    if (status == GSL_SUCCESS) {
      status = gsl_multifit_nlinear_driver(most_steps, 1e-8, 1e-8, 0, nullptr, nullptr, &why, workspace_.get());
    }
    iterations_ += static_cast<int>(gsl_multifit_nlinear_niter(workspace_.get()));
    // If the start is the minimum already, no step is better, and GSL reports an error with this reason in `why`.
    // The next weighting shows whether it was the minimum.
    bool const no_better = status == GSL_ENOPROG || (status == GSL_EMAXITER && why == GSL_ENOPROG);
    if (status != GSL_SUCCESS && !no_better) throw NotConverged(gsl_strerror(status));
    gsl_vector_memcpy(at_.get(), gsl_multifit_nlinear_position(workspace_.get()));
  }

  /// The residuals at the current parameters. Throws NotConverged if a predicted time is not positive.
  std::vector<double> residuals_here() const {
    Vector const values(gsl_vector_alloc(rows_));
    if (!values) throw std::bad_alloc();
    if (residuals(at_.get(), const_cast<FitProblem*>(&problem_), values.get()) != GSL_SUCCESS) {
      throw NotConverged("a predicted time is not more than 0");
    }
    std::vector<double> result(rows_);
    for (std::size_t row = 0; row < rows_; ++row) result[row] = gsl_vector_get(values.get(), row);
    return result;
  }

  /// The weight of a row: the derivative of the soft-L1 loss over that of the square.
  void weigh() {
    std::vector<double> const found = residuals_here();
    for (std::size_t row = 0; row < rows_; ++row) {
      gsl_vector_set(weights_.get(), row, robust_weight(found[row]));
    }
  }

  /// The inverse of the normal equations. It is the covariance of the parameters if the residuals have variance 1.
  Matrix covariance() const {
    Matrix covariance(gsl_matrix_alloc(columns_, columns_)), jacobian(gsl_matrix_alloc(rows_, columns_));
    if (!covariance || !jacobian) throw std::bad_alloc();
    // GSL's Jacobian has each row multiplied by the root of its weight; this is undone here.
    gsl_matrix_memcpy(jacobian.get(), gsl_multifit_nlinear_jac(workspace_.get()));
    for (std::size_t row = 0; row < rows_; ++row) {
      gsl_vector_view of_row = gsl_matrix_row(jacobian.get(), row);
      gsl_vector_scale(&of_row.vector, 1 / gsl_vector_get(workspace_->sqrt_wts, row));
    }
    // GSL sets a variance to 0 if its column in the decomposition of the Jacobian is smaller than this share of the
    // first.
    constexpr double rank_limit = 1e-9;
    gsl_multifit_nlinear_covar(jacobian.get(), rank_limit, covariance.get());
    for (std::size_t i = 0; i < columns_; ++i) {
      double const variance = gsl_matrix_get(covariance.get(), i, i);
      if (std::isfinite(variance) && variance > 0) continue;
      throw NotConverged(fmt::format("the data do not determine {}", problem_.parameters[i].name));
    }
    return covariance;
  }

  /// The factor that turns covariance() into the covariance of the estimates: K^2 (sum(psi^2) / (n - p)) / mean(psi')^2
  /// for a loss with the derivative psi, where K = 1 + p/n var(psi') / mean(psi')^2 [Huber73].
  double variance_of_errors() const {
    double squares = 0, slopes = 0, squared_slopes = 0;
    std::vector<double> const found = residuals_here();
    for (std::size_t row = 0; row < rows_; ++row) {
      double const weight = gsl_vector_get(weights_.get(), row);
      // For the soft-L1 loss psi = weight * residual, and psi' = weight^3.
      double const psi = weight * found[row], slope = weight * weight * weight;
      squares += psi * psi;
      slopes += slope;
      squared_slopes += slope * slope;
    }
    auto const n = static_cast<double>(rows_), p = static_cast<double>(columns_);
    double const mean = slopes / n;
    double const correction = 1 + p / n * std::max(squared_slopes / n - mean * mean, 0.0) / (mean * mean);
    return correction * correction * squares / (n - p) / (mean * mean);
  }

  /// The median of |predicted / measured - 1|.
  double median_error() const {
    std::vector<double> found = residuals_here();
    for (double& each : found) each = std::abs(std::expm1(each));
    std::ranges::sort(found);
    std::size_t const half = found.size() / 2;
    return found.size() % 2 == 1 ? found[half] : (found[half - 1] + found[half]) / 2;
  }

  FitProblem const& problem_;
  std::size_t rows_, columns_;
  Vector at_, weights_;
  Workspace workspace_;
  gsl_multifit_nlinear_fdf function_ = {};
  int iterations_ = 0;
};

}  // namespace

double robust_loss(double residual) {
  double const relative = residual / spread;
  return 2 * spread * spread * (std::sqrt(1 + relative * relative) - 1);
}

double robust_weight(double residual) {
  double const relative = residual / spread;
  return 1 / std::sqrt(1 + relative * relative);
}

Fitted fit_robust(FitProblem const& problem) {
  if (problem.measured.size() <= problem.parameters.size()) {
    throw NotConverged(fmt::format("{} measurements cannot determine {} parameters", problem.measured.size(),
                                   problem.parameters.size()));
  }
  gsl_set_error_handler_off();
  Solver solver(problem);
  solver.run();
  return solver.result();
}

}  // namespace rondo::fit
