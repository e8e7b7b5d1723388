#include "engine/smpi_machine.hpp"

#include <fmt/format.h>

#include <limits>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include "base/error.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

/// SMPI adds this many bytes to the size of every message.
constexpr double smpi_envelope = 16;

/// Hosts that reach each other over their own up and the other's down link; hosts are its only vertices. SimGrid's own
/// zones take quadratic memory or search names for each link.
class NicZone : public routing::NetZoneImpl {
 public:
  explicit NicZone(std::string const& name) : NetZoneImpl(name) {}
  void add(s4u::Link const& up, s4u::Link const& down) {
    up_.push_back(up.get_impl());
    down_.push_back(down.get_impl());
  }
  void get_local_route(routing::NetPoint const* source, routing::NetPoint const* target, routing::Route* into,
                       double*) override {
    into->link_list_ = {up_[source->id()], down_[target->id()]};
  }

 private:
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> up_, down_;
};

}  // namespace

SmpiMachine::SmpiMachine(Platform const& platform, s4u::Engine& engine, int ranks) : platform_(platform) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  if (file != nullptr)
    load(*file, engine, ranks);
  else
    build();
  for (Node& node : nodes_) node.host->set_data(&node);
  set_timing(engine);
}

void SmpiMachine::build() {
  auto* zone = new NicZone("machine");  // the engine owns it
  int const count = hosts(platform_);
  for (int i = 0; i < count; ++i) {
    Node node;
    node.host = zone->create_host(fmt::format("h{}", i), {1e9});
    node.up = zone->create_link(fmt::format("up{}", i), {platform_.bandwidth.value});
    node.down = zone->create_link(fmt::format("down{}", i), {platform_.bandwidth.value});
    limit(*node.up);
    limit(*node.down);
    zone->add(*node.up, *node.down);
    nodes_.push_back(node);
  }
  zone->seal();
}

void SmpiMachine::limit(s4u::Link& nic) const {
  nic.set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
  nic.set_concurrency_limit(platform_.ports);
}

void SmpiMachine::set_timing(s4u::Engine& engine) {
  auto* model = engine.get_netzone_root()->get_network_model();
  model->set_lat_factor_cb([](double, auto&&...) { return 0.0; });
  model->set_bw_factor_cb([this](double size, s4u::Host const* source, s4u::Host const* target,
                                 std::vector<s4u::Link*> const& links, auto&&...) {
    Node const& from = *source->get_data<Node>();
    Node const& to = *target->get_data<Node>();
    expect_nics(from, to, links);
    return bandwidth_factor(size, from, to);
  });
}

double SmpiMachine::bandwidth_factor(double size, Node const& from, Node const& to) {
  auto const place = [&](Node const& node) { return static_cast<int>(&node - nodes_.data()); };
  double const payload = size - smpi_envelope;
  ++messages_;
  bytes_ += static_cast<std::int64_t>(payload);
  double const bytes_of_startup = startup(platform_, place(from), place(to)).value * platform_.bandwidth.value;
  double const carried = payload + static_cast<double>(platform_.envelope.value) + bytes_of_startup;
  // An empty message without start-up takes no time.
  return carried > 0 ? size / carried : std::numeric_limits<double>::infinity();
}

}  // namespace rondo
