// Makes the lanes of the isomorphic algorithms (lanes.hpp).

#include "generate/lanes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "decomposition/dimension_order.hpp"

namespace rondo::generate {
namespace {

/// The vector with `steps` in one dimension and 0 in the others.
std::vector<int> along(int dimensions, int dimension, int steps) {
  std::vector<int> step(static_cast<std::size_t>(dimensions), 0);
  step[at(dimension)] = steps;
  return step;
}

}  // namespace

void expect_problem(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> dimension_order) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  std::sort(dimension_order.begin(), dimension_order.end());
  expects(dimension_order == given_dimension_order(torus.dimensions()), "a permutation of the dimensions");
}

void Lanes::add(std::vector<int> step, std::vector<Lane::Use> uses) {
  if (uses.empty() || torus.is_self(step)) return;
  lanes.push_back({std::move(step), std::move(uses), links++});
}

void Waiting::add(int link, int item) {
  std::vector<int>& items = items_[at(link)];
  if (!items.empty() && item < items.back()) sorted_[at(link)] = false;
  items.push_back(item);
}

/// The blocks that wait for a link, ascending; afterwards none waits.
std::vector<int> Waiting::take(int link) {
  std::vector<int> items = std::exchange(items_[at(link)], {});
  if (!sorted_[at(link)]) std::sort(items.begin(), items.end());
  sorted_[at(link)] = true;
  return items;
}

/// One lane for each neighbor: its block goes there in one hop.
Lanes straightforward_lanes(Torus const& torus, Neighborhood const& neighborhood) {
  expects(neighborhood.dimensions() == torus.dimensions(), "a neighborhood of the torus' dimension");
  Lanes result{torus, neighborhood.size(), {}};
  for (int i = 0; i < neighborhood.size(); ++i) result.add({neighborhood[i].begin(), neighborhood[i].end()}, {{i, 1}});
  return result;
}

/// One lane for each dimension and direction, with hops to the next rank.
Lanes unit_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    for (int const sign : {+1, -1}) {
      std::vector<Lane::Use> uses;
      for (int i = 0; i < neighborhood.size(); ++i) {
        int const hops = sign * neighborhood[i][at(j)];
        if (hops > 0) uses.push_back({i, hops});
      }
      result.add(along(torus.dimensions(), j, sign), std::move(uses));
    }
  }
  return result;
}

/// One lane for each dimension and coordinate: one hop is as long as the coordinate.
Lanes direct_lanes(Torus const& torus, Neighborhood const& neighborhood, std::vector<int> const& dimension_order) {
  expect_problem(torus, neighborhood, dimension_order);
  Lanes result{torus, neighborhood.size(), {}};
  for (int const j : dimension_order) {
    std::map<int, std::vector<Lane::Use>> uses;
    for (int i = 0; i < neighborhood.size(); ++i) {
      int const coordinate = neighborhood[i][at(j)];
      if (coordinate != 0) uses[coordinate].push_back({i, 1});
    }
    for (auto& [coordinate, users] : uses) result.add(along(torus.dimensions(), j, coordinate), std::move(users));
  }
  return result;
}

/// One lane for each step of a decomposition; equal steps may share one.
Lanes step_lanes(Torus const& torus, Decomposition const& decomposition, EqualSteps equal) {
  Lanes result{torus, static_cast<int>(decomposition.uses.size()), {}};
  std::vector<std::vector<Lane::Use>> uses(decomposition.steps.size());
  for (int i = 0; i < result.neighbors; ++i) {
    for (int const u : decomposition.uses[at(i)]) uses.at(at(u)).push_back({i, 1});
  }
  for (std::size_t u = 0; u < uses.size(); ++u) result.add(decomposition.steps[u], std::move(uses[u]));
  if (equal == EqualSteps::apart) return result;
  std::map<std::vector<int>, int> links;
  for (Lane& lane : result.lanes)
    lane.link = links.try_emplace(lane.step, static_cast<int>(links.size())).first->second;
  result.links = static_cast<int>(links.size());
  return result;
}

/// The number of a step, or of its opposite; both are noted together, since a send in one direction is a receive from
/// the other.
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
  // Steps are entered in pairs, so the way back has the neighboring index.
  return sign > 0 ? place->second : place->second ^ 1;
}

/// The schedule of one program for all ranks.
Schedule isomorphic(Torus const& torus, Offsets offsets, Promises promises, ProgramBuilder builder) {
  Schedule schedule;
  schedule.ranks = torus.size();
  schedule.torus = torus;
  schedule.offsets = std::move(offsets).take();
  schedule.promises = promises;
  schedule.programs.push_back(std::move(builder).finish());
  return schedule;
}

/// A slot for each neighbor in each buffer that is used.
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
