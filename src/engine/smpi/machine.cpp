#include "engine/smpi/machine.hpp"

#include <fmt/format.h>

#include <smpi/smpi.h>
#include <limits>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/smpi/file_network.hpp"
#include "engine/smpi/ports.hpp"
#include "engine/smpi/precision.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;
namespace resource = simgrid::kernel::resource;

/// Ranks, the NICs of their hosts and the links of the topology, as far as messages share them. A route is the NIC up,
/// the links, the NIC down; where nothing is shared, a link that no message ever flows over. Its latency is one second,
/// which the latency factor makes any other. SimGrid's own zones take quadratic memory or search names for each link.
class MachineZone : public routing::NetZoneImpl {
 public:
  /// `chosen` is the route of each message that chooses it, as SimGrid asks for it.
  MachineZone(Platform const& platform, int ranks, ToItself const& to_itself, std::vector<LinkId> const& chosen)
      : NetZoneImpl("machine"), platform_(platform), routes_(platform), to_itself_(to_itself), chosen_(chosen) {
    cpus_ = new_link("cpus", calculation_bandwidth, s4u::Link::SharingPolicy::FATPIPE);
    for (int rank = 0; rank < ranks; ++rank) {
      rank_hosts_.push_back(create_host(fmt::format("rank{}", rank), {1e9}));
    }
    alone_ = new_link("alone", platform.bandwidth.value, s4u::Link::SharingPolicy::FATPIPE);
    bool const flow = platform.timing == TimingModel::flow;
    if (flow || platform.ranks_per_host > 1) add_nics();
    if (flow && platform.ranks_per_host > 1) add_memories();
    if (platform.links == LinkSharing::shared) add_links();
    seal();
  }

  s4u::Host* host(int rank) const { return rank_hosts_[at(rank)]; }

  void get_local_route(routing::NetPoint const* source, routing::NetPoint const* target, routing::Route* into,
                       double* latency) override {
    int const from = host_of(platform_, Rank(static_cast<int>(source->id())));
    int const to = host_of(platform_, Rank(static_cast<int>(target->id())));
    if (latency != nullptr) *latency += 1.0;
    if (to_itself_ != ToItself::message && source == target) {
      into->link_list_ = {cpus_};
      return;
    }
    into->link_list_.clear();
    if (from != to) append_links(from, to, into);
    if (from == to && !memories_.empty()) into->link_list_.push_back(memories_[at(from)]);
    if (into->link_list_.empty()) into->link_list_ = {alone_};
  }

 private:
  using LinkImpl = resource::StandardLinkImpl;

  LinkImpl* new_link(std::string const& name, double bandwidth, s4u::Link::SharingPolicy policy) {
    s4u::Link* link = create_link(name, {bandwidth});
    link->set_sharing_policy(policy);
    return link->get_impl();
  }

  /// A NIC carries all ports of a rank. Under linear timing a host with one rank never waits for it.
  void add_nics() {
    double const nic = platform_.ports * platform_.bandwidth.value;
    for (int host = 0; host < hosts(platform_); ++host) {
      up_.push_back(new_link(fmt::format("up{}", host), nic, s4u::Link::SharingPolicy::SHARED));
      down_.push_back(new_link(fmt::format("down{}", host), nic, s4u::Link::SharingPolicy::SHARED));
    }
  }

  void add_memories() {
    double const memory = platform_.intra_bandwidth.value_or(platform_.bandwidth).value;
    for (int host = 0; host < hosts(platform_); ++host) {
      memories_.push_back(new_link(fmt::format("memory{}", host), memory, s4u::Link::SharingPolicy::SHARED));
    }
  }

  void add_links() {
    double const cable = platform_.link_bandwidth.value_or(platform_.bandwidth).value;
    links_.resize(at(link_ids(platform_.topology)), nullptr);
    for (LinkId id = 0; id < link_ids(platform_.topology); ++id) {
      auto const found = link(platform_.topology, id);
      if (!found) continue;
      links_[at(id)] = new_link(fmt::format("link{}", id), found->cables * cable, s4u::Link::SharingPolicy::SHARED);
    }
  }

  void append_links(int from, int to, routing::Route* into) {
    if (!up_.empty()) into->link_list_.push_back(up_[at(from)]);
    if (!links_.empty()) {
      route_ = chosen_;
      if (platform_.routing.rule != RoutingRule::ugal) {
        route_.clear();
        routes_.append(from, to, route_);
      }
      for (LinkId const id : route_) into->link_list_.push_back(links_[at(id)]);
    }
    if (!down_.empty()) into->link_list_.push_back(down_[at(to)]);
  }

  Platform const& platform_;
  Routes routes_;
  ToItself const& to_itself_;
  std::vector<LinkId> const& chosen_;
  LinkImpl *cpus_, *alone_;
  std::vector<s4u::Host*> rank_hosts_;
  std::vector<LinkImpl*> up_, down_, memories_;  ///< by host
  std::vector<LinkImpl*> links_;                 ///< by number; null where no link has that number
  std::vector<LinkId> route_;
};

}  // namespace

SmpiMachine::SmpiMachine(Platform const& platform, s4u::Engine& engine, int ranks)
    : platform_(platform), routes_(platform) {
  if (auto const* file = std::get_if<PlatformFile>(&platform.topology)) {
    load(*file, engine, ranks);
  } else {
    build(ranks);
  }
  for (Seat& seat : seats_) seat.host->set_data(&seat);
  if (platform.routing.rule == RoutingRule::ugal) loads_.emplace(platform, routes_);
  auto const launching = [this](int from, int to, std::int64_t bytes) { return launch(from, to, bytes); };
  if (platform.timing == TimingModel::flow) {
    rule_ = std::make_unique<SmpiFlow>(ranks, platform.flow, launching,
                                       [this] { return rank_of(*s4u::this_actor::get_host()->get_data<Seat>()); });
  } else {
    rule_ = std::make_unique<SmpiPorts>(ranks, platform.ports, launching);
  }
  set_timing(engine);
}

void SmpiMachine::build(int ranks) {
  auto const* zone = new MachineZone(platform_, ranks, to_itself_, chosen_);
  for (int rank = 0; rank < ranks; ++rank) seats_.push_back({zone->host(rank), nullptr, nullptr, {}});
}  // the engine owns the zone. NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

void SmpiMachine::load(PlatformFile const& file, s4u::Engine& engine, int ranks) {
  for (FileHost const& host : load_file(file.path, engine, ranks))
    seats_.push_back({host.host, host.up, host.down, {}});
  for (s4u::Link* link : engine.get_all_links()) {
    // Flows share by the latencies of their routes: all are one second, as on a machine of our own, to the last bit.
    // But on no route it may be 0, not on that of a host to itself either.
    link->set_latency(1e-20);
    // Fat pipes bound each message alone, which is seen to apart: SimGrid's own have flows share them at times.
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) widen(*link, link->get_bandwidth());
  }
  for (Seat const& seat : seats_) {
    if (seat.up == nullptr) continue;
    seat.up->set_latency(1);
    for (s4u::Link* nic : {seat.up, seat.down}) {
      widen(*nic, platform_.bandwidth.value);
      if (platform_.timing == TimingModel::flow) nic->set_bandwidth(platform_.ports * platform_.bandwidth.value);
    }
  }
}

/// Makes it a link that no flow waits for, and that bounds each message alone.
void SmpiMachine::widen(s4u::Link& link, double bandwidth) {
  constexpr double without_bound = 1e30;
  fat_pipes_[&link] = bandwidth;
  link.set_sharing_policy(s4u::Link::SharingPolicy::SHARED);
  link.set_bandwidth(without_bound);
}

void SmpiMachine::set_timing(s4u::Engine& engine) {
  auto* intf = engine.get_netzone_root()->get_network_model();
  auto* model = dynamic_cast<resource::Model*>(intf);
  expects(model != nullptr, "a network model is a model");
  engine.add_model(std::make_shared<Precision>(engine));
  // SimGrid asks for the bandwidth factor of the action that it made last, then for its latency factor.
  intf->set_bw_factor_cb([this, model](double size, s4u::Host const* source, s4u::Host const* target,
                                       std::vector<s4u::Link*> const& links, auto&&...) {
    Seat& from = *source->get_data<Seat>();
    Seat const& to = *target->get_data<Seat>();
    resource::Action& action = model->get_started_action_set()->back();
    if (launching_ != nullptr) {
      if (from.up != nullptr) expect_nics({from.host, from.up, from.down}, {to.host, to.up, to.down}, links);
      latency_ = SmpiRule::without_end;
      launching_->action = &action;
      launching_->holding = holding_of(from, to, static_cast<std::int64_t>(size) - platform_.envelope.value, links);
      return 1.0;
    }
    if (is_no_message(from, to)) {
      latency_ = latency_of_way_back(from, links);
      return let_pass(action, from, size);
    }
    if (from.up != nullptr) expect_nics({from.host, from.up, from.down}, {to.host, to.up, to.down}, links);
    latency_ = SmpiRule::without_end;
    return admit(action, from, to, size, links);
  });
  intf->set_lat_factor_cb([this](double, auto&&...) { return latency_; });
  auto const post = [this](std::size_t size, s4u::Host const* source, s4u::Host const* target) {
    Seat const& from = *source->get_data<Seat>();
    Seat const& to = *target->get_data<Seat>();
    if (!is_no_message(from, to)) rule_->post(rank_of(from), rank_of(to), static_cast<std::int64_t>(size));
    return 0.0;
  };
  smpi_register_op_cost_callback(SmpiOperation::ISEND, post);
  smpi_register_op_cost_callback(SmpiOperation::SEND, post);
}

void SmpiMachine::join(Rank rank, Bytes bytes) const {
  Seconds const time = static_cast<double>(bytes.value) * platform_.reduce;
  if (time > Seconds(0)) rule_->work(rank.value, time);
}

void SmpiMachine::carry_way_back(Rank rank, Rank from) {
  if (platform_.timing == TimingModel::flow && !platform_.flow.ack) return;
  Seat& seat = seats_[at(rank)];
  seat.way_back = routes_.startup(host_of_seat(seats_[at(from)]), host_of_seat(seat));
}

double SmpiMachine::latency_of_way_back(Seat& seat, std::vector<s4u::Link*> const& links) {
  Seconds const way_back = std::exchange(seat.way_back, Seconds(0));
  if (way_back == Seconds(0)) return 0;
  double latency = 1;  // of routes on a machine of our own
  if (seat.up != nullptr) {
    latency = 0;
    for (s4u::Link const* link : links) latency += link->get_latency();
    expects(latency > 0, "a latency on the route of a host to itself");
  }
  return way_back.value / latency;
}

double SmpiMachine::let_pass(resource::Action& action, Seat const& seat, double size) {
  rule_->let_pass(action, rank_of(seat));
  double const seconds = to_itself_ == ToItself::calculation ? (size - smpi_envelope) / calculation_bandwidth : 0;
  return seconds > 0 ? size / (seconds * calculation_bandwidth) : std::numeric_limits<double>::infinity();
}

double SmpiMachine::admit(resource::Action& action, Seat& from, Seat const& to, double size,
                          std::vector<s4u::Link*> const& links) {
  auto const payload = static_cast<std::int64_t>(size - smpi_envelope);
  ++messages_;
  bytes_ += payload;
  from.sent += Bytes(payload);
  if (logs_) begin_passage(&action, from, to, size);
  double const carried = static_cast<double>(checked_sum(payload, platform_.envelope.value));
  Holding const holding = holding_of(from, to, payload, links);
  rule_->admit(action, rank_of(from), rank_of(to), payload, holding);
  return holding.links.empty() || carried == 0 ? 1 : size / carried;
}

Flight SmpiMachine::launch(int from, int to, std::int64_t bytes) {
  Flight flight;
  int const source = host_of(platform_, Rank(from)), target = host_of(platform_, Rank(to));
  if (loads_ && source != target) choose_route(flight, source, target);
  std::size_t const piece = piece_of(platform_, bytes);
  Way const own = flight.load ? routes_.way_over(chosen_.size(), piece) : routes_.way(source, target, piece);
  auto const carried = static_cast<std::uint64_t>(checked_sum(bytes, platform_.envelope.value));
  if (carried > 0) {
    launching_ = &flight;
    flight.transfer = s4u::Comm::sendto_init(host(Rank(from)), host(Rank(to)));
    flight.transfer->set_payload_size(carried)->start();
    launching_ = nullptr;
  }
  flight.holding.startup = own.startup.value;
  return flight;
}

void SmpiMachine::choose_route(Flight& flight, int from_host, int to_host) {
  chosen_ = loads_->choose(from_host, to_host);
  flight.load = std::shared_ptr<void>(this, [this, route = chosen_](void*) { loads_->release(route); });
}

Holding SmpiMachine::holding_of(Seat const& from, Seat const& to, std::int64_t payload,
                                std::vector<s4u::Link*> const& links) const {
  int const source = host_of_seat(from);
  int const target = host_of_seat(to);
  bool const within = source == target;
  double const carried = static_cast<double>(checked_sum(payload, platform_.envelope.value));
  Way const own = routes_.way(source, target, piece_of(platform_, payload));
  Holding holding{own.startup.value, carried, own.bandwidth.value};
  holding.chooses_route = loads_ && !within;
  bool const in_memory = within && platform_.timing != TimingModel::flow;
  if (in_memory || carried == 0 || !shares_bandwidth(platform_)) return holding;
  for (s4u::Link const* link : links) {
    if (auto const pipe = fat_pipes_.find(link); pipe != fat_pipes_.end()) {
      holding.bandwidth = std::min(holding.bandwidth, pipe->second);
    }
  }
  holding.links = links;
  return holding;
}

}  // namespace rondo
