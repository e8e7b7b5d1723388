// Notes where the straight parts of routes begin and end, and sums up the loads along each line (straight_loads.hpp).

#include "platform/straight_loads.hpp"

#include <cstdlib>
#include <utility>

#include "base/ids.hpp"
#include "platform/regular.hpp"

namespace rondo {

namespace {

/// Adds with a check: Bytes throw InputError on overflow.
void add_bytes(std::int64_t& sum, std::int64_t more) { sum = (Bytes(sum) + Bytes(more)).value; }

}  // namespace

StraightLoads::StraightLoads(Torus extents, bool closed)
    : extents_(std::move(extents)),
      closed_(closed),
      strides_(at(extents_.dimensions()), 1),
      begins_(at(regular::link_ids({extents_, closed}))),
      ends_(begins_.size()) {
  for (int j = extents_.dimensions() - 2; j >= 0; --j) strides_[at(j)] = strides_[at(j + 1)] * extents_.extent(j + 1);
  for (int j = 0; j < extents_.dimensions(); ++j) over_.emplace_back(at(2 * (extents_.size() / extents_.extent(j))));
}

LinkId StraightLoads::link_of(std::int64_t router, Lane lane) const {
  return 2 * (router * extents_.dimensions() + lane.dimension) + (lane.down ? 1 : 0);
}

std::size_t StraightLoads::line_of(std::int64_t router, Lane lane) const {
  std::int64_t const stride = strides_[at(lane.dimension)];
  std::int64_t const line = router / (stride * extents_.extent(lane.dimension)) * stride + router % stride;
  return at(2 * line + (lane.down ? 1 : 0));
}

/// Corrects one dimension after the other, as append_route does.
void StraightLoads::add(int from, int to, std::int64_t bytes) {
  std::int64_t here = from;
  for (int j = 0; j < extents_.dimensions(); ++j) {
    std::int64_t const stride = strides_[at(j)];
    int const extent = extents_.extent(j);
    int const start = static_cast<int>(here / stride % extent), end = static_cast<int>(to / stride % extent);
    int const steps = regular::steps({extents_, closed_}, j, start, end);
    if (steps == 0) continue;
    add_straight(here, std::abs(steps), {j, steps < 0}, bytes);
    here += (end - start) * stride;
  }
}

/// Each noted sum is at most the load of one link. So add_bytes throws only if the load of a link reaches 2^63.
void StraightLoads::add_straight(std::int64_t first, int steps, Lane lane, std::int64_t bytes) {
  std::int64_t const stride = strides_[at(lane.dimension)];
  int const extent = extents_.extent(lane.dimension);
  int const start = static_cast<int>(first / stride % extent);
  int last = lane.down ? start - (steps - 1) : start + (steps - 1);
  if (last < 0 || last >= extent) {
    add_bytes(over_[at(lane.dimension)][line_of(first, lane)], bytes);
    last += last < 0 ? extent : -extent;
  }
  add_bytes(begins_[at(link_of(first, lane))], bytes);
  add_bytes(ends_[at(link_of(first + (last - start) * stride, lane))], bytes);
}

/// Visits the links in the order in which messages pass them: from the first router of the line, or from the last one
/// if they go down. `under_way` is the number of bytes that pass the current link.
void StraightLoads::sum(std::int64_t first, Lane lane, std::vector<std::int64_t>& loads) const {
  std::int64_t const stride = strides_[at(lane.dimension)];
  int const extent = extents_.extent(lane.dimension);
  std::int64_t under_way = over_[at(lane.dimension)][line_of(first, lane)];
  for (int i = 0; i < extent; ++i) {
    std::size_t const id = at(link_of(first + (lane.down ? extent - 1 - i : i) * stride, lane));
    add_bytes(under_way, begins_[id]);
    loads[id] = under_way;
    under_way -= ends_[id];
  }
}

std::vector<std::int64_t> StraightLoads::by_link() const {
  std::vector<std::int64_t> loads(begins_.size());
  for (int j = 0; j < extents_.dimensions(); ++j) {
    std::int64_t const stride = strides_[at(j)];
    for (std::int64_t router = 0; router < extents_.size(); ++router) {
      if (router / stride % extents_.extent(j) != 0) continue;
      for (bool const down : {false, true}) sum(router, {j, down}, loads);
    }
  }
  return loads;
}

std::optional<StraightLoads> straight_loads(Platform const& platform) {
  if (platform.routing.rule != RoutingRule::minimal || !platform.routing.failed.empty()) return std::nullopt;
  if (auto const* ring = std::get_if<Ring>(&platform.topology)) return StraightLoads(Torus({ring->hosts}), true);
  if (auto const* torus = std::get_if<TorusMachine>(&platform.topology)) return StraightLoads(torus->torus, true);
  if (auto const* mesh = std::get_if<MeshMachine>(&platform.topology)) return StraightLoads(mesh->grid, false);
  return std::nullopt;
}

}  // namespace rondo
