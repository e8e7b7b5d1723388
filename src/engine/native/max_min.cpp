#include "engine/native/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace rondo::native {

MaxMin::MaxMin(std::vector<double> capacities)
    : capacity_(std::move(capacities)),
      members_(capacity_.size()),
      bottlenecked_(capacity_.size(), 0),
      scratch_(capacity_.size()) {}

MaxMin::Flow MaxMin::add(std::span<Link const> route, double cap) {
  expects(cap > 0, "a flow that may be faster than 0");
  if (route.size() > stride_) widen(route.size());
  Flow flow = static_cast<Flow>(flows_.size());
  if (free_.empty()) {
    flows_.emplace_back();
    route_.resize(route_.size() + stride_);
    place_.resize(place_.size() + stride_);
  } else {
    flow = free_.back();
    free_.pop_back();
  }
  flows_[flow] = State{};
  flows_[flow].cap = cap;
  flows_[flow].length = static_cast<std::uint32_t>(route.size());
  for (std::uint32_t hop = 0; hop < route.size(); ++hop) {
    Link const link = route[hop];
    route_[flow * stride_ + hop] = link;
    place_[flow * stride_ + hop] = static_cast<std::uint32_t>(members_[link].size());
    members_[link].push_back({flow, hop});
    touch(link);
  }
  new_.push_back(flow);
  return flow;
}

/// Makes room for longer routes.
void MaxMin::widen(std::size_t stride) {
  std::vector<Link> routes(flows_.size() * stride);
  std::vector<std::uint32_t> places(flows_.size() * stride);
  for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
    for (std::size_t hop = 0; hop < flows_[flow].length; ++hop) {
      routes[flow * stride + hop] = route_[flow * stride_ + hop];
      places[flow * stride + hop] = place_[flow * stride_ + hop];
    }
  }
  route_ = std::move(routes);
  place_ = std::move(places);
  stride_ = stride;
}

void MaxMin::remove(Flow flow) {
  if (Link const link = flows_[flow].bottleneck; link != by_cap) --bottlenecked_[link];
  for (Link const link : route(flow)) touch(link);
  detach(flow);
  if (flows_[flow].rate == 0) std::erase(new_, flow);  // it has come since the last solution
  flows_[flow].length = 0;
  free_.push_back(flow);
}

void MaxMin::detach(Flow flow) {
  for (std::uint32_t hop = 0; hop < flows_[flow].length; ++hop) {
    auto& members = members_[route_[flow * stride_ + hop]];
    std::uint32_t const place = place_[flow * stride_ + hop];
    members[place] = members.back();
    place_[members[place].flow * stride_ + members[place].hop] = place;
    members.pop_back();
  }
}

std::span<MaxMin::Flow const> MaxMin::solve() {
  changed_.clear();
  for (Flow const flow : new_) include(flow);
  include_dirty();
  if (!solved_.empty()) {
    do {
      fill();
    } while (include_disturbed());
    commit();
  }
  new_.clear();
  dirty_.clear();
  return changed_;
}

/// The flows whose bottleneck is a link of a flow that came or went.
void MaxMin::include_dirty() {
  for (Link const link : dirty_) {
    if (bottlenecked_[link] == 0) continue;
    for (std::size_t i = 0; i < members_[link].size(); ++i) {
      Flow const flow = members_[link][i].flow;
      if (flows_[flow].bottleneck == link) include(flow);
    }
  }
}

void MaxMin::include(Flow flow) {
  State& state = flows_[flow];
  if (state.solved) return;
  state.solved = true;
  solved_.push_back(flow);
  for (Link const link : route(flow)) {
    Scratch& scratch = scratch_[link];
    if (scratch.solved++ == 0) {
      touched_.push_back(link);
      scratch.residual = capacity_[link];
      for (Member const member : members_[link]) {
        // Those solved again are taken off as they are included, this one below.
        scratch.residual -= flows_[member.flow].rate;
      }
    }
    scratch.residual += state.rate;
  }
}

void MaxMin::fill() {
  by_cap_ = solved_;
  auto const slower = [&](Flow a, Flow b) { return flows_[a].cap < flows_[b].cap; };
  if (!std::is_sorted(by_cap_.begin(), by_cap_.end(), slower)) std::stable_sort(by_cap_.begin(), by_cap_.end(), slower);
  double const fastest = flows_[by_cap_.back()].cap;
  levels_.clear();
  for (Link const link : touched_) {
    Scratch& scratch = scratch_[link];
    scratch.left = std::max(scratch.residual, 0.0);
    scratch.open = scratch.solved;
    scratch.fastest = 0;
    scratch.stopped = false;
    // Levels only rise: a link that all flows may share at their caps stops none.
    if (double const level = level_of(link); level < fastest) levels_.push_back({level, link});
  }
  std::make_heap(levels_.begin(), levels_.end(), std::greater<>());
  for (Flow const flow : solved_) flows_[flow].open = true;
  std::size_t next = 0;  // by_cap_: those before have stopped
  while (true) {
    while (next < by_cap_.size() && !flows_[by_cap_[next]].open) ++next;
    if (next == by_cap_.size()) return;
    double const cap = flows_[by_cap_[next]].cap;
    if (levels_.empty() || cap <= levels_.front().rate) {
      stop(by_cap_[next], cap, by_cap);
      continue;
    }
    std::pop_heap(levels_.begin(), levels_.end(), std::greater<>());
    Level const first = levels_.back();
    levels_.pop_back();
    if (scratch_[first.link].open == 0) continue;
    // Flows that stop leave more to the others: a level only rises, and is looked at again when its turn comes.
    double const level = level_of(first.link);
    if (level > first.rate) {
      levels_.push_back({level, first.link});
      std::push_heap(levels_.begin(), levels_.end(), std::greater<>());
    } else {
      stop_all(first.link, level);
    }
  }
}

void MaxMin::stop(Flow flow, double rate, Link bottleneck) {
  State& state = flows_[flow];
  state.open = false;
  state.next = rate;
  state.next_bottleneck = bottleneck;
  for (Link const link : route(flow)) {
    Scratch& scratch = scratch_[link];
    scratch.left = std::max(scratch.left - rate, 0.0);
    --scratch.open;
    scratch.fastest = rate;
  }
}

void MaxMin::stop_all(Link link, double rate) {
  for (Member const member : members_[link]) {
    if (flows_[member.flow].open) stop(member.flow, rate, link);
  }
  scratch_[link].stopped = true;
}

bool MaxMin::include_disturbed() {
  bool any = false;
  // More links may be touched meanwhile; the next filling looks at them.
  std::size_t const links = touched_.size();
  for (std::size_t i = 0; i < links; ++i) any |= include_disturbed(touched_[i]);
  return any;
}

/// Includes the flows that keep their rates and are faster than those that this link stopped, or lost their bottleneck
/// here: it is no longer full, or has faster flows.
bool MaxMin::include_disturbed(Link link) {
  Scratch const filled = scratch_[link];
  if (!filled.stopped && bottlenecked_[link] == 0) return false;
  bool const full = filled.stopped || filled.left <= rounding * capacity_[link];
  bool any = false;
  for (std::size_t i = 0; i < members_[link].size(); ++i) {
    State const& state = flows_[members_[link][i].flow];
    if (state.solved) continue;
    bool const slows = filled.stopped && state.rate > filled.fastest * (1 + rounding);
    bool const lost = state.bottleneck == link && (!full || state.rate < filled.fastest * (1 - rounding));
    if (!slows && !lost) continue;
    include(members_[link][i].flow);
    any = true;
  }
  return any;
}

void MaxMin::commit() {
  for (Flow const flow : solved_) {
    State& state = flows_[flow];
    if (state.bottleneck != by_cap) --bottlenecked_[state.bottleneck];
    state.bottleneck = state.next_bottleneck;
    if (state.bottleneck != by_cap) ++bottlenecked_[state.bottleneck];
    state.solved = false;
    // A rate that is the same but for rounding stays, and with it the time at which the flow ends.
    if (std::abs(state.next - state.rate) <= rounding * state.rate) continue;
    state.rate = state.next;
    changed_.push_back(flow);
  }
  for (Link const link : touched_) scratch_[link].solved = 0;
  solved_.clear();
  touched_.clear();
}

}  // namespace rondo::native
