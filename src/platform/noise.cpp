// Reads traces of noise, and draws from the distributions of noise.hpp.

#include "platform/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/random.hpp"

namespace rondo {

namespace {

constexpr double nanosecond = 1e-9;

/// Takes the number at the beginning of the text away from it; nothing if the text begins with none.
std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  if (text.empty()) return std::nullopt;
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const is_whole = end == text.data() + text.size() || std::string_view(" \t\r").find(*end) != std::string::npos;
  if (error != std::errc() || !is_whole || !(number >= 0) || number > 1e18) {
    throw InputError(fmt::format("expected a number of nanoseconds from 0 to 1e18, got \"{}\"", excerpt(text)));
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number * nanosecond;
}

/// Takes the numbers of a line, whose comment is cut off; a line without numbers adds nothing.
void take_line(std::string_view line, NoiseTrace& trace) {
  line = line.substr(0, line.find('#'));
  auto const first = take_number(line);
  if (!first) return;
  auto const second = take_number(line);
  if (take_number(line)) throw InputError("expected one or two numbers in a line, got more");
  bool const is_first = trace.durations.empty();
  if (!is_first && second.has_value() == trace.begins.empty()) {
    throw InputError("expected as many numbers as in the lines before");
  }
  trace.durations.push_back(second.value_or(*first));
  if (!second) return;
  if (!trace.begins.empty() && trace.begins.back() > *first) {
    throw InputError("expected a begin that is not before that of the line before");
  }
  trace.begins.push_back(*first);
}

/// The sum of the durations of all interruptions that have begun before this time.
double sum_before(NoiseTrace const& trace, double time) {
  double const rounds = std::floor(time / trace.period);
  auto const next = std::lower_bound(trace.begins.begin(), trace.begins.end(), time - rounds * trace.period);
  return rounds * trace.sums.back() + trace.sums[static_cast<std::size_t>(next - trace.begins.begin())];
}

/// For how long a piece of work is interrupted that begins at time `from` of the first period: by the rest of the
/// interruption that is under way then, and by all that begin within the length of the work.
double interruption(NoiseTrace const& trace, double from, double length) {
  auto const next = std::lower_bound(trace.begins.begin(), trace.begins.end(), from);
  double rest = 0;
  if (next != trace.begins.begin()) {
    auto const last = static_cast<std::size_t>(next - trace.begins.begin()) - 1;
    rest = std::max(0.0, trace.begins[last] + trace.durations[last] - from);
  }
  return rest + sum_before(trace, from + length) - sum_before(trace, from);
}

double of_trace(NoiseTrace const& trace, Random& random, double work) {
  if (trace.begins.empty()) return trace.durations[random.below(trace.durations.size())];
  return interruption(trace, random.unit() * trace.period, work);
}

}  // namespace

/// Reads a line for each interruption. Throws InputError with the number of the line.
NoiseTrace noise_trace(std::string const& text) {
  NoiseTrace trace;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    ++number;
    try {
      take_line(std::string_view(text).substr(begin, end - begin), trace);
    } catch (InputError const& error) {
      throw InputError(fmt::format("line {}: {}", number, error.what()));
    }
    begin = end + 1;
  }
  if (trace.durations.empty()) throw InputError("expected lines of one or two numbers of nanoseconds, got none");
  if (trace.begins.empty()) return trace;
  trace.period = trace.begins.back();
  if (trace.period == 0) throw InputError("expected a last line with a begin above 0, which ends the trace, got 0");
  trace.begins.pop_back();
  trace.durations.pop_back();
  trace.sums = {0};
  for (double const duration : trace.durations) trace.sums.push_back(trace.sums.back() + duration);
  return trace;
}

/// The noise that is added to a work of this length; never negative.
Seconds drawn(NoiseLaw const& law, Random& random, Seconds work) {
  switch (law.kind) {
    case NoiseKind::uniform:
      return random.unit() * law.spread;
    case NoiseKind::normal:
      return std::max(Seconds(0), law.mean + normal(random) * law.spread);
    case NoiseKind::exponential:
      return exponential(random) * law.mean;
    case NoiseKind::trace:
      return Seconds(of_trace(*law.trace, random, work.value));
  }
  throw ContractViolation("a kind of noise");
}

}  // namespace rondo
