// Readers of values that several families share: sizes of blocks, tori and lists of vectors. The reader of a kind of
// collective is found among the families (kinds.hpp).

#include "scenario/read.hpp"

#include <fmt/format.h>

#include <map>

#include "scenario/kinds.hpp"

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

namespace {

using Readers = std::map<problem::Kind, decltype(CollectiveKind::read)>;

/// The readers of all kinds.
Readers readers() {
  Readers all;
  for (auto const& family : all_families) {
    for (CollectiveKind const& each : family()) all.emplace(each.kind, each.read);
  }
  return all;
}

}  // namespace

Problem read_kind(problem::Kind kind, Place const& collective, Setting const& setting) {
  static Readers const readers_by_kind = readers();
  return readers_by_kind.at(kind)(collective, setting);
}

Problem read_problem(Setting const& setting) {
  Place const collective = setting.root["collective"];
  return read_kind(known_value<problem::Kind>(collective["kind"].text()), collective, setting);
}

}  // namespace rondo::scenario
