// Builds hosts and links of SimGrid for a Platform, and connects SimGrid's callbacks with the rule of the timing model.

#include "engine/smpi/machine.hpp"

#include <fmt/format.h>

#include <smpi/smpi.h>
#include <algorithm>
#include <limits>
#include <map>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/smpi/file_network.hpp"
#include "engine/smpi/ports.hpp"
#include "engine/smpi/precision.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;
namespace resource = simgrid::kernel::resource;

/// SimGrid's view of the machine: a host for each rank, the NICs of the machine's hosts, and the links of the topology,
/// as far as messages share them. A route consists of the NIC up, the links, and the NIC down. If nothing is shared, it
/// is one link that no message uses. The latency of a route is one second, and the latency factor turns this into any
/// other latency. SimGrid's own zones are not used, because they take quadratic memory or search links by name.
class MachineZone : public routing::NetZoneImpl {
 public:
  /// SimGrid asks for the route of a message, or of the flow that is being launched, which may have chosen its route.
  MachineZone(Platform const& platform, Paths const& paths, int ranks, SelfMessage const& self_message,
              LaunchedFlow const& launched)
      : NetZoneImpl("machine"),
        paths_(paths),
        resources_(paths, platform, hosts(platform), link_ids(platform.topology)),
        chooses_(platform.routing.rule == RoutingRule::ugal),
        self_message_(self_message),
        launched_(launched) {
    cpus_ = new_link("cpus", calculation_bandwidth, s4u::Link::SharingPolicy::FATPIPE);
    for (int rank = 0; rank < ranks; ++rank) {
      rank_hosts_.push_back(create_host(fmt::format("rank{}", rank), {1e9}));
    }
    BytesPerSecond const within = platform.island ? paths.routes().cost_within().bandwidth : platform.bandwidth;
    alone_ = new_link("alone", std::max(within, platform.bandwidth).value, s4u::Link::SharingPolicy::FATPIPE);
    for (double const capacity : resources_.capacities()) {
      links_.push_back(new_link(fmt::format("wire{}", links_.size()), capacity, s4u::Link::SharingPolicy::SHARED));
    }
    seal();
  }

  s4u::Host* host(int rank) const { return rank_hosts_[at(rank)]; }

  /// SimGrid asks for the links between two hosts. All routes get the same latency, because SimGrid would share
  /// bandwidth by it.
  void get_local_route(routing::NetPoint const* source, routing::NetPoint const* target, routing::Route* into,
                       double* latency) override {
    if (latency != nullptr) *latency += 1.0;
    if (self_message_ != SelfMessage::message && source == target) {
      into->link_list_ = {cpus_};
      return;
    }
    used_.clear();
    append_wires(Rank(static_cast<int>(source->id())), Rank(static_cast<int>(target->id())));
    into->link_list_.clear();
    for (SharedResources::Number const number : used_) into->link_list_.push_back(links_[number]);
    if (into->link_list_.empty()) into->link_list_ = {alone_};
  }

 private:
  using LinkImpl = resource::StandardLinkImpl;

  LinkImpl* new_link(std::string const& name, double bandwidth, s4u::Link::SharingPolicy policy) {
    s4u::Link* link = create_link(name, {bandwidth});
    link->set_sharing_policy(policy);
    return link->get_impl();
  }

  void append_wires(Rank from, Rank to) {
    int const source = paths_.host(from), target = paths_.host(to);
    if (source == target) return resources_.append_within(from, to, used_);
    NicPair const nics = paths_.nics(from, to, launched_.size, launched_.flow);
    resources_.append_out(from, nics, used_);
    if (resources_.shares_links()) {
      route_ = launched_.route;
      if (!chooses_) {
        route_.clear();
        paths_.routes().append(source, target, route_);
      }
      resources_.append_links(nics, route_, used_);
    }
    resources_.append_in(from, to, nics, used_);
  }

  Paths const& paths_;
  SharedResources resources_;
  bool chooses_;
  SelfMessage const& self_message_;
  LaunchedFlow const& launched_;
  LinkImpl *cpus_, *alone_;
  std::vector<s4u::Host*> rank_hosts_;
  std::vector<LinkImpl*> links_;  ///< by number; the numbers without a link are never used
  std::vector<LinkId> route_;
  std::vector<SharedResources::Number> used_;
};

}  // namespace

namespace {

/// If latency and bandwidth come from the file, links keep their latencies. But SimGrid allows no route of latency 0,
/// so links without latency get this one, which vanishes when it is added to another latency.
constexpr double least_latency = 1e-40;
/// A bound above the latency of any route that only has such links.
constexpr double no_latency = 1e-30;

}  // namespace

/// The routes of a platform file whose latencies and bandwidths are used. Each is read from SimGrid when it is first
/// needed. Fat pipes are handled separately.
class SmpiMachine::CostsOfFileRoutes : public FileRouteCosts {
 public:
  CostsOfFileRoutes(std::string path, std::vector<Endpoint> const& endpoints)
      : path_(std::move(path)), endpoints_(endpoints) {}

  RouteCost between(int from, int to) const override {
    auto const [found, is_new] = known_.try_emplace(std::pair(from, to));
    if (is_new) {
      FileRoute const route = file_route(path_, *endpoints_[at(from)].host, *endpoints_[at(to)].host);
      found->second = {Seconds(route.latency < no_latency ? 0 : route.latency), BytesPerSecond(route.bandwidth)};
    }
    return found->second;
  }

 private:
  std::string path_;
  std::vector<Endpoint> const& endpoints_;
  mutable std::map<std::pair<int, int>, RouteCost> known_;
};

namespace {

/// The latency that SimGrid multiplies by the latency factor. (On Vivaldi's zones it adds more, but these are refused.)
double latency_of(std::vector<s4u::Link*> const& links) {
  double latency = 0;
  for (s4u::Link const* link : links) latency += link->get_latency();
  expects(latency > 0, "a latency on the route");
  return latency;
}

}  // namespace

SmpiMachine::SmpiMachine(Platform const& platform, s4u::Engine& engine, int ranks)
    : platform_(platform), paths_(platform_) {
  if (auto* file = std::get_if<PlatformFile>(&platform_.topology)) {
    if (file->own_numbers) file->route_costs = std::make_shared<CostsOfFileRoutes>(file->path, endpoints_);
    load(*file, engine, ranks);
  } else {
    build(ranks);
  }
  for (Endpoint& endpoint : endpoints_) endpoint.host->set_data(&endpoint);
  if (platform.routing.rule == RoutingRule::ugal) loads_.emplace(platform, paths_.routes());
  auto const launching = [this](int from, int to, std::int64_t bytes) { return launch(from, to, bytes); };
  if (platform.timing == TimingModel::flow) {
    gaps_.emplace(paths_, platform, std::max(hosts(platform), ranks));
    auto const pass = [this](Instant now, int from, int to, std::int64_t bytes) {
      return gaps_->pass(now, Rank(from), Rank(to), size_class(platform_, bytes));
    };
    rule_ = std::make_unique<SmpiFlow>(ranks, platform.rank_of_part, platform.flow, launching, pass,
                                       [this] { return rank_of(*s4u::this_actor::get_host()->get_data<Endpoint>()); });
  } else {
    rule_ = std::make_unique<SmpiPorts>(ranks, platform.rank_of_part, platform.ports, launching);
  }
  set_timing(engine);
}

void SmpiMachine::build(int ranks) {
  auto const* zone = new MachineZone(platform_, paths_, ranks, self_message_, launched_);
  for (int rank = 0; rank < ranks; ++rank) endpoints_.push_back({zone->host(rank), nullptr, nullptr, {}});
}  // the engine owns the zone. NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

void SmpiMachine::load(PlatformFile const& file, s4u::Engine& engine, int ranks) {
  for (FileHost const& host : load_file(file, engine, ranks)) endpoints_.push_back({host.host, host.up, host.down, {}});
  for (s4u::Link* link : engine.get_all_links()) {
    if (file.own_numbers) {
      if (link->get_latency() == 0) link->set_latency(least_latency);
    } else {
      // SimGrid shares links by the latencies of routes. So all routes have exactly one second, as on machines without
      // a file. No route may have latency 0, not even that of a host to itself.
      link->set_latency(1e-20);
    }
    // Fat pipes limit each message separately. SimGrid's own fat pipes sometimes make flows share them, so Rondo
    // applies the limit.
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) make_unlimited(*link, link->get_bandwidth());
  }
  for (Endpoint const& endpoint : endpoints_) {
    if (endpoint.up == nullptr) continue;
    endpoint.up->set_latency(1);
    for (s4u::Link* nic : {endpoint.up, endpoint.down}) {
      make_unlimited(*nic, platform_.bandwidth.value);
      if (platform_.timing == TimingModel::flow) nic->set_bandwidth(platform_.ports * platform_.bandwidth.value);
    }
  }
}

/// Turns the link into one that no flow waits for. Rondo then limits each message separately.
void SmpiMachine::make_unlimited(s4u::Link& link, double bandwidth) {
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
  // SimGrid asks for the bandwidth factor of the action that it made last, and then for its latency factor.
  intf->set_bw_factor_cb([this, model](double size, s4u::Host const* source, s4u::Host const* target,
                                       std::vector<s4u::Link*> const& links, auto&&...) {
    Endpoint& from = *source->get_data<Endpoint>();
    Endpoint const& to = *target->get_data<Endpoint>();
    resource::Action& action = model->get_started_action_set()->back();
    if (launching_ != nullptr) {
      set_endless_latency(from, to, links);
      launching_->transfers.back().action = &action;
      launching_->transfers.back().transfer = transfer_cost(from, to, launched_.payload, links);
      return 1.0;
    }
    if (is_no_message(from, to)) {
      latency_ = latency_of_acknowledgement(from, links);
      return begin_self_message(action, from, size);
    }
    set_endless_latency(from, to, links);
    return admit(action, from, to, size, links);
  });
  intf->set_lat_factor_cb([this](double, auto&&...) { return latency_; });
  auto const post = [this](std::size_t size, s4u::Host const* source, s4u::Host const* target) {
    Endpoint const& from = *source->get_data<Endpoint>();
    Endpoint const& to = *target->get_data<Endpoint>();
    // Throws if there is no route; SimGrid would abort.
    if (has_file_numbers(platform_))
      paths_.route_cost(Rank(rank_of(from)), Rank(rank_of(to)), size_class(platform_, 0));
    if (!is_no_message(from, to)) rule_->post(rank_of(from), rank_of(to), static_cast<std::int64_t>(size));
    return 0.0;
  };
  smpi_register_op_cost_callback(SmpiOperation::ISEND, post);
  smpi_register_op_cost_callback(SmpiOperation::SEND, post);
}

void SmpiMachine::take_cpu(Rank part) const {
  if (platform_.timing == TimingModel::flow) rule_->take_cpu(part.value);
}

void SmpiMachine::calculate(Rank part, Seconds time) const {
  rule_->take_cpu(part.value);
  if (platform_.timing == TimingModel::flow) {
    rule_->work(part.value, time);
  } else {
    rule_->arrive(part.value, time);
  }
  rule_->release_cpu(part.value);
}

Seconds SmpiMachine::reduction_time(Rank rank, int round, Bytes bytes) const {
  if (platform_.timing != TimingModel::flow || bytes == Bytes(0)) return {};
  Seconds const time = static_cast<double>(bytes.value) * platform_.reduce;
  return noise_ ? time + noise_->joining(at(rank), at(round), time) : time;
}

void SmpiMachine::reduce(Rank rank, Seconds time) const {
  if (time > Seconds(0)) rule_->work(rank.value, time);
}

void SmpiMachine::set_noise(Noise const& noise) {
  noise_ = noise;
  rule_->set_noise(&*noise_);
}

void SmpiMachine::carry_acknowledgement(Rank rank, Rank from) {
  if (platform_.timing == TimingModel::flow && !platform_.flow.ack) return;
  Endpoint& endpoint = endpoints_[at(rank)];
  endpoint.acknowledgement = paths_.route_cost(from, rank, size_class(platform_, 0)).startup;
}

/// SimGrid's action of a message gets an endless latency, so that it waits until the rule lets it go.
void SmpiMachine::set_endless_latency(Endpoint const& from, Endpoint const& to, std::vector<s4u::Link*> const& links) {
  latency_ = SmpiRule::without_end;
  if (from.up != nullptr) expect_nics({from.host, from.up, from.down}, {to.host, to.up, to.down}, links);
  if (!has_file_numbers(platform_)) return;
  latency_ /= latency_of(links);
}

/// The latency of a message from a rank to itself that stands for the way back of an acknowledgement; 0 for others. On
/// a platform file it is a factor of the route's latency.
double SmpiMachine::latency_of_acknowledgement(Endpoint& endpoint, std::vector<s4u::Link*> const& links) {
  Seconds const acknowledgement = std::exchange(endpoint.acknowledgement, Seconds(0));
  if (acknowledgement == Seconds(0)) return 0;
  // Without a platform file all routes have a latency of one second.
  bool const file = std::holds_alternative<PlatformFile>(platform_.topology);
  return file ? acknowledgement.value / latency_of(links) : acknowledgement.value;
}

/// A message of a rank to itself takes no part in the timing of messages. Its bandwidth factor makes it a calculation
/// of one nanosecond a byte, or lets it end at once.
double SmpiMachine::begin_self_message(resource::Action& action, Endpoint const& endpoint, double size) {
  rule_->count_self_message(action, rank_of(endpoint));
  double const seconds = self_message_ == SelfMessage::calculation ? (size - smpi_envelope) / calculation_bandwidth : 0;
  return seconds > 0 ? size / (seconds * calculation_bandwidth) : std::numeric_limits<double>::infinity();
}

/// Called when SimGrid creates the action of a message. Returns the factor by which SimGrid divides its size: the
/// envelope adds bytes.
double SmpiMachine::admit(resource::Action& action, Endpoint& from, Endpoint const& to, double size,
                          std::vector<s4u::Link*> const& links) {
  auto const payload = static_cast<std::int64_t>(size - smpi_envelope);
  ++messages_;
  bytes_ += payload;
  from.sent += Bytes(payload);
  if (logs_) begin_message(&action, from, to, size);
  double const carried = static_cast<double>(checked_sum(payload, platform_.envelope.value));
  TransferCost const transfer = transfer_cost(from, to, payload, links);
  rule_->admit(action, rank_of(from), rank_of(to), payload, transfer);
  return transfer.links.empty() || carried == 0 ? 1 : size / carried;
}

/// Makes the transfers of SimGrid that carry the bytes of a message, one for each flow. While they are made,
/// get_local_route and the factors above refer to them.
MessageFlows SmpiMachine::launch(int from, int to, std::int64_t bytes) {
  MessageFlows flows;
  Rank const source(from), target(to);
  launched_ = {size_class(platform_, bytes), 0, bytes, {}};
  SizeClass const size = launched_.size;
  if (loads_ && paths_.host(source) != paths_.host(target)) choose_route(flows, source, target);
  RouteCost const cost = flows.load ? paths_.cost_over(source, target, launched_.route.size(), size)
                                    : paths_.route_cost(source, target, size);
  flows.startup = cost.startup.value;
  std::int64_t const carried = paths_.flow_bytes(source, target, size, checked_sum(bytes, platform_.envelope.value));
  launching_ = &flows;
  for (; carried > 0 && launched_.flow < paths_.flows(source, target, size); ++launched_.flow) {
    flows.transfers.push_back({s4u::Comm::sendto_init(host(source), host(target)), nullptr, {}});
    flows.transfers.back().comm->set_payload_size(static_cast<std::uint64_t>(carried))->start();
  }
  launching_ = nullptr;
  launched_ = {};
  return flows;
}

/// The message counts in the loads of its route as long as `flows.load` lives.
void SmpiMachine::choose_route(MessageFlows& flows, Rank from, Rank to) {
  Networks const networks = paths_.networks(from, launched_.size);
  launched_.route = loads_->choose(paths_.host(from), paths_.host(to), networks);
  flows.load = std::shared_ptr<void>(
      this, [this, networks, route = launched_.route](void*) { loads_->release(route, networks); });
}

/// Collects how the message occupies its ports, and the links over which it flows.
TransferCost SmpiMachine::transfer_cost(Endpoint const& from, Endpoint const& to, std::int64_t payload,
                                        std::vector<s4u::Link*> const& links) const {
  Rank const source(rank_of(from)), target(rank_of(to));
  bool const within = paths_.host(source) == paths_.host(target);
  SizeClass const size = size_class(platform_, payload);
  auto const carried =
      static_cast<double>(paths_.flow_bytes(source, target, size, checked_sum(payload, platform_.envelope.value)));
  RouteCost const cost = paths_.route_cost(source, target, size);
  TransferCost transfer{cost.startup.value, carried, cost.bandwidth.value};
  bool const shares = shares_bandwidth(platform_);
  transfer.flows_apart = !within && (loads_ || (shares && paths_.flows(source, target, size) > 1));
  bool const by_link = shares_islands(platform_) && source != target;
  bool const in_memory = within && platform_.timing != TimingModel::flow && !by_link && !has_file_numbers(platform_);
  if (in_memory || carried == 0 || !shares) return transfer;
  for (s4u::Link const* link : links) {
    if (auto const pipe = fat_pipes_.find(link); pipe != fat_pipes_.end()) {
      transfer.bandwidth = std::min(transfer.bandwidth, pipe->second);
    }
  }
  transfer.links = links;
  transfer.weighted = has_file_numbers(platform_);
  return transfer;
}

}  // namespace rondo
