// Follows the route of each pair of ranks, and notes how long each resource is busy with a byte.

#include "platform/routed_network.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/index.hpp"
#include "platform/shared_resources.hpp"

namespace rondo {
namespace {

/// Follows the route of every pair of ranks and notes which resources it uses, and for how long a byte occupies each of
/// them.
class RouteUses {
 public:
  RouteUses(Platform const& platform, int ranks, Bytes message)
      : platform_(platform),
        paths_(platform),
        size_(size_class(platform, message.value)),
        resources_(paths_, platform, hosts(platform), link_ids(platform.topology)) {
    network_.ranks = ranks;
    network_.resources = 2 * ranks + static_cast<int>(resources_.capacities().size());
    network_.many_are_free = many_are_free();
    if (platform.timing == TimingModel::linear) network_.ports = platform.ports;
    if (platform.neighbors_only) network_.linked.assign(at(std::int64_t{ranks} * ranks), true);
  }

  /// Goes over all pairs.
  RoutedNetwork find() && {
    for (int from = 0; from < network_.ranks; ++from) {
      for (int to = 0; to < network_.ranks; ++to) add(from, to);
    }
    return std::move(network_);
  }

 private:
  /// Ports and CPUs take messages one by one, and smaller ones may go over other protocols.
  bool many_are_free() const {
    FlowCosts const& costs = platform_.flow;
    bool const no_cpu = costs.o_send.value == 0 && costs.o_recv.value == 0 && costs.match.value == 0;
    return platform_.timing == TimingModel::flow && no_cpu && platform_.nic_gap.value == 0 &&
           platform_.envelope == Bytes(0) && platform_.pieces.empty() && platform_.nic_of != NicRule::striped;
  }

  /// A rank has no route to itself.
  void add(int from, int to) {
    uses_.clear();
    double startup = 0;
    if (from != to) startup = follow(Rank(from), Rank(to));
    network_.ways.push_back(uses_);
    network_.startups.push_back(startup);
  }

  /// Notes the resources of a route; returns its start-up in seconds.
  double follow(Rank from, Rank to) {
    bool const within = paths_.host(from) == paths_.host(to);
    route_.clear();
    if (!within) paths_.routes().append(paths_.host(from), paths_.host(to), route_);
    if (platform_.neighbors_only && route_.size() > 1) network_.linked[network_.index(from.value, to.value)] = false;
    RouteCost const cost =
        within ? paths_.route_cost(from, to, size_) : paths_.cost_over(from, to, route_.size(), size_);
    int const flows = paths_.flows(from, to, size_);
    // Under linear timing a message holds a port at each end until the last byte of its flows has passed.
    bool const ports = platform_.timing == TimingModel::linear;
    double const held = 1 / (platform_.ports * flows * cost.bandwidth.value);
    if (ports) uses_.push_back({from.value, held});
    for (int flow = 0; flow < flows; ++flow) {
      crossed_.clear();
      if (within) {
        resources_.append_within(from, to, crossed_);
      } else {
        NicPair const nics = paths_.nics(from, to, size_, flow);
        resources_.append_out(from, nics, crossed_);
        resources_.append_links(nics, route_, crossed_);
        resources_.append_in(from, to, nics, crossed_);
      }
      for (SharedResources::Number const each : crossed_) {
        uses_.push_back({2 * network_.ranks + static_cast<int>(each), 1 / (flows * resources_.capacities()[each])});
      }
    }
    if (ports) uses_.push_back({network_.ranks + to.value, held});
    return cost.startup.value;
  }

  Platform const& platform_;
  Paths paths_;
  SizeClass size_;
  SharedResources resources_;
  RoutedNetwork network_;
  std::vector<ResourceUse> uses_;
  std::vector<LinkId> route_;
  std::vector<SharedResources::Number> crossed_;
};

/// Under LogGP a byte occupies the NICs of both ranks for G; the rest of a message's time does not depend on its size.
RoutedNetwork of_loggp(LogGp const& model, int ranks) {
  RoutedNetwork network{.ranks = ranks, .resources = 2 * ranks, .ways = {}, .startups = {}};
  double const startup = (model.L + model.o + model.o + model.g).value;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      network.ways.push_back({});
      network.startups.push_back(from == to ? 0 : startup);
      if (from != to) network.ways.back() = {{from, model.G.value}, {ranks + to, model.G.value}};
    }
  }
  return network;
}

}  // namespace

RoutedNetwork routed_network(Platform const& platform, int ranks, Bytes message) {
  expects(!std::holds_alternative<PlatformFile>(platform.topology), "a topology whose links are known");
  if (platform.timing == TimingModel::loggp) return of_loggp(platform.loggp, ranks);
  return RouteUses(platform, ranks, message).find();
}

}  // namespace rondo
