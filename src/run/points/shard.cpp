// Parses shards and lists of points, and reads Slurm's variables.

#include "run/points/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>

#include "base/error.hpp"

namespace rondo {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A number that Slurm sets. Without a fallback it must exist.
int slurm_number(char const* name, std::optional<int> fallback) {
  char const* const text = std::getenv(name);
  if (text == nullptr && fallback) return *fallback;
  std::optional<int> const number = text == nullptr ? std::nullopt : whole_number(text);
  if (!number) {
    throw InputError(fmt::format("{}: expected a number, as a Slurm job array sets it, got {}", name,
                                 text == nullptr ? "nothing" : excerpt(text)));
  }
  return *number;
}

}  // namespace

Shard parse_shard(std::string const& text) {
  std::size_t const slash = text.find('/');
  if (slash != std::string::npos) {
    auto const number = whole_number(std::string_view(text).substr(0, slash));
    auto const of = whole_number(std::string_view(text).substr(slash + 1));
    if (number && of && *number >= 1 && *number <= *of) return {*number, *of};
  }
  throw InputError(fmt::format("--shard: expected i/n with i from 1 to n, got {}", excerpt(text)));
}

/// The shard of a task in a job array; unset outside of one. Arrays may start anywhere and have a step.
std::optional<Shard> slurm_shard() {
  if (std::getenv("SLURM_ARRAY_TASK_ID") == nullptr) return std::nullopt;
  int const id = slurm_number("SLURM_ARRAY_TASK_ID", std::nullopt);
  int const count = slurm_number("SLURM_ARRAY_TASK_COUNT", std::nullopt);
  int const least = slurm_number("SLURM_ARRAY_TASK_MIN", 0);
  int const step = slurm_number("SLURM_ARRAY_TASK_STEP", 1);
  if (count < 1 || step < 1 || id < least || (id - least) % step != 0 || (id - least) / step >= count) {
    throw InputError(fmt::format("SLURM_ARRAY_TASK_ID: expected one of {} numbers from {} in steps of {}, got {}",
                                 count, least, step, id));
  }
  return Shard{(id - least) / step + 1, count};
}

std::string Part::title() const {
  if (shard) return fmt::format("shard {}/{}", shard->number, shard->of);
  if (numbers.empty()) return "";
  return fmt::format("{} of --points", numbers.size() == 1 ? "1 point" : fmt::format("{} points", numbers.size()));
}

namespace {

[[noreturn]] void refuse_points(std::string_view got) {
  throw InputError(
      fmt::format("--points: expected numbers of points and ranges of them, such as 1,4-6, got \"{}\"", excerpt(got)));
}

/// Appends the numbers of "4" or "4-6".
void add_range(std::string_view range, std::vector<std::size_t>& numbers) {
  std::size_t const dash = range.find('-');
  auto const first = whole_number(range.substr(0, dash));
  auto const last = dash == std::string_view::npos ? first : whole_number(range.substr(dash + 1));
  constexpr int most = 1'000'000;  // Sweep::most_points
  if (!first || !last || *first < 1 || *last < *first || *last > most) refuse_points(range);
  for (int number = *first; number <= *last; ++number) numbers.push_back(static_cast<std::size_t>(number));
}

}  // namespace

/// Numbers and ranges such as "1,4-6"; sorted, each once.
std::vector<std::size_t> parse_points(std::string const& text) {
  std::vector<std::size_t> numbers;
  std::string_view rest = text;
  for (std::size_t comma = 0; comma != std::string_view::npos; rest.remove_prefix(std::min(rest.size(), comma + 1))) {
    comma = rest.find(',');
    add_range(rest.substr(0, comma), numbers);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// The points of a shard: every n-th one, so that shards of a sweep take about the same time.
std::vector<std::size_t> in_part(std::vector<std::size_t> const& points, Part const& part) {
  std::vector<std::size_t> chosen;
  if (part.shard) {
    auto const of = static_cast<std::size_t>(part.shard->of);
    for (std::size_t i = static_cast<std::size_t>(part.shard->number) - 1; i < points.size(); i += of)
      chosen.push_back(points[i]);
    return chosen;
  }
  if (part.numbers.empty()) return points;
  std::ranges::copy_if(points, std::back_inserter(chosen),
                       [&](std::size_t point) { return std::ranges::binary_search(part.numbers, point + 1); });
  return chosen;
}

}  // namespace rondo
