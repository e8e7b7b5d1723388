#include "engine/smpi/machine.hpp"

#include <fmt/format.h>

#include <limits>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/error.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;

/// Ranks that reach each other over their own up and the other's down link; they are its only vertices. SimGrid's own
/// zones take quadratic memory or search names for each link.
class NicZone : public routing::NetZoneImpl {
 public:
  NicZone(std::string const& name, ToItself const& to_itself) : NetZoneImpl(name), to_itself_(to_itself) {
    s4u::Link* const cpus = create_link("cpus", {calculation_bandwidth});
    cpus->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
    cpus_ = cpus->get_impl();
  }
  void add(s4u::Link const& up, s4u::Link const& down) {
    up_.push_back(up.get_impl());
    down_.push_back(down.get_impl());
  }
  void get_local_route(routing::NetPoint const* source, routing::NetPoint const* target, routing::Route* into,
                       double*) override {
    into->link_list_ = {up_[source->id()], down_[target->id()]};
    if (to_itself_ != ToItself::message && source == target) into->link_list_ = {cpus_};
  }

 private:
  ToItself const& to_itself_;
  simgrid::kernel::resource::StandardLinkImpl* cpus_;
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> up_, down_;
};

}  // namespace

SmpiMachine::SmpiMachine(Platform const& platform, s4u::Engine& engine, int ranks) : platform_(platform) {
  auto const* file = std::get_if<PlatformFile>(&platform.topology);
  bool const shared = file == nullptr && shares_bandwidth(platform);
  if (file != nullptr) {
    load(*file, engine, ranks);
  } else if (shared) {
    build_shared(ranks);
  } else {
    build(ranks);
  }
  for (Seat& seat : seats_) seat.host->set_data(&seat);
  if (shared) {
    set_shared_timing(engine);
  } else {
    set_timing(engine);
  }
}

void SmpiMachine::build(int ranks) {
  auto* zone = new NicZone("machine", to_itself_);  // the engine owns it
  for (int rank = 0; rank < ranks; ++rank) {
    Seat seat;
    seat.host = zone->create_host(fmt::format("rank{}", rank), {1e9});
    seat.up = zone->create_link(fmt::format("up{}", rank), {platform_.bandwidth.value});
    seat.down = zone->create_link(fmt::format("down{}", rank), {platform_.bandwidth.value});
    limit(*seat.up);
    limit(*seat.down);
    zone->add(*seat.up, *seat.down);
    seats_.push_back(seat);
  }
  zone->seal();
}

void SmpiMachine::limit(s4u::Link& nic) const {
  nic.set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
  nic.set_concurrency_limit(platform_.ports);
}

void SmpiMachine::set_timing(s4u::Engine& engine) {
  auto* intf = engine.get_netzone_root()->get_network_model();
  auto* model = dynamic_cast<simgrid::kernel::resource::Model*>(intf);
  expects(model != nullptr, "a network model is a model");
  intf->set_lat_factor_cb([](double, auto&&...) { return 0.0; });
  // SimGrid asks for the bandwidth factor of the action that it made last.
  intf->set_bw_factor_cb([this, model](double size, s4u::Host const* source, s4u::Host const* target,
                                       std::vector<s4u::Link*> const& links, auto&&...) {
    Seat& from = *source->get_data<Seat>();
    Seat const& to = *target->get_data<Seat>();
    if (is_no_message(from, to)) return factor_to_itself(from, size);
    expect_nics(from, to, links);
    if (logs_) begin_passage(&model->get_started_action_set()->back(), from, to, size);
    return bandwidth_factor(from, size, startup_between(from, to).value * platform_.bandwidth.value);
  });
}

void SmpiMachine::carry_way_back(Rank rank, Rank from) {
  if (std::holds_alternative<PlatformFile>(platform_.topology)) return;
  Seat& seat = seats_[static_cast<std::size_t>(rank.value)];
  seat.way_back = startup_between(seats_[static_cast<std::size_t>(from.value)], seat);
}

double SmpiMachine::factor_to_itself(Seat& seat, double size) const {
  Seconds const way_back = std::exchange(seat.way_back, Seconds(0));
  if (way_back > Seconds(0)) return size / (way_back.value * calculation_bandwidth);
  return to_itself_ == ToItself::calculation ? size / (size - smpi_envelope) : std::numeric_limits<double>::infinity();
}

Seconds SmpiMachine::startup_between(Seat const& from, Seat const& to) const {
  return startup(platform_, host_of(platform_, Rank(rank_of(from))), host_of(platform_, Rank(rank_of(to))));
}

double SmpiMachine::bandwidth_factor(Seat& from, double size, double more) {
  double const payload = size - smpi_envelope;
  ++messages_;
  bytes_ += static_cast<std::int64_t>(payload);
  from.sent += Bytes(static_cast<std::int64_t>(payload));
  double const carried = payload + static_cast<double>(platform_.envelope.value) + more;
  // An empty message without start-up takes no time.
  return carried > 0 ? size / carried : std::numeric_limits<double>::infinity();
}

}  // namespace rondo
