// Fits the parameters of machines and writes them as JSON, with their uncertainties in "source".

#include "fit/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "fit/pieces.hpp"

namespace rondo::fit {
namespace {

using Json = nlohmann::ordered_json;

std::string seconds(double value) { return print(Seconds(in_four_digits(value))); }
std::string bandwidth(double value) { return print(BytesPerSecond(in_four_digits(value))); }
std::string nanoseconds_a_byte(double value) { return fmt::format("{}ns/B", in_four_digits(1e9 * value)); }

using Printer = std::function<std::string(double)>;

/// "latency 1.2us (1.1us to 1.3us)", or "latency 1.2us (no interval)" where the interval spans all that a double holds.
std::string estimate_text(Estimate const& estimate, Printer const& printer) {
  bool const bounded = std::isfinite(estimate.high()) && estimate.low() > 0;
  if (!bounded) return fmt::format("{} {} (no interval)", estimate.name, printer(estimate.value));
  return fmt::format("{} {} ({} to {})", estimate.name, printer(estimate.value), printer(estimate.low()),
                     printer(estimate.high()));
}

/// Throws NotConverged unless all parameters of the fit are finite and positive numbers.
void expect_numbers(Fitted const& fitted) {
  for (Estimate const& each : fitted.parameters) {
    if (std::isfinite(each.value) && each.value > 0 && !std::isnan(each.factor)) continue;
    throw NotConverged(fmt::format("the data do not determine {}", each.name));
  }
  if (!std::isfinite(fitted.median_error)) throw NotConverged("no parameters come near the measured times");
}

/// The sentences about a fit for the machine's `source`; `printers` has one entry for each parameter.
std::vector<std::string> fit_sentences(Fitted const& fitted, std::vector<Printer> const& printers,
                                       std::string const& file, std::string const& data) {
  expect_numbers(fitted);
  std::vector<std::string> lines = {
      fmt::format("Fitted by rondo fit to {}: {}; half of the times are met within {:.1f} %.", file, data,
                  100 * fitted.median_error)};
  std::string intervals = "With 95 % intervals: ";
  for (std::size_t i = 0; i < fitted.parameters.size(); ++i) {
    intervals += (i == 0 ? "" : ", ") + estimate_text(fitted.parameters[i], printers[i]);
  }
  lines.push_back(intervals + ".");
  for (Estimate const& each : fitted.parameters) {
    if (each.undetermined()) lines.push_back(fmt::format("The data hardly determine {}.", each.name));
  }
  for (CorrelatedPair const& pair : fitted.confused) {
    lines.push_back(fmt::format("The data cannot tell {} and {} apart: their correlation is {:.3f}.", pair.one,
                                pair.other, pair.correlation));
  }
  return lines;
}

Json machine_with(std::vector<std::string> const& source, Origin const& origin) {
  return Json{{"source", source}, {"topology", {{"kind", "fully_connected"}, {"hosts", origin.hosts}}}};
}

template <typename Rows>
std::string sizes_of(Rows const& rows, char const* what) {
  auto const [least, most] = std::ranges::minmax(rows, {}, [](auto const& each) { return each.bytes; });
  return fmt::format("{} {} of {} to {}", rows.size(), what, print(Bytes(least.bytes)), print(Bytes(most.bytes)));
}

double per_byte_time(double a_byte, std::int64_t bytes) {
  return a_byte * static_cast<double>(std::max<std::int64_t>(bytes - 1, 0));
}

/// The three times that follow from a line of Netgauge's table, in the order of the model (fit/machine.hpp).
std::array<double, 3> observed(RoundTrips const& trips) {
  double const further = static_cast<double>(trips.messages - 1);
  double const gap = (trips.burst.value - trips.one.value) / further;
  double const overhead = (trips.spaced.value - trips.one.value) / further - trips.one.value;
  return {trips.one.value, gap, overhead};
}

/// The fit of LogGP's parameters to the times of a Netgauge table.
class LogGpProblem {
 public:
  explicit LogGpProblem(std::vector<RoundTrips> const& trips) {
    for (RoundTrips const& each : trips) {
      auto const times = observed(each);
      for (std::size_t which = 0; which < 3; ++which) {
        // A CPU's time is a difference of round trips and can vanish in their noise.
        if (times[which] <= 0) continue;
        rows_.emplace_back(each.bytes, which);
        measured_.push_back(times[which]);
      }
    }
    start_from(trips);
  }

  /// The problem with the parameters L, o, g and G; with O as well if the CPU takes time a byte.
  FitProblem problem(bool cpu_takes_bytes) const {
    FitProblem result{start_, measured_, {}};
    if (!cpu_takes_bytes) result.parameters.pop_back();
    result.model = [this](std::span<double const> parameters, std::span<double> predicted) {
      std::array<double, 5> p = {};
      std::ranges::copy(parameters, p.begin());
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        auto const [size, which] = rows_[i];
        double const sender = p[1] + per_byte_time(p[4], size), nic = p[2] + per_byte_time(p[3], size);
        double const receiver = p[1] + per_byte_time(std::max(p[3], p[4]), size);
        predicted[i] = which == 0 ? 2 * (p[0] + p[1] + receiver) : which == 1 ? std::max(nic, receiver) : sender;
      }
    };
    return result;
  }

 private:
  /// Start values from the smallest and the largest size: a fit of logarithms needs positive ones.
  void start_from(std::vector<RoundTrips> const& trips) {
    auto const smallest = *std::ranges::min_element(trips, {}, &RoundTrips::bytes);
    auto const largest = *std::ranges::max_element(trips, {}, &RoundTrips::bytes);
    auto const small = observed(smallest), large = observed(largest);
    double const bytes = static_cast<double>(largest.bytes - smallest.bytes);
    double const lower_limit = small[0] / 1000;  // of a start value
    double const o = std::max(small[2], lower_limit);
    start_ = {{"L", std::max(small[0] / 2 - 2 * o, lower_limit)},
              {"o", o},
              {"g", std::max(small[1], lower_limit)},
              {"G", std::max(large[1] - small[1], lower_limit) / bytes},
              {"O", std::max(large[2] - small[2], lower_limit) / bytes}};
  }

  std::vector<std::pair<std::int64_t, std::size_t>> rows_;  ///< bytes, and which of the three times
  std::vector<double> measured_;
  std::vector<FitProblem::Start> start_;
};

/// Fits one latency and one bandwidth for all sizes.
FittedMachine in_one_piece(Samples const& samples, Origin const& origin, std::size_t ranges_that_pay) {
  auto const& all = samples.all;
  auto const by_size = [](Sample const& a, Sample const& b) { return a.bytes < b.bytes; };
  auto const [least, most] = std::ranges::minmax_element(all, by_size);
  double const slope = (most->time.value - least->time.value) / static_cast<double>(most->bytes - least->bytes);
  FitProblem problem;
  problem.parameters = {{"latency", least->time.value},
                        {"bandwidth", slope > 0 ? slope : most->time.value / static_cast<double>(most->bytes)}};
  for (Sample const& each : all) problem.measured.push_back(each.time.value);
  problem.model = [&](std::span<double const> parameters, std::span<double> predicted) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      predicted[i] = parameters[0] + parameters[1] * static_cast<double>(all[i].bytes);
    }
  };
  FittedMachine result;
  result.fitted = fit_robust(problem);
  auto& parameters = result.fitted.parameters;
  parameters[1].value = 1 / parameters[1].value;  // was a time a byte; its factor stays
  result.source = fit_sentences(result.fitted, {seconds, bandwidth}, origin.file, sizes_of(all, "times of messages"));
  if (ranges_that_pay > 1) {
    result.source.push_back(
        fmt::format("The times differ by more than scatter from one line, but do not determine {}.", ranges_that_pay));
  }
  Json machine = machine_with(result.source, origin);
  machine["latency"] = seconds(parameters[0].value);
  machine["bandwidth"] = bandwidth(parameters[1].value);
  result.json = machine.dump(2) + "\n";
  return result;
}

/// A range of sizes with its latency and bandwidth, rounded to the decimals that the machine will have.
struct Range {
  std::int64_t up_to;
  double latency, bandwidth;
  double time(std::int64_t bytes) const { return latency + static_cast<double>(bytes) / bandwidth; }
};

double value_of(std::string const& text) { return parse_seconds(text).value; }

/// The ranges with numbers of four digits. If rounding would make a larger message faster at a boundary at which times
/// do not fall, the latency behind the boundary is rounded up.
std::vector<Range> rounded(PieceTerms const& terms, std::vector<Estimate> const& estimates) {
  std::vector<Range> ranges;
  for (std::size_t k = 0; k < terms.ranges(); ++k) {
    bool const last = k + 1 == terms.ranges();
    Range range{last ? largest_message : terms.boundaries()[k].up_to, value_of(seconds(estimates[2 * k].value)),
                parse_bandwidth(bandwidth(estimates[2 * k + 1].value)).value};
    if (k > 0 && !terms.boundaries()[k - 1].falls) {
      std::int64_t const size = ranges.back().up_to;
      double const lower_limit = ranges.back().time(size) - (range.time(size) - range.latency);
      double const unit = std::pow(10, std::floor(std::log10(std::max(lower_limit, range.latency))) - 3);
      for (int more = 1; range.latency < lower_limit && more < 4; ++more) {
        range.latency = value_of(seconds((std::floor(lower_limit / unit) + more) * unit));
      }
    }
    ranges.push_back(range);
  }
  return ranges;
}

/// "up to 8KiB", "above 8KiB"
std::string sizes_of(PieceTerms const& terms, std::size_t range) {
  bool const last = range + 1 == terms.ranges();
  return fmt::format("{} {}", last ? "above" : "up to",
                     print(Bytes(terms.boundaries()[last ? range - 1 : range].up_to)));
}

/// Finds the coefficients of the terms that are not 0 by GSL, which also tells how certain they are. A machine needs
/// finite bandwidths, so a sum needs a time a byte above 0: if the best one is 0, it becomes a thousandth of the
/// least other one.
class PiecesProblem {
 public:
  PiecesProblem(PieceTerms const& terms, std::vector<Sample> const& samples)
      : terms_(terms), samples_(samples), coefficients_(fit_terms(terms, samples)) {
    double lowest = HUGE_VAL;
    for (std::size_t k = 0; k < terms.ranges(); ++k) {
      if (double const per_byte = line(k).per_byte; per_byte > 0) lowest = std::min(lowest, per_byte);
    }
    if (lowest == HUGE_VAL) throw NotConverged("no time a byte of more than 0 meets the times best");
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      if (terms.is_slope(i) && coefficients_[i] == 0) {
        coefficients_[i] = lowest / 1000;
      } else if (coefficients_[i] > 0) {
        free_.push_back(i);
      }
    }
  }

  Fitted solved() const {
    FitProblem problem;
    for (std::size_t const i : free_) problem.parameters.push_back({fmt::format("term {}", i), coefficients_[i]});
    for (std::size_t k = 0; k < terms_.ranges(); ++k) {
      problem.wanted.push_back(wanted(k, "latency", &PieceTerms::Line::latency));
      problem.wanted.push_back(wanted(k, "bandwidth", &PieceTerms::Line::per_byte));
      problem.wanted.back().inverse = true;
    }
    for (Sample const& each : samples_) problem.measured.push_back(each.time.value);
    problem.model = [this](std::span<double const> parameters, std::span<double> predicted) {
      for (std::size_t row = 0; row < samples_.size(); ++row) {
        predicted[row] = per_byte_time(row);
        for (std::size_t i = 0; i < free_.size(); ++i) {
          predicted[row] += parameters[i] * terms_.at(free_[i], samples_[row].bytes);
        }
      }
    };
    return fit_robust(problem);
  }

 private:
  bool is_free(std::size_t term) const { return std::ranges::find(free_, term) != free_.end(); }

  /// The latency and the time of a byte in a range, as sums over the terms.
  PieceTerms::Line line(std::size_t range) const {
    PieceTerms::Line sum;
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      sum.latency += coefficients_[i] * terms_.terms()[i][range].latency;
      sum.per_byte += coefficients_[i] * terms_.terms()[i][range].per_byte;
    }
    return sum;
  }

  /// The contribution to a row of the terms that are not fitted.
  double per_byte_time(std::size_t row) const {
    double sum = 0;
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      if (!is_free(i)) sum += coefficients_[i] * terms_.at(i, samples_[row].bytes);
    }
    return sum;
  }

  /// A latency or a time a byte as a linear form of the coefficients, from which its uncertainty follows.
  FitProblem::Quantity wanted(std::size_t range, char const* name, double PieceTerms::Line::*part) const {
    FitProblem::Quantity sum{fmt::format("{} {}", name, sizes_of(terms_, range)), {}};
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      double const coefficient = terms_.terms()[i][range].*part;
      if (is_free(i)) {
        sum.weights.push_back(coefficient);
      } else {
        sum.offset += coefficients_[i] * coefficient;
      }
    }
    return sum;
  }

  PieceTerms const& terms_;
  std::vector<Sample> const& samples_;
  std::vector<double> coefficients_;
  std::vector<std::size_t> free_;
};

/// The sentences of `source` about boundaries at which a larger message takes less time.
std::vector<std::string> falls_remark(PieceTerms const& terms, std::vector<Range> const& ranges,
                                      Samples const& samples) {
  std::vector<std::string> lines;
  std::vector<ObservedFall> const seen = falls_seen(samples);
  for (std::size_t k = 0; k < terms.boundaries().size(); ++k) {
    std::int64_t const last = terms.boundaries()[k].up_to;
    double const before = ranges[k].time(last), behind = ranges[k + 1].time(last + 1);
    if (behind >= before) continue;
    auto const here = std::ranges::find(seen, last, &ObservedFall::last);
    lines.push_back(fmt::format(
        "A message of {} takes less time than one of {} ({}, {}), as measured: in {} of {} runs {} took less than {}.",
        print(Bytes(last + 1)), print(Bytes(last)), seconds(behind), seconds(before), here->falling, here->runs,
        print(Bytes(here->next)), print(Bytes(here->last))));
  }
  return lines;
}

/// Fits latency and bandwidth for each range of sizes; nothing if the data do not determine them.
std::optional<FittedMachine> in_pieces(PieceTerms const& terms, Samples const& samples, Origin const& origin) {
  FittedMachine result;
  try {
    result.fitted = PiecesProblem(terms, samples.all).solved();
  } catch (NotConverged const&) {
    return std::nullopt;
  }
  std::vector<Printer> printers;
  for (std::size_t k = 0; k < terms.ranges(); ++k) printers.insert(printers.end(), {seconds, bandwidth});
  std::vector<Range> const ranges = rounded(terms, result.fitted.parameters);
  result.source = fit_sentences(result.fitted, printers, origin.file, sizes_of(samples.all, "times of messages"));
  result.source.push_back(fmt::format(
      "The machine has {} ranges of sizes. With fewer ranges, its errors are larger than the scatter of the times.",
      terms.ranges()));
  for (std::string& line : falls_remark(terms, ranges, samples)) result.source.push_back(std::move(line));
  Json machine = machine_with(result.source, origin);
  double const fastest = std::ranges::max(ranges, {}, &Range::bandwidth).bandwidth;
  machine["latency"] = seconds(ranges.back().latency);
  machine["bandwidth"] = bandwidth(fastest);
  for (Range const& each : ranges) {
    // Messages above all pieces have the machine's bandwidth, which must be at least that of each piece.
    if (&each == &ranges.back() && each.bandwidth == fastest) break;
    machine["pieces"].push_back({{"up_to", print(Bytes(each.up_to))},
                                 {"latency", seconds(each.latency)},
                                 {"bandwidth", bandwidth(each.bandwidth)}});
  }
  result.json = machine.dump(2) + "\n";
  return result;
}

}  // namespace

/// Fits ranges of sizes if boundaries pay. Otherwise, or if that fit fails, it fits one latency and one bandwidth.
FittedMachine fit_linear(Samples const& samples, Origin const& origin) {
  PieceTerms const terms(boundaries_that_pay(samples));
  if (terms.ranges() > 1) {
    if (auto machine = in_pieces(terms, samples, origin)) return std::move(*machine);
  }
  return in_one_piece(samples, origin, terms.ranges());
}

FittedMachine fit_one_piece(Samples const& samples, Origin const& origin) { return in_one_piece(samples, origin, 1); }

FittedMachine fit_loggp(std::vector<RoundTrips> const& trips, Origin const& origin) {
  LogGpProblem const loggp(trips);
  FittedMachine result;
  bool cpu_takes_bytes = true;
  try {
    result.fitted = fit_robust(loggp.problem(true));
    cpu_takes_bytes = !result.fitted.parameters.back().undetermined();
  } catch (NotConverged const&) {
    cpu_takes_bytes = false;
  }
  if (!cpu_takes_bytes) result.fitted = fit_robust(loggp.problem(false));
  auto const& parameters = result.fitted.parameters;
  auto source = fit_sentences(result.fitted, {seconds, seconds, seconds, nanoseconds_a_byte, nanoseconds_a_byte},
                              origin.file, sizes_of(trips, "lines of round trips"));
  if (!cpu_takes_bytes) source.push_back("O is 0: no time a byte on the CPU can be made out in the round trips.");
  source.push_back("S is LogGOPSim's default: these round trips do not show from which size on messages wait.");
  Json machine = machine_with(source, origin);
  machine["timing"] = "loggp";
  machine["loggp"] = Json{{"L", seconds(parameters[0].value)},
                          {"o", seconds(parameters[1].value)},
                          {"g", seconds(parameters[2].value)},
                          {"G", nanoseconds_a_byte(parameters[3].value)},
                          {"O", nanoseconds_a_byte(cpu_takes_bytes ? parameters[4].value : 0)},
                          {"S", "65535B"}};
  result.source = source;
  result.json = machine.dump(2) + "\n";
  return result;
}

}  // namespace rondo::fit
