// SmpiMachine where bandwidth is shared: by the ranks of a host, or by flows that meet on a link of the topology.

#include <fmt/format.h>

#include <map>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include "base/error.hpp"
#include "engine/smpi/machine.hpp"
#include "platform/routes.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;
namespace resource = simgrid::kernel::resource;

/// Ranks, the NICs of their hosts and the links of the topology. A route is the NIC up, the links, the NIC down; within
/// a host it is the host's memory. Its latency is one second, which the latency factor makes any other.
class SharedZone : public routing::NetZoneImpl {
 public:
  SharedZone(Platform const& platform, int ranks, ToItself const& to_itself)
      : NetZoneImpl("machine"), platform_(platform), to_itself_(to_itself) {
    cpus_ = new_link("cpus", calculation_bandwidth, s4u::Link::SharingPolicy::FATPIPE);
    for (int rank = 0; rank < ranks; ++rank) {
      rank_hosts_.push_back(create_host(fmt::format("rank{}", rank), {1e9}));
    }
    for (int host = 0; host < hosts(platform); ++host) add_host(host);
    if (platform.links == LinkSharing::shared) add_links();
    seal();
  }

  s4u::Host* host(int rank) const { return rank_hosts_[index(rank)]; }

  void get_local_route(routing::NetPoint const* source, routing::NetPoint const* target, routing::Route* into,
                       double* latency) override {
    int const from = host_of(platform_, Rank(static_cast<int>(source->id())));
    int const to = host_of(platform_, Rank(static_cast<int>(target->id())));
    if (latency != nullptr) *latency += 1.0;
    if (to_itself_ != ToItself::message && source == target) {
      into->link_list_ = {cpus_};
      return;
    }
    if (from == to) {
      into->link_list_ = {memory_[index(from)]};
      return;
    }
    into->link_list_ = {up_[index(from)]};
    if (!port_.empty()) into->link_list_.push_back(port_[index(from)]);
    append_links(from, to, into);
    into->link_list_.push_back(down_[index(to)]);
  }

 private:
  using LinkImpl = resource::StandardLinkImpl;

  template <typename Number>
  static std::size_t index(Number number) {
    return static_cast<std::size_t>(number);
  }

  LinkImpl* new_link(std::string const& name, double bandwidth, s4u::Link::SharingPolicy policy) {
    s4u::Link* link = create_link(name, {bandwidth});
    link->set_sharing_policy(policy);
    return link->get_impl();
  }

  /// A NIC carries all ports, but a flow only its own: with one rank a host bounding the flow is enough.
  void add_host(int host) {
    using Policy = s4u::Link::SharingPolicy;
    bool const alone = platform_.ranks_per_host == 1;
    double const one = platform_.bandwidth.value;
    double const nic = alone ? one : platform_.ports * one;
    up_.push_back(new_link(fmt::format("up{}", host), nic, alone ? Policy::FATPIPE : Policy::SHARED));
    down_.push_back(new_link(fmt::format("down{}", host), nic, alone ? Policy::FATPIPE : Policy::SHARED));
    if (nic > one) port_.push_back(new_link(fmt::format("port{}", host), one, Policy::FATPIPE));
    double const memory = platform_.intra_bandwidth.value_or(platform_.bandwidth).value;
    memory_.push_back(new_link(fmt::format("memory{}", host), memory, Policy::FATPIPE));
  }

  void add_links() {
    double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
    links_.resize(index(link_ids(platform_.topology)), nullptr);
    for (LinkId id = 0; id < link_ids(platform_.topology); ++id) {
      auto const found = link(platform_.topology, id);
      if (!found) continue;
      links_[index(id)] = new_link(fmt::format("link{}", id), found->cables * cable, s4u::Link::SharingPolicy::SHARED);
    }
  }

  void append_links(int from, int to, routing::Route* into) {
    if (links_.empty()) return;
    route_.clear();
    append_route(platform_.topology, from, to, route_);
    for (LinkId const id : route_) into->link_list_.push_back(links_[index(id)]);
  }

  Platform const& platform_;
  ToItself const& to_itself_;
  LinkImpl* cpus_;
  std::vector<s4u::Host*> rank_hosts_;
  std::vector<LinkImpl*> up_, down_, port_, memory_;
  std::vector<LinkImpl*> links_;  ///< by number; null where no link has that number
  std::vector<LinkId> route_;
};

}  // namespace

void SmpiMachine::build_shared(int ranks) {
  auto const* zone = new SharedZone(platform_, ranks, to_itself_);  // the engine owns it
  for (int rank = 0; rank < ranks; ++rank) seats_.push_back({zone->host(rank), nullptr, nullptr, {}});
  ports_ = std::make_unique<SmpiPorts>(ranks, platform_.ports);
}

void SmpiMachine::set_shared_timing(s4u::Engine& engine) {
  auto* intf = engine.get_netzone_root()->get_network_model();
  auto* model = dynamic_cast<resource::Model*>(intf);
  expects(model != nullptr, "a network model is a model");
  // SimGrid asks for the bandwidth factor of the action that it made last, then for its latency factor.
  intf->set_bw_factor_cb([this, model](double size, s4u::Host const* source, s4u::Host const* target, auto&&...) {
    Seat& from = *source->get_data<Seat>();
    Seat const& to = *target->get_data<Seat>();
    if (is_no_message(from, to)) {
      latency_ = 0;
      ports_->let_pass(model->get_started_action_set()->back());
      return factor_to_itself(from, size);
    }
    latency_ = ports_->admit(model->get_started_action_set()->back(), rank_of(from), rank_of(to),
                             startup_between(from, to).value);
    if (logs_) begin_passage(&model->get_started_action_set()->back(), from, to, size);
    return bandwidth_factor(from, size, 0);
  });
  intf->set_lat_factor_cb([this](double, auto&&...) { return latency_; });
}

}  // namespace rondo
