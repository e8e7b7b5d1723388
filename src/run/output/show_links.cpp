// Prepares links and loads of a topology for the page: positions of routers, bytes on each link, and the messages over
// the busiest link.

#include "run/output/show_links.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "platform/regular.hpp"
#include "platform/routing.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

Json grid_layout(Torus const& torus) {
  if (torus.dimensions() == 1) return {{"kind", "ring"}};
  if (torus.dimensions() > 3) return {{"kind", "circle"}};
  return {{"kind", "torus"}, {"extents", torus.extents()}};
}

/// The drawing of a topology, as JSON; null for one that cannot be drawn.
struct LayoutOf {
  Json operator()(TorusMachine const& machine) const { return grid_layout(machine.torus); }
  Json operator()(MeshMachine const& machine) const { return grid_layout(machine.grid); }
  Json operator()(Ring const&) const { return {{"kind", "ring"}}; }
  Json operator()(Dragonfly const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(machine.groups), machine.chassis * machine.routers)}};
  }
  Json operator()(FatTree const& machine) const {
    return {{"kind", "levels"}, {"sizes", regular::switches_by_level(machine)}};
  }
  Json operator()(HyperX const& machine) const {
    int const row = machine.dims.back();
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(regular::routers(machine) / row), row)}};
  }
  Json operator()(DragonflyPlus const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(machine.groups), machine.leaves + machine.spines)}};
  }
  Json operator()(SlimFly const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(2 * machine.q), machine.q)}};
  }
  Json operator()(GraphMachine const&) const { return {{"kind", "circle"}}; }
  Json operator()(FullyConnected const&) const { return nullptr; }
  Json operator()(PlatformFile const&) const { return nullptr; }
};

/// The messages over a link, by their places.
std::vector<std::size_t> crossing(BlockMoves const& moves, Platform const& platform, LinkId link) {
  Routes const routes(platform);
  std::vector<std::size_t> result;
  std::vector<LinkId> route;
  for (std::size_t i = 0; i < moves.messages.size(); ++i) {
    BlockMoves::Message const& message = moves.messages[i];
    int const from = host_of(platform, message.source), to = host_of(platform, message.target);
    route.clear();
    if (from != to) routes.append(from, to, route);
    if (std::ranges::find(route, link) != route.end()) result.push_back(i);
  }
  return result;
}

}  // namespace

Json show_links(LinkLoads const& loads, BlockMoves const& moves, Platform const& platform) {
  Json layout = std::visit(LayoutOf{}, platform.topology);
  if (layout.is_null() || loads.links.empty() || std::ssize(loads.links) > most_shown_links) return nullptr;
  Json rows = Json::array();
  for (LinkLoad const& each : loads.links) rows.push_back({each.ends.from, each.ends.to, each.ends.cables, each.bytes});
  auto const busiest = std::ranges::max_element(loads.links, {}, &LinkLoad::bytes);
  bool const idle = busiest->bytes == 0;
  return {{"layout", std::move(layout)},
          {"routers", routers(platform.topology)},
          {"capacity", platform.link_bandwidth.value_or(platform.bandwidth).value},
          {"loads", std::move(rows)},
          {"busiest", idle ? Json(nullptr) : Json(busiest - loads.links.begin())},
          {"crossing", idle ? Json::array() : Json(crossing(moves, platform, busiest->id))}};
}

}  // namespace rondo
