#include "fit/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace rondo::fit {
namespace {

using Json = nlohmann::ordered_json;

/// Four digits say more than measurements do.
double rounded(double value) {
  if (value == 0) return 0;
  double const unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

std::string seconds(double value) { return print(Seconds(rounded(value))); }
std::string bandwidth(double value) { return print(BytesPerSecond(rounded(value))); }
std::string nanoseconds_a_byte(double value) { return fmt::format("{}ns/B", rounded(1e9 * value)); }

using Printer = std::function<std::string(double)>;

/// "latency 1.2us (1.1us to 1.3us)"
std::string said(Estimate const& estimate, Printer const& printer) {
  return fmt::format("{} {} ({} to {})", estimate.name, printer(estimate.value), printer(estimate.low()),
                     printer(estimate.high()));
}

/// What `source` says of a fit; `printers` by parameter.
std::vector<std::string> said(Fitted const& fitted, std::vector<Printer> const& printers, std::string const& file,
                              std::string const& data) {
  std::vector<std::string> lines = {
      fmt::format("Fitted by rondo fit to {}: {}; half of the times are met within {:.1f} %.", file, data,
                  100 * fitted.median_error)};
  std::string intervals = "With 95 % intervals: ";
  for (std::size_t i = 0; i < fitted.parameters.size(); ++i) {
    intervals += (i == 0 ? "" : ", ") + said(fitted.parameters[i], printers[i]);
  }
  lines.push_back(intervals + ".");
  for (Estimate const& each : fitted.parameters) {
    if (each.undetermined()) lines.push_back(fmt::format("The data hardly determine {}.", each.name));
  }
  for (Confused const& pair : fitted.confused) {
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

double of_rest(double a_byte, std::int64_t bytes) {
  return a_byte * static_cast<double>(std::max<std::int64_t>(bytes - 1, 0));
}

/// The three times that a line of Netgauge's table tells, in the order of the model.
std::array<double, 3> observed(RoundTrips const& trips) {
  double const further = static_cast<double>(trips.messages - 1);
  double const gap = (trips.burst.value - trips.one.value) / further;
  double const overhead = (trips.spaced.value - trips.one.value) / further - trips.one.value;
  return {trips.one.value, gap, overhead};
}

class LogGpProblem {
 public:
  explicit LogGpProblem(std::vector<RoundTrips> const& trips) {
    for (RoundTrips const& each : trips) {
      auto const times = observed(each);
      for (std::size_t which = 0; which < 3; ++which) {
        // A CPU's time can be lost in the noise of the round trips that it is a difference of.
        if (times[which] <= 0) continue;
        rows_.emplace_back(each.bytes, which);
        measured_.push_back(times[which]);
      }
    }
    start_from(trips);
  }

  /// L, o, g, G, and O if the CPU takes time a byte.
  FitProblem problem(bool cpu_takes_bytes) const {
    FitProblem result{start_, measured_, {}};
    if (!cpu_takes_bytes) result.parameters.pop_back();
    result.model = [this](std::span<double const> parameters, std::span<double> predicted) {
      std::array<double, 5> p = {};
      std::ranges::copy(parameters, p.begin());
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        auto const [size, which] = rows_[i];
        double const sender = p[1] + of_rest(p[4], size), nic = p[2] + of_rest(p[3], size);
        double const receiver = p[1] + of_rest(std::max(p[3], p[4]), size);
        predicted[i] = which == 0 ? 2 * (p[0] + p[1] + receiver) : which == 1 ? std::max(nic, receiver) : sender;
      }
    };
    return result;
  }

 private:
  void start_from(std::vector<RoundTrips> const& trips) {
    auto const smallest = *std::ranges::min_element(trips, {}, &RoundTrips::bytes);
    auto const largest = *std::ranges::max_element(trips, {}, &RoundTrips::bytes);
    auto const small = observed(smallest), large = observed(largest);
    double const bytes = static_cast<double>(largest.bytes - smallest.bytes);
    double const least = small[0] / 1000;  // of a start value
    double const o = std::max(small[2], least);
    start_ = {{"L", std::max(small[0] / 2 - 2 * o, least)},
              {"o", o},
              {"g", std::max(small[1], least)},
              {"G", std::max(large[1] - small[1], least) / bytes},
              {"O", std::max(large[2] - small[2], least) / bytes}};
  }

  std::vector<std::pair<std::int64_t, std::size_t>> rows_;  ///< bytes, and which of the three times
  std::vector<double> measured_;
  std::vector<FitProblem::Start> start_;
};

}  // namespace

FittedMachine fit_linear(Samples const& samples, Origin const& origin) {
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
  auto const source = said(result.fitted, {seconds, bandwidth}, origin.file, sizes_of(all, "times of messages"));
  Json machine = machine_with(source, origin);
  machine["latency"] = seconds(parameters[0].value);
  machine["bandwidth"] = bandwidth(parameters[1].value);
  result.source = source;
  result.json = machine.dump(2) + "\n";
  return result;
}

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
  auto source = said(result.fitted, {seconds, seconds, seconds, nanoseconds_a_byte, nanoseconds_a_byte}, origin.file,
                     sizes_of(trips, "lines of round trips"));
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
