#include "run/points/shard.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "base/error.hpp"

namespace rondo {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A number that Slurm sets; without a fallback it must be there.
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

std::vector<std::size_t> part_of(std::vector<std::size_t> const& points, Shard shard) {
  std::vector<std::size_t> part;
  auto const of = static_cast<std::size_t>(shard.of);
  for (std::size_t i = static_cast<std::size_t>(shard.number) - 1; i < points.size(); i += of)
    part.push_back(points[i]);
  return part;
}

}  // namespace rondo
