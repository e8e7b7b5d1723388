#pragma once

// The division of a sweep among several processes, such as the tasks of a Slurm job array.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rondo {

/// Part `number` of `of` equal parts of a sweep: every of-th point, beginning with that number.
struct Shard {
  int number = 1;
  int of = 1;

  bool operator==(Shard const&) const = default;
};

/// "2/5". Throws InputError.
Shard parse_shard(std::string const& text);

/// The task of a Slurm job array that this process is, if it is one, from SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _STEP.
/// Throws InputError if they contradict each other.
std::optional<Shard> slurm_shard();

/// The part of a sweep that is run: all of it, a shard, or the named points.
struct Part {
  std::optional<Shard> shard = {};
  std::vector<std::size_t> numbers = {};  ///< of points, from 1, ascending; empty: none is named

  bool is_all() const { return !shard && numbers.empty(); }
  /// "shard 2/5", "3 points of --points"; empty: all.
  std::string title() const;
};

/// "1,4-6": the numbers of points in the list of `rondo run --dry-run`; the result is ascending, each once. Throws
/// InputError.
std::vector<std::size_t> parse_points(std::string const& text);

/// Those of the `points` (indices into the sweep) that belong to the part.
std::vector<std::size_t> in_part(std::vector<std::size_t> const& points, Part const& part);

}  // namespace rondo
