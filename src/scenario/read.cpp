// Readers of values that several families share: sizes of blocks, tori and lists of vectors.

#include "scenario/read.hpp"

#include <fmt/format.h>

namespace rondo::scenario {

problem::BlockSizes read_block_sizes(Place const& collective, Bytes block) {
  problem::BlockSizes result(block);
  if (!collective.has("block_sizes")) return result;
  Place const sizes = collective["block_sizes"];
  if (sizes.value.is_string()) {
    result.expression = sizes.text();
    return result;
  }
  for (std::size_t i = 0; i < sizes.value.size(); ++i) {
    Place const size{sizes.value[i], sizes.file, child(sizes.pointer, std::to_string(i))};
    result.each.push_back(size.size());
  }
  return result;
}

Torus read_torus(Place const& extents) {
  try {
    return Torus(extents.integers());
  } catch (InputError const& refused) {
    throw extents.error(fmt::format("{}, got {}", refused.what(), shown(extents.value)));
  }
}

std::vector<std::vector<int>> read_vectors(Place const& list, int dimensions, std::string const& torus) {
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    std::size_t const coordinates = list.value[i].size();
    if (coordinates == static_cast<std::size_t>(dimensions)) continue;
    throw error_at(
        list.file, child(list.pointer, std::to_string(i)),
        fmt::format("expected {} coordinates, as many as {} has dimensions, got {}", dimensions, torus, coordinates));
  }
  return list.value.get<std::vector<std::vector<int>>>();
}

Neighborhood read_offsets(Place const& list, int dimensions, std::string const& torus) {
  auto const offsets = read_vectors(list, dimensions, torus);
  return list.checked([&] { return Neighborhood(dimensions, offsets); });
}

}  // namespace rondo::scenario
