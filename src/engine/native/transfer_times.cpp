// FlowLinks finds the links of a message: routes of the topology or of a platform file, NICs and memories. FluidTimes
// solves for rates when flows come or go. It computes new ends only for flows whose rate has changed.

#include "engine/native/transfer_times.hpp"

#include <algorithm>

#include "base/ids.hpp"
#include "engine/native/messages.hpp"

namespace rondo::native {

FlowLinks::FlowLinks(Platform const& platform, FileRoutes const* file, int ranks)
    : FlowLinks(platform, file, file == nullptr ? rondo::hosts(platform) : ranks, link_ids(platform.topology)) {}

/// On a torus the link upwards from router r in dimension j has the number 2 * (r * d + j), and the link downwards the
/// next one. So the 2 d links of router 0 represent all links, one for each dimension and direction.
FlowLinks FlowLinks::of_one_rank(Platform const& platform, int dimensions) {
  return {platform, nullptr, 1, LinkId{2} * dimensions};
}

FlowLinks::FlowLinks(Platform const& platform, FileRoutes const* file, int hosts, LinkId links)
    : platform_(platform),
      file_(file),
      paths_(platform),
      resources_(paths_, platform, hosts, links,
                 file == nullptr ? 0 : static_cast<SharedResources::Number>(file->capacities.size())),
      hosts_(hosts) {
  if (file != nullptr) capacities_ = file->capacities;
  capacities_.insert(capacities_.end(), resources_.capacities().begin(), resources_.capacities().end());
}

/// The speed of a message on an otherwise idle machine. `cap` also respects the narrowest fat pipe of its route in a
/// platform file.
FlowLinks::Speed FlowLinks::speed(std::int32_t from, std::int32_t to, SizeClass size) const {
  RouteCost const cost = paths_.route_cost(Rank(from), Rank(to), size);
  double const bandwidth = cost.bandwidth.value;
  bool const by_file = from != to && file_ != nullptr && !has_file_numbers(platform_);
  double const cap =
      by_file ? std::min(bandwidth, file_->route_of(paths_.host(Rank(from)), paths_.host(Rank(to))).narrowest)
              : bandwidth;
  return {cost.startup.value, bandwidth, cap};
}

bool FlowLinks::shares(std::int32_t from, std::int32_t to) const {
  if (has_file_numbers(platform_) || paths_.host(Rank(from)) != paths_.host(Rank(to))) return true;
  return resources_.shares_within() && (from != to || resources_.shares_memories());
}

/// Writes the numbers of the links that the first flow of a message shares, and returns the speed of the message.
FlowLinks::Speed FlowLinks::route(std::int32_t from, std::int32_t to, SizeClass size,
                                  std::vector<std::uint32_t>& into) const {
  links_.clear();
  int const source = paths_.host(Rank(from)), target = paths_.host(Rank(to));
  if (resources_.shares_links() && source != target) paths_.routes().append(source, target, links_);
  route_over(from, to, size, 0, links_, into);
  if (links_.empty()) return speed(from, to, size);
  // The number of links is known from the route. Computing it from the ranks would take as long as the route itself.
  RouteCost const cost = paths_.cost_over(Rank(from), Rank(to), links_.size(), size);
  return {cost.startup.value, cost.bandwidth.value, cost.bandwidth.value};
}

/// Collects the links in the order of the route: out of the sender's host, over the network, into the receiver's host.
void FlowLinks::route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow,
                           std::vector<LinkId> const& links, std::vector<std::uint32_t>& into) const {
  into.clear();
  Rank const source(from), target(to);
  if (has_file_numbers(platform_)) return file_->append(paths_.host(source), paths_.host(target), into);
  if (paths_.host(source) == paths_.host(target)) return resources_.append_within(source, target, into);
  NicPair const nics = paths_.nics(source, target, size, flow);
  resources_.append_out(source, nics, into);
  if (file_ != nullptr) file_->append(paths_.host(source), paths_.host(target), into);
  resources_.append_links(nics, links, into);
  resources_.append_in(source, target, nics, into);
}

FluidTimes::FluidTimes(Messages const& messages, Noise const* noise, FlowLinks const& flow_links)
    : messages_(messages),
      noise_(noise),
      flow_links_(flow_links),
      rates_(flow_links.capacities()),
      gaps_(flow_links.paths(), flow_links.platform(), flow_links.hosts()) {
  if (flow_links.platform().routing.rule == RoutingRule::ugal)
    loads_.emplace(flow_links.platform(), flow_links.paths().routes());
}

bool FluidTimes::chooses_route(std::uint32_t message) const {
  if (!loads_) return false;
  return flow_links_.paths().host(Rank(messages_.source[message])) !=
         flow_links_.paths().host(Rank(messages_.target[message]));
}

Networks FluidTimes::networks_of(std::uint32_t message) const {
  return flow_links_.paths().networks(Rank(messages_.source[message]), size_of(message));
}

/// The start-up of a message that starts. Under adaptive routing (UGAL) the message chooses its route now, by the loads
/// of links, and the start-up follows from the route.
double FluidTimes::startup_of(std::uint32_t message, double usual_startup) {
  if (!chooses_route(message)) return usual_startup;
  Rank const source(messages_.source[message]), target(messages_.target[message]);
  Paths const& paths = flow_links_.paths();
  auto const chosen =
      chosen_.emplace(message, loads_->choose(paths.host(source), paths.host(target), networks_of(message)));
  return paths.cost_over(source, target, chosen.first->second.size(), size_of(message)).startup.value;
}

void FluidTimes::start(std::span<std::uint32_t const> messages, Instant now) {
  for (std::uint32_t const message : messages) start(message, now);
}

/// A message without bytes, or between ranks that share no link, ends after its duration. Any other message flows once
/// its start-up, and the gap of its NIC, have passed.
void FluidTimes::start(std::uint32_t message, Instant now) {
  std::int32_t const source = messages_.source[message], target = messages_.target[message];
  std::uint32_t const kind = messages_.kind[message];
  double const duration = messages_.durations[kind].value;
  double const usual_startup = flow_links_.speed(source, target, messages_.sizes[kind]).startup;
  double startup = startup_of(message, usual_startup);
  if (noise_ != nullptr) startup += startup_noise(*noise_, messages_, message).value;
  Instant const out = gaps_.pass(now, Rank(source), Rank(target), messages_.sizes[kind]);
  if (duration <= usual_startup || !flow_links_.shares(source, target)) {
    return schedule(out + (duration + (startup - usual_startup)), message, EventKind::end);
  }
  if (startup > 0 || out > now) return schedule(out + startup, message, EventKind::flow);
  begin_flows(message, now);
}

/// Begins the flows of a message. A message that is striped over several NICs has several flows and ends with the last
/// one.
void FluidTimes::begin_flows(std::uint32_t message, Instant now) {
  std::int32_t const source = messages_.source[message], target = messages_.target[message];
  SizeClass const size = size_of(message);
  FlowLinks::Speed speed;
  if (chooses_route(message)) {
    speed = flow_links_.speed(source, target, size);
    flow_links_.route_over(source, target, size, 0, chosen_.at(message), route_);
  } else {
    speed = flow_links_.route(source, target, size, route_);
  }
  begin_flow(message, speed, now);
  int const flows = flow_links_.paths().flows(Rank(source), Rank(target), size);
  if (flows == 1) return;
  more_flows_[message] = flows - 1;
  for (int flow = 1; flow < flows; ++flow) {
    auto const& links = chooses_route(message) ? chosen_.at(message) : flow_links_.links();
    flow_links_.route_over(source, target, size, flow, links, route_);
    begin_flow(message, speed, now);
  }
}

/// Begins a flow of a message whose start-up is over. All flows together determine its rate.
void FluidTimes::begin_flow(std::uint32_t message, FlowLinks::Speed const& speed, Instant now) {
  MaxMin::Flow const flow = rates_.add(route_, speed.cap);
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  double const duration = messages_.durations[messages_.kind[message]].value;
  flows_[flow] = {message, (duration - speed.startup) * speed.bandwidth, now, 0};
  ++flowing_;
  stale_ = true;
  now_ = now;
}

/// A message with several flows ends with the last of them.
void FluidTimes::end_flow(MaxMin::Flow flow, std::vector<std::uint32_t>& finished) {
  std::uint32_t const message = flows_[flow].message;
  auto const more = more_flows_.empty() ? more_flows_.end() : more_flows_.find(message);
  if (more == more_flows_.end()) {
    end(message, finished);
  } else if (--more->second == 0) {
    more_flows_.erase(more);
  }
  ends_.remove(flow);
  rates_.remove(flow);
  --flowing_;
  stale_ = true;
}

/// Reports that a message has ended, or that a wake has come. A message that chose its route no longer counts in the
/// loads of that route.
void FluidTimes::end(std::uint32_t number, std::vector<std::uint32_t>& finished) {
  finished.push_back(number);
  if (!loads_) return;
  auto const chosen = chosen_.extract(number);
  if (!chosen.empty()) loads_->release(chosen.mapped(), networks_of(number));
}

/// Solves for the rates once for all flows that came or went at one time, because rates only matter as time passes. The
/// ends of flows whose rate changed are computed anew.
void FluidTimes::settle() {
  if (!stale_) return;
  stale_ = false;
  for (MaxMin::Flow const changed : rates_.solve()) {
    Flow& flow = flows_[changed];
    flow.left = std::max(flow.left - flow.rate * (now_ - flow.since), 0.0);
    flow.since = now_;
    flow.rate = rates_.rate(changed);
    ends_.set(changed, now_ + flow.left / flow.rate);
  }
}

/// Advances to the next moment in which a message ends or a wake comes.
Instant FluidTimes::finish(std::vector<std::uint32_t>& finished) {
  finished.clear();
  while (finished.empty()) {
    settle();
    Instant next = ends_.empty() ? due_time() : ends_.least_time();
    if (!due_.empty()) next = std::min(next, due_time());
    now_ = std::max(now_, next);
    double const until = moment_end(next);
    take_due(until, finished);
    while (!ends_.empty() && ends_.least_time().value <= until) end_flow(ends_.least(), finished);
  }
  return now_;
}

/// Takes the events that are due up to `until`, the end of this moment.
void FluidTimes::take_due(double until, std::vector<std::uint32_t>& finished) {
  while (!due_.empty() && due_.top().time <= until) {
    Event const event = due_.top();
    due_.pop();
    if (event.due == EventKind::end) {
      end(event.number, finished);
    } else {
      begin_flows(event.number, now_);
    }
  }
}

}  // namespace rondo::native
