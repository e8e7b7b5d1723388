#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rondo {

/// Part `number` of `of` equal parts of a sweep: every of-th point, from that number on.
struct Shard {
  int number = 1;
  int of = 1;

  bool operator==(Shard const&) const = default;
};

/// "2/5". Throws InputError.
Shard parse_shard(std::string const& text);

/// The task of a Slurm job array that this process is, if it is one, from SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _STEP.
/// Throws InputError where they make no sense.
std::optional<Shard> slurm_shard();

/// The points that are the shard's.
std::vector<std::size_t> part_of(std::vector<std::size_t> const& points, Shard shard);

}  // namespace rondo
