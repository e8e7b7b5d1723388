#pragma once

// Max-min fair rates of flows over links, kept up to date while flows come and go.
//
// Rates are max-min fair if no link carries more than its capacity and each flow has a bottleneck: its own cap, or a
// link that is full and on which no flow is faster [Bertsekas92, 6.5.2]. There is one such solution. So a solution
// stays one for all flows whose bottleneck is untouched. A change touches the flows that have their bottleneck on a
// link of a flow that came or went; these are solved again while all others keep their rates, by progressive filling:
// all grow alike until a cap is reached or a link is full. Where the result takes the bottleneck of another flow away,
// or is slowed by a faster flow, that flow joins those to be solved again, until none does.

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::native {

class MaxMin {
 public:
  using Flow = std::uint32_t;
  using Link = std::uint32_t;

  /// Links with these capacities, more than 0, in bytes a second.
  explicit MaxMin(std::vector<double> capacities);

  /// A new flow over these links (one that is named twice carries it twice), never faster than `cap`, which is finite
  /// and more than 0. It has the rate 0 until solve(). Numbers of removed flows are given again.
  Flow add(std::span<Link const> route, double cap);
  void remove(Flow flow);
  /// Makes the rates max-min fair again: the flows whose rate changed, until the next call.
  std::span<Flow const> solve();
  double rate(Flow flow) const { return flows_[flow].rate; }

 private:
  static constexpr Link by_cap = 0xffff'ffff;  ///< the bottleneck of a flow that is as fast as it may
  /// Rates that differ by less are the same: rounding, which differs from one order of solving to another.
  static constexpr double rounding = 1e-13;

  struct State {
    double rate = 0, cap = 0;
    double next = 0;  ///< while it is solved again: its new rate and bottleneck
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
  /// What solving again needs to know of a link.
  struct Scratch {
    double residual = 0;                 ///< capacity less the rates of the flows that keep theirs
    double left = 0;                     ///< while filling: less the rates of those that no longer grow
    double fastest = 0;                  ///< the rate of the fastest flow that was solved again
    bool stopped = false;                ///< whether it was full and stopped flows
    std::uint32_t solved = 0, open = 0;  ///< flows
  };
  struct Level {
    double rate;
    Link link;
    friend bool operator>(Level a, Level b) { return a.rate != b.rate ? a.rate > b.rate : a.link > b.link; }
  };

  std::span<Link const> route(Flow flow) const { return {&route_[flow * stride_], flows_[flow].length}; }
  void widen(std::size_t stride);
  void detach(Flow flow);
  void touch(Link link) { dirty_.push_back(link); }
  void include(Flow flow);
  void include_dirty();
  void fill();
  double level_of(Link link) const { return scratch_[link].left / scratch_[link].open; }
  void stop(Flow flow, double rate, Link bottleneck);
  void stop_all(Link link, double rate);
  bool include_disturbed();
  bool include_disturbed(Link link);
  void commit();

  std::size_t stride_ = 4;  ///< no route is longer
  std::vector<double> capacity_;
  std::vector<State> flows_;
  std::vector<Link> route_;                   ///< by flow and hop, stride_ entries a flow
  std::vector<std::uint32_t> place_;          ///< by flow and hop: the place among the members of the link
  std::vector<Flow> free_;                    ///< numbers of removed flows
  std::vector<std::vector<Member>> members_;  ///< by link
  std::vector<std::uint32_t> bottlenecked_;   ///< by link: the flows whose bottleneck it is
  std::vector<Link> dirty_;                   ///< links of flows that came or went
  std::vector<Flow> new_;
  std::vector<Scratch> scratch_;  ///< by link
  std::vector<Flow> solved_;      ///< the flows that are solved again
  std::vector<Flow> by_cap_;      ///< these, by their caps
  std::vector<Link> touched_;     ///< links of these
  std::vector<Level> levels_;     ///< a heap
  std::vector<Flow> changed_;
};

}  // namespace rondo::native
