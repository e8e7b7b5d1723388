#pragma once

// Max-min fair rates of flows over links, kept up to date while flows come and go.
//
// Rates are max-min fair if no link carries more than its capacity and each flow has a bottleneck: its own cap, or a
// link that is full and on which no flow is faster [Bertsekas92, 6.5.2]. There is exactly one such solution. It remains
// the solution for all flows whose bottleneck is unchanged. A flow that comes or goes concerns the flows that have
// their bottleneck on one of its links. These are solved again by progressive filling, while all others keep their
// rates: all grow alike until one reaches its cap or a link is full. If the result removes the bottleneck of another
// flow, or a faster flow limits it, that other flow is solved again too, until no flow is added.
//
// Most links of a route limit no flow. So only these links are filled: the links that limited a flow before, and those
// that turn out to be overloaded, with which the flows are solved again. A solution that respects some of the links and
// overloads no other link is the solution for all links, because each flow has its bottleneck among them.

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::native {

/// The flows and their links. Bandwidths and rates are bytes per second.
class MaxMin {
 public:
  using Flow = std::uint32_t;
  using Link = std::uint32_t;

  /// Links with these capacities, more than 0, in bytes a second.
  explicit MaxMin(std::vector<double> const& capacities);

  /// Adds a flow over these links and returns its number. A link that is named twice carries the flow twice. `cap`
  /// bounds its rate; it is finite and more than 0. The rate is 0 until solve(). The numbers of removed flows are used
  /// again.
  Flow add(std::span<Link const> route, double cap);
  void remove(Flow flow);
  /// Makes the rates max-min fair again. Returns the flows whose rate changed; valid until the next call.
  std::span<Flow const> solve();
  double rate(Flow flow) const { return flows_[flow].rate; }

 private:
  static constexpr Link by_cap = 0xffff'ffff;  ///< the bottleneck of a flow that its cap limits
  /// Values of LinkState::filled of links that are not in filled_: in neither list, or in crowded_.
  static constexpr std::uint32_t none = 0xffff'ffff, crowded = 0xffff'fffe;
  /// Rates that differ by a smaller fraction are equal: the rest is rounding, which depends on the order of solving.
  static constexpr double rounding = 1e-13;
  /// An upper bound of the rounding errors that add up in sums that are kept up to date.
  static constexpr double drift = 1e-7;

  struct State {
    double rate = 0, cap = 0;
    double next = 0;  ///< while it is solved again: its new rate and bottleneck, as far as they are known
    Link bottleneck = by_cap, next_bottleneck = by_cap;
    std::uint32_t length = 0;  ///< of its route
    bool solved = false;       ///< whether it is solved again
    bool open = false;         ///< while it is: whether it still grows
  };
  /// A flow on a link, and which link of its route that is.
  struct Member {
    Flow flow;
    std::uint32_t hop;
  };
  struct LinkState {
    double capacity = 0;
    double load = 0;                 ///< the rates of its flows, new ones where there are; but for drift
    double level = 0;                ///< the rate of the flows whose bottleneck it is
    std::uint32_t bottlenecked = 0;  ///< how many these are
    std::uint32_t filled = none;     ///< its place in filled_
  };
  /// A link that is filled.
  struct FilledLink {
    Link link;
    std::uint32_t open = 0;  ///< flows that still grow
    double left = 0;         ///< capacity less the rates of those that do not
    double fastest = 0;      ///< the rate of the fastest flow that was solved again
    bool stopped = false;    ///< whether it was full and stopped flows
    double level() const { return left / open; }
  };
  struct Level {
    double rate;
    std::uint32_t filled;
    friend bool operator>(Level a, Level b) { return a.rate != b.rate ? a.rate > b.rate : a.filled > b.filled; }
  };

  std::span<Link const> route(Flow flow) const { return {&route_[flow * stride_], flows_[flow].length}; }
  void widen(std::size_t stride);
  void detach(Flow flow);
  /// A flow has come, gone, or changed its rate; that matters to those whose bottleneck the link is.
  void disturb(Link link) {
    if (links_[link].bottlenecked > 0) dirty_.push_back(link);
  }
  void include_new(Flow flow);
  void include(Flow flow);
  std::size_t include_disturbed();
  void include_faster(FilledLink const& filled);
  void include_bottlenecked(Link link);
  bool is_overloaded(Link link);
  void fill_link(Link link);
  void fill();
  void open_links(double fastest);
  void take_level();
  void stop_all(FilledLink& filled, double rate);
  void stop(Flow flow, double rate, Link bottleneck);
  void run(Flow flow, double rate);
  void keep(Flow flow);
  void commit();

  std::size_t stride_ = 4;  ///< no route is longer
  std::vector<LinkState> links_;
  std::vector<State> flows_;
  std::vector<Link> route_;                   ///< by flow and hop, stride_ entries a flow
  std::vector<std::uint32_t> place_;          ///< by flow and hop: the place among the members of the link
  std::vector<Flow> free_;                    ///< numbers of removed flows
  std::vector<std::vector<Member>> members_;  ///< by link
  std::vector<Link> dirty_;                   ///< links of flows that came or went
  std::vector<Flow> new_;
  std::vector<Flow> solved_;        ///< the flows that are solved again
  std::size_t open_ = 0;            ///< how many of these flows still grow
  std::vector<FilledLink> filled_;  ///< the links that are filled
  std::vector<Link> crowded_;       ///< links that are not, and may be overloaded
  std::vector<Level> levels_;       ///< a heap
  std::vector<Flow> changed_;
};

}  // namespace rondo::native
