// Takes the best of all bounds of a network: a start-up, cuts of partitions, cuts by flows, and lengths. Maximum
// flows show the sides of cuts: a flow that is too small for a bound shows a cut that gives a better bound.

#include "optimum/network_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/ids.hpp"
#include "optimum/flow.hpp"

namespace rondo::optimum {
namespace {

/// Bytes of some ranks, all of which have to reach each sink.
struct SinkDemand {
  bool reversed = false;            ///< sinks have them, and they have to come to the ranks from each sink
  std::vector<std::int64_t> bytes;  ///< by rank
  std::vector<int> sinks;
};

/// Collects the demands in which the bytes over a cut are a sum over ranks.
class SinkDemands {
 public:
  explicit SinkDemands(Demand const& demand) : demand_(demand) {}

  /// The gatherings of a demand: of all blocks from one rank to all, of pairs with a common end, and of each reduction.
  std::vector<SinkDemand> all() {
    SinkDemand spread = none(false), collected = none(true);
    for (Item const& item : demand_.items) take(item, spread, collected);
    add(spread);
    add(collected);
    add_pairs();
    return std::move(found_);
  }

 private:
  SinkDemand none(bool reversed) const { return {reversed, std::vector<std::int64_t>(at(demand_.ranks), 0), {}}; }
  void add(SinkDemand each) {
    if (std::ranges::all_of(each.bytes, [](std::int64_t bytes) { return bytes == 0; })) return;
    if (each.sinks.empty()) {
      for (int r = 0; r < demand_.ranks; ++r) each.sinks.push_back(r);
    }
    found_.push_back(std::move(each));
  }

  void take(Item const& item, SinkDemand& spread, SinkDemand& collected) {
    if (item.owed.size() != 1) return add_chain(item);
    Requirement const& owing = item.owed.front();
    bool const from_one = !owing.from.all && owing.from.listed.size() == 1;
    bool const to_one = !owing.to.all && owing.to.listed.size() == 1;
    if (owing.to.all && from_one && !item.joined) {
      spread.bytes[at(owing.from.listed.front())] += item.bytes;
    } else if (owing.from.all && to_one && item.joined) {
      collected.bytes[at(owing.to.listed.front())] += item.bytes;
    } else if (owing.from.all && owing.to.all && item.joined) {
      // Every set has rank 0 on one side, and some other rank on the other side.
      for (bool const reversed : {false, true}) {
        SinkDemand each = none(reversed);
        each.bytes[0] = item.bytes;
        add(std::move(each));
      }
    } else {
      add_chain(item);
    }
  }

  /// A scan: some vector has to pass from each rank to the next one.
  void add_chain(Item const& item) {
    if (!item.joined) return;
    for (Requirement const& each : item.owed) {
      if (each.from.listed.size() != 1 || each.to.listed.size() != 1) return;
    }
    for (Requirement const& each : item.owed) {
      SinkDemand one = none(false);
      one.bytes[at(each.from.listed.front())] = item.bytes;
      one.sinks = each.to.listed;
      add(std::move(one));
    }
  }

  void add_pairs() {
    if (demand_.pairs.empty()) return;
    Pair const& first = demand_.pairs.front();
    auto const all_from = [&](Pair const& each) { return each.from == first.from; };
    auto const all_to = [&](Pair const& each) { return each.to == first.to; };
    bool const scattered = std::ranges::all_of(demand_.pairs, all_from);
    if (!scattered && !std::ranges::all_of(demand_.pairs, all_to)) return;
    SinkDemand each = none(scattered);
    for (Pair const& pair : demand_.pairs) each.bytes[at(scattered ? pair.to : pair.from)] += pair.bytes;
    each.sinks = {scattered ? first.from : first.to};
    add(std::move(each));
  }

  Demand const& demand_;
  std::vector<SinkDemand> found_;
};

/// Searches the best cut for each sink.
class CutSearch {
 public:
  CutSearch(Network const& network, Demand const& demand, double seconds)
      : network_(network), demand_(demand), seconds_(seconds) {}

  void look(SinkDemand const& gathering) {
    std::int64_t total = 0;
    for (std::int64_t const bytes : gathering.bytes) total = checked_sum(total, bytes);
    // Capacities are scaled so that rounding to integers preserves a billionth.
    scale_ = std::ldexp(1.0, 40) / static_cast<double>(total);
    Flows flows(network_.vertices + 1, arcs(gathering));
    for (int const sink : gathering.sinks) {
      while (improves(flows, gathering, sink)) set_capacities(flows);
    }
  }

  std::vector<Side> found() && { return std::move(found_); }

 private:
  std::int64_t scaled(double bytes) const { return static_cast<std::int64_t>(std::ceil(bytes * scale_)); }
  std::int64_t of(NetworkLink const& link) const {
    double const all = std::ldexp(1.0, 41);
    return link.capacity ? std::min(scaled(seconds_ * *link.capacity), static_cast<std::int64_t>(all))
                         : static_cast<std::int64_t>(all);
  }

  /// The links by their numbers, then the arcs from a vertex that has all bytes.
  std::vector<Arc> arcs(SinkDemand const& gathering) const {
    std::vector<Arc> arcs;
    for (NetworkLink const& link : network_.links) {
      arcs.push_back(gathering.reversed ? Arc{link.to, link.from, of(link)} : Arc{link.from, link.to, of(link)});
    }
    for (int r = 0; r < network_.ranks; ++r) {
      arcs.push_back({network_.vertices, r, scaled(static_cast<double>(gathering.bytes[at(r)]))});
    }
    return arcs;
  }

  void set_capacities(Flows& flows) const {
    for (std::size_t i = 0; i < network_.links.size(); ++i) {
      flows.set_capacity(static_cast<int>(i), of(network_.links[i]));
    }
  }

  /// Whether the least cut before a sink takes longer than the best one so far.
  bool improves(Flows& flows, SinkDemand const& gathering, int sink) {
    MinCut const cut = flows.min_cut(network_.vertices, sink);
    Side side{cut.source_side, gathering.reversed};
    side.inside.pop_back();
    auto const found = cut_of(network_, demand_, side);
    constexpr double more = 1e-9;
    if (!found || found->seconds <= seconds_ * (1 + more)) return false;
    seconds_ = found->seconds;
    found_.push_back(std::move(side));
    return true;
  }

  Network const& network_;
  Demand const& demand_;
  double seconds_, scale_ = 1;
  std::vector<Side> found_;
};

}  // namespace

std::vector<Side> min_cuts(Network const& network, Demand const& demand, double seconds) {
  std::vector<SinkDemand> const gatherings = SinkDemands(demand).all();
  double flows = 0;
  for (SinkDemand const& each : gatherings) flows += static_cast<double>(each.sinks.size());
  if (flows * static_cast<double>(network.links.size()) > most_flow_links) return {};
  CutSearch search(network, demand, seconds);
  for (SinkDemand const& each : gatherings) search.look(each);
  return std::move(search).found();
}

namespace {

void improve(std::optional<NetworkBound>& best, NetworkBound other) {
  if (!best || other.seconds > best->seconds) best = std::move(other);
}

void add(std::optional<NetworkBound>& best, std::optional<Cut> const& cut, Seconds startup) {
  if (!cut) return;
  char const* const by = !cut->single ? "cut" : cut->average ? "volume" : "port";
  improve(best, {startup.value + cut->seconds, by, cut->text});
}

std::string bound_text(Network const& network, Demand const& demand, Lengths const& lengths) {
  std::size_t links = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) links += network.links[i].capacity && lengths[i] > 0 ? 1 : 0;
  char const* const what = demand.items.empty() ? "all pairs of ranks: bytes times distance"
                                                : "all blocks: bytes times length of their trees";
  return fmt::format("{} over {} links", what, links);
}

}  // namespace

std::optional<NetworkBound> network_bound(Network const& network, Demand const& demand, std::vector<Side> const& sides,
                                          Lengths const& lengths) {
  Cuts const cuts = partition_cuts(network, demand);
  std::optional<NetworkBound> best;
  if (cuts.passes) best = NetworkBound{network.startup.alone.value, "rounds", {}};
  add(best, cuts.between_hosts, network.startup.between_hosts);
  add(best, cuts.within_hosts, network.startup.between_ranks);
  for (Side const& each : sides) {
    auto const cut = cut_of(network, demand, each);
    if (cut) add(best, cut, cut->splits_hosts ? network.startup.between_ranks : network.startup.between_hosts);
  }
  double const by_lengths = seconds_by_lengths(network, demand, lengths);
  // A cut is easier to understand than lengths are, so that these must give a larger bound to be used.
  constexpr double more = 1 + 1e-6;
  double const with_startup = network.startup.between_ranks.value + by_lengths;
  if (best && by_lengths > 0 && with_startup > best->seconds * more) {
    best = NetworkBound{with_startup, "lengths", bound_text(network, demand, lengths)};
  }
  return best;
}

std::vector<Side> better_sides(Network const& network, Demand const& demand) {
  Cuts const cuts = partition_cuts(network, demand);
  double longest = 0;
  for (auto const* each : {&cuts.between_hosts, &cuts.within_hosts}) {
    if (*each) longest = std::max(longest, (*each)->seconds);
  }
  return longest > 0 ? min_cuts(network, demand, longest) : std::vector<Side>();
}

}  // namespace rondo::optimum
