#include "run/output/show_links.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "platform/routing.hpp"

namespace rondo {
namespace {

using Json = nlohmann::ordered_json;

Json grid_layout(Torus const& torus) {
  if (torus.dimensions() == 1) return {{"kind", "ring"}};
  if (torus.dimensions() > 3) return {{"kind", "circle"}};
  return {{"kind", "torus"}, {"extents", torus.extents()}};
}

/// By level from the hosts up, the switches of a fat tree.
std::vector<std::int64_t> switches(FatTree const& tree) {
  std::vector<std::int64_t> result;
  std::int64_t below = 1, above = 1;
  for (int const down : tree.down) below *= down;
  for (std::size_t level = 0; level < tree.down.size(); ++level) {
    below /= tree.down[level];
    above *= tree.up[level];
    result.push_back(below * above);
  }
  return result;
}

struct LayoutOf {
  Json operator()(TorusMachine const& machine) const { return grid_layout(machine.torus); }
  Json operator()(MeshMachine const& machine) const { return grid_layout(machine.grid); }
  Json operator()(Ring const&) const { return {{"kind", "ring"}}; }
  Json operator()(Dragonfly const& machine) const {
    return {{"kind", "clusters"}, {"sizes", std::vector<int>(at(machine.groups), machine.chassis * machine.routers)}};
  }
  Json operator()(FatTree const& machine) const { return {{"kind", "levels"}, {"sizes", switches(machine)}}; }
  Json operator()(FullyConnected const&) const { return nullptr; }
  Json operator()(PlatformFile const&) const { return nullptr; }
};

/// The bytes over each link, and the messages over any one.
class Crossings {
 public:
  Crossings(Motion const& motion, Platform const& platform) : motion_(motion), platform_(platform), routes_(platform) {
    bytes_.resize(at(link_ids(platform.topology)));
    each([&](std::size_t, std::int64_t bytes, LinkId link) { bytes_[at(link)] += bytes; });
  }
  std::int64_t bytes(LinkId link) const { return bytes_[at(link)]; }

  std::vector<std::size_t> over(LinkId wanted) const {
    std::vector<std::size_t> result;
    each([&](std::size_t message, std::int64_t, LinkId link) {
      if (link == wanted) result.push_back(message);
    });
    return result;
  }

 private:
  template <typename Use>
  void each(Use const& use) const {
    std::vector<LinkId> route;
    for (std::size_t i = 0; i < motion_.messages.size(); ++i) {
      Motion::Message const& message = motion_.messages[i];
      int const from = host_of(platform_, message.source), to = host_of(platform_, message.target);
      route.clear();
      if (from != to) routes_.append(from, to, route);
      for (LinkId const link : route) use(i, message.bytes.value + platform_.envelope.value, link);
    }
  }

  Motion const& motion_;
  Platform const& platform_;
  Routes routes_;
  std::vector<std::int64_t> bytes_;
};

}  // namespace

Json show_links(Motion const& motion, Platform const& platform) {
  Json layout = std::visit(LayoutOf{}, platform.topology);
  if (layout.is_null() || platform.routing.rule == RoutingRule::ugal) return nullptr;
  LinkId const ids = link_ids(platform.topology);
  if (ids > most_shown_links) return nullptr;
  Crossings const crossings(motion, platform);
  Json loads = Json::array();
  LinkId busiest = 0;
  std::size_t place = 0;
  for (LinkId id = 0; id < ids; ++id) {
    auto const ends = link(platform.topology, id);
    if (!ends) continue;
    if (crossings.bytes(id) > crossings.bytes(busiest)) {
      busiest = id;
      place = loads.size();
    }
    loads.push_back({ends->from, ends->to, ends->cables, crossings.bytes(id)});
  }
  if (loads.empty()) return nullptr;
  bool const idle = crossings.bytes(busiest) == 0;
  return {{"layout", std::move(layout)},
          {"routers", routers(platform.topology)},
          {"capacity", platform.link_bandwidth.value_or(platform.bandwidth).value},
          {"loads", std::move(loads)},
          {"busiest", idle ? Json(nullptr) : Json(place)},
          {"crossing", idle ? Json::array() : Json(crossings.over(busiest))}};
}

}  // namespace rondo
