#include "generate/lanes.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/error.hpp"
#include "decomposition/dimension_order.hpp"

namespace rondo::generate {
namespace {

std::vector<int> along(int dimensions, int dimension, int steps) {
  std::vector<int> step(static_cast<std::size_t>(dimensions), 0);
  step[static_cast<std::size_t>(dimension)] = steps;
  return step;
}

}  // namespace

void expect_problem(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> dimension_order) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  std::sort(dimension_order.begin(), dimension_order.end());
  expects(dimension_order == given_dimension_order(torus.dimensions()), "a permutation of the dimensions");
}

Lanes straightforward_lanes(Torus const& torus, Neighborhood const& neighborhood) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  Lanes result{torus, neighborhood.size(), {}};
  for (int i = 0; i < neighborhood.size(); ++i) {
    if (torus.is_self(neighborhood[i])) continue;
    result.lanes.push_back({{neighborhood[i].begin(), neighborhood[i].end()}, {{i, 1}}});
  }
  return result;
}

Lanes unit_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    for (int const sign : {+1, -1}) {
      Lane lane{along(torus.dimensions(), j, sign), {}};
      for (int i = 0; i < neighborhood.size(); ++i) {
        int const hops = sign * neighborhood[i][static_cast<std::size_t>(j)];
        if (hops > 0) lane.uses.push_back({i, hops});
      }
      if (!lane.uses.empty()) result.lanes.push_back(std::move(lane));
    }
  }
  return result;
}

Lanes direct_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    if (torus.extent(j) == 1) continue;
    std::map<int, std::vector<Lane::Use>> uses;
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const coordinate = neighborhood[i][static_cast<std::size_t>(j)];
      if (coordinate != 0) uses[coordinate].push_back({i, 1});
    }
    for (auto& [coordinate, users] : uses) {
      result.lanes.push_back({along(torus.dimensions(), j, coordinate), std::move(users)});
    }
  }
  return result;
}

Lanes step_lanes(Torus const& torus, Decomposition const& decomposition) {
  Lanes result{torus, static_cast<int>(decomposition.uses.size()), {}};
  std::vector<std::vector<Lane::Use>> uses(decomposition.steps.size());
  for (int i = 0; i < result.neighbors; ++i) {
    for (int const u : decomposition.uses[static_cast<std::size_t>(i)])
      uses.at(static_cast<std::size_t>(u)).push_back({i, 1});
  }
  for (std::size_t u = 0; u < uses.size(); ++u) {
    if (!uses[u].empty()) result.lanes.push_back({decomposition.steps[u], std::move(uses[u])});
  }
  return result;
}

std::int32_t Offsets::index(std::vector<int> const& step, int sign) {
  auto const before = [](auto const& entry, std::vector<int> const& key) { return entry.first < key; };
  auto place = std::lower_bound(known_.begin(), known_.end(), step, before);
  if (place == known_.end() || place->first != step) {
    auto const first = static_cast<std::int32_t>(known_.size());
    std::vector<int> back(step.size());
    std::transform(step.begin(), step.end(), back.begin(), std::negate<>());
    expects(back != step, "a step that leads somewhere");
    all_.insert(all_.end(), step.begin(), step.end());
    all_.insert(all_.end(), back.begin(), back.end());
    known_.insert(place, {step, first});
    known_.insert(std::lower_bound(known_.begin(), known_.end(), back, before), {back, first + 1});
    place = std::lower_bound(known_.begin(), known_.end(), step, before);
  }
  // Entered in pairs: the way back stands beside.
  return sign > 0 ? place->second : place->second ^ 1;
}

Schedule isomorphic(Torus const& torus, Offsets offsets, Promises promises, ProgramBuilder builder) {
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  schedule.offsets = std::move(offsets).take();
  schedule.promises = promises;
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

Layout alltoall_layout(int neighbors, BlockSizes const& sizes, bool intermediate) {
  expects(sizes.each.empty() || sizes.each.size() == static_cast<std::size_t>(neighbors), "one size a neighbor");
  Layout layout{sizes.block, {}};
  for (Buffer const buffer : {Buffer::send, Buffer::receive, Buffer::intermediate}) {
    if (buffer == Buffer::intermediate && !intermediate) continue;
    layout[buffer] = {static_cast<std::uint32_t>(neighbors), sizes.each};
  }
  return layout;
}

}  // namespace rondo::generate
