// Progressive filling with warm starts (max_min.hpp). Numbers of removed flows are used again, so arrays stay as large
// as the most flows at a time.

#include "engine/native/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"

namespace rondo::native {

MaxMin::MaxMin(std::vector<double> const& capacities) : members_(capacities.size()) {
  for (double const capacity : capacities) links_.push_back({.capacity = capacity});
}

/// Numbers of removed flows are used again, so that arrays stay as long as the most flows at one time.
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
    disturb(link);
  }
  new_.push_back(flow);
  return flow;
}

/// Makes room for longer routes: every flow has `stride_` entries.
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

/// The links of the flow have to share anew.
void MaxMin::remove(Flow flow) {
  State const& state = flows_[flow];
  if (state.bottleneck != by_cap) --links_[state.bottleneck].bottlenecked;
  for (Link const link : route(flow)) {
    disturb(link);
    links_[link].load -= state.rate;
  }
  detach(flow);
  if (flows_[flow].rate == 0) std::erase(new_, flow);  // it has come since the last solution
  flows_[flow].length = 0;
  free_.push_back(flow);
}

/// Removes the flow from the lists of its links; the last member fills each gap.
void MaxMin::detach(Flow flow) {
  for (std::uint32_t hop = 0; hop < flows_[flow].length; ++hop) {
    auto& members = members_[route_[flow * stride_ + hop]];
    std::uint32_t const place = place_[flow * stride_ + hop];
    members[place] = members.back();
    place_[members[place].flow * stride_ + members[place].hop] = place;
    members.pop_back();
  }
}

/// Solves for the rates of the flows that a change may concern, and widens this set until it is closed (max_min.hpp).
std::span<MaxMin::Flow const> MaxMin::solve() {
  changed_.clear();
  for (Flow const flow : new_) include_new(flow);
  for (std::size_t extent = 0; include_disturbed() > extent;) {
    extent = solved_.size() + filled_.size();
    fill();
  }
  commit();
  new_.clear();
  return changed_;
}

/// A new flow is first expected to be as fast as the flows that the links of its route bound now. This guess only
/// decides which links are filled.
void MaxMin::include_new(Flow flow) {
  include(flow);
  double expected = flows_[flow].cap;
  for (Link const link : route(flow)) {
    if (links_[link].bottlenecked > 0) expected = std::min(expected, links_[link].level);
  }
  run(flow, expected);
}

/// Puts a flow among those that are solved again.
void MaxMin::include(Flow flow) {
  State& state = flows_[flow];
  if (state.solved) return;
  state.solved = true;
  state.next = state.rate;
  solved_.push_back(flow);
}

/// Adds the flows and links that the last filling, or the flows that came and went, have disturbed. Returns how many
/// flows and links there are now; the set is closed when this number no longer grows.
std::size_t MaxMin::include_disturbed() {
  for (FilledLink const& filled : filled_) {
    if (filled.stopped) include_faster(filled);
  }
  for (Link const link : dirty_) include_bottlenecked(link);
  dirty_.clear();
  for (Link const link : crowded_) {
    links_[link].filled = none;
    if (is_overloaded(link)) fill_link(link);
  }
  crowded_.clear();
  return solved_.size() + filled_.size();
}

/// Adds the flows that kept their rates and are faster than the flows that this link stopped.
void MaxMin::include_faster(FilledLink const& filled) {
  for (Member const member : members_[filled.link]) {
    State const& state = flows_[member.flow];
    if (!state.solved && state.rate > filled.fastest * (1 + rounding)) include(member.flow);
  }
}

/// Adds the flows whose bottleneck this link is.
void MaxMin::include_bottlenecked(Link link) {
  if (links_[link].bottlenecked == 0 || links_[link].filled != none) return;
  fill_link(link);
  for (Member const member : members_[link]) {
    if (flows_[member.flow].bottleneck == link) include(member.flow);
  }
}

/// Loads are updated by differences, which drift by rounding. So a link that seems overloaded is summed up anew.
bool MaxMin::is_overloaded(Link link) {
  LinkState& state_of_link = links_[link];
  if (state_of_link.load <= state_of_link.capacity * (1 - drift)) return false;
  state_of_link.load = 0;
  for (Member const member : members_[link]) {
    State const& state = flows_[member.flow];
    state_of_link.load += state.solved ? state.next : state.rate;
  }
  return state_of_link.load > state_of_link.capacity * (1 + rounding);
}

void MaxMin::fill_link(Link link) {
  links_[link].filled = static_cast<std::uint32_t>(filled_.size());
  filled_.push_back({.link = link});
}

/// Progressive filling: the rate of all open flows grows until the next flow reaches its cap or the next link is full.
void MaxMin::fill() {
  auto const slower = [&](Flow a, Flow b) { return flows_[a].cap < flows_[b].cap; };
  if (!std::is_sorted(solved_.begin(), solved_.end(), slower)) std::stable_sort(solved_.begin(), solved_.end(), slower);
  for (Flow const flow : solved_) flows_[flow].open = true;
  open_ = solved_.size();
  open_links(flows_[solved_.back()].cap);
  for (std::size_t next = 0; open_ > 0;) {  // those before next have stopped
    while (!flows_[solved_[next]].open) ++next;
    double const cap = flows_[solved_[next]].cap;
    if (levels_.empty() || cap <= levels_.front().rate) {
      stop(solved_[next], cap, by_cap);
    } else {
      take_level();
    }
  }
}

/// Computes the rate at which each link would stop the flows on it if none of them had stopped before.
void MaxMin::open_links(double fastest) {
  levels_.clear();
  for (std::uint32_t i = 0; i < filled_.size(); ++i) {
    FilledLink& filled = filled_[i] = {.link = filled_[i].link, .left = links_[filled_[i].link].capacity};
    for (Member const member : members_[filled.link]) {
      State const& state = flows_[member.flow];
      state.solved ? ++filled.open : filled.left -= state.rate;
    }
    filled.left = std::max(filled.left, 0.0);
    // Levels only rise: a link that all flows may share at their caps stops none.
    if (filled.open > 0 && filled.level() < fastest) levels_.push_back({filled.level(), i});
  }
  std::make_heap(levels_.begin(), levels_.end(), std::greater<>());
}

/// Takes the link with the lowest level. A flow that stops elsewhere leaves more capacity to the others, so a level
/// only rises; it is computed anew here.
void MaxMin::take_level() {
  std::pop_heap(levels_.begin(), levels_.end(), std::greater<>());
  Level const first = levels_.back();
  levels_.pop_back();
  FilledLink& filled = filled_[first.filled];
  if (filled.open == 0) return;
  double const level = filled.level();
  if (level <= first.rate) return stop_all(filled, level);
  levels_.push_back({level, first.filled});
  std::push_heap(levels_.begin(), levels_.end(), std::greater<>());
}

/// The link is full: all flows on it that still grow keep this rate.
void MaxMin::stop_all(FilledLink& filled, double rate) {
  filled.stopped = true;
  for (Member const member : members_[filled.link]) {
    if (flows_[member.flow].open) stop(member.flow, rate, filled.link);
  }
}

/// Fixes the rate of a flow: this link or its cap bounds it.
void MaxMin::stop(Flow flow, double rate, Link bottleneck) {
  flows_[flow].open = false;
  flows_[flow].next_bottleneck = bottleneck;
  --open_;
  run(flow, rate);
}

/// Sets the new rate of a flow, and updates the loads of its links. Links that this may disturb are noted.
void MaxMin::run(Flow flow, double rate) {
  State& state = flows_[flow];
  double const more = rate - state.next;
  bool const same = std::abs(more) <= rounding * rate;
  state.next = rate;
  for (Link const link : route(flow)) {
    LinkState& state_of_link = links_[link];
    state_of_link.load += more;
    if (state_of_link.filled < crowded) {
      FilledLink& filled = filled_[state_of_link.filled];
      filled.left = std::max(filled.left - rate, 0.0);
      filled.fastest = rate;
      --filled.open;
    } else if (state_of_link.bottlenecked > 0) {
      if (!same) dirty_.push_back(link);
    } else if (state_of_link.filled == none && state_of_link.load > state_of_link.capacity * (1 - drift)) {
      state_of_link.filled = crowded;
      crowded_.push_back(link);
    }
  }
}

/// The flow keeps its rate. The loads of its links forget the new rate, so that the difference does not add up over
/// many solutions.
void MaxMin::keep(Flow flow) {
  State const& state = flows_[flow];
  if (state.next == state.rate) return;
  for (Link const link : route(flow)) links_[link].load -= state.next - state.rate;
}

/// Makes the new rates and bottlenecks the current ones.
void MaxMin::commit() {
  for (Flow const flow : solved_) {
    State& state = flows_[flow];
    if (state.bottleneck != by_cap) --links_[state.bottleneck].bottlenecked;
    state.bottleneck = state.next_bottleneck;
    state.solved = false;
    if (state.bottleneck != by_cap) {
      ++links_[state.bottleneck].bottlenecked;
      links_[state.bottleneck].level = state.next;
    }
    // A rate that is the same but for rounding stays, and with it the time at which the flow ends.
    if (std::abs(state.next - state.rate) <= rounding * state.rate) {
      keep(flow);
      continue;
    }
    state.rate = state.next;
    changed_.push_back(flow);
  }
  for (FilledLink const& filled : filled_) {
    LinkState& state_of_link = links_[filled.link];
    state_of_link.filled = none;
    state_of_link.load = state_of_link.capacity - filled.left;
  }
  solved_.clear();
  filled_.clear();
}

}  // namespace rondo::native
