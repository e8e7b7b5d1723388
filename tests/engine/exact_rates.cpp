#include "exact_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/index.hpp"
#include "platform/routes.hpp"

namespace rondo::testing {

Exact written(double number) {
  std::string const shortest = fmt::format("{}", number);
  auto const e = shortest.find('e');
  std::string digits = shortest.substr(0, e);
  int power = e == std::string::npos ? 0 : std::stoi(shortest.substr(e + 1));
  if (auto const point = digits.find('.'); point != std::string::npos) {
    power -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  // A zero in front would make it octal.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  using boost::multiprecision::cpp_int;
  Exact const scale = pow(cpp_int(10), static_cast<unsigned>(std::abs(power)));
  return power < 0 ? Exact(cpp_int(digits)) / scale : Exact(cpp_int(digits)) * scale;
}

/// The flow with the least share stops, then that with the least of what is left.
std::vector<Exact> fair_rates(std::vector<Exact> const& capacity, std::vector<ExactFlow> const& flows) {
  std::vector<Exact> rates(flows.size()), left = capacity;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < flows.size(); ++i) open.push_back(i);
  while (!open.empty()) {
    std::vector<int> crossing(left.size(), 0);
    for (std::size_t const i : open) {
      for (std::size_t const link : flows[i].route) ++crossing[link];
    }
    auto const share_of = [&](std::size_t i) {
      Exact least = flows[i].cap;
      for (std::size_t const link : flows[i].route) least = std::min<Exact>(least, left[link] / crossing[link]);
      return least;
    };
    std::size_t which = 0;
    for (std::size_t i = 1; i < open.size(); ++i) which = share_of(open[i]) < share_of(open[which]) ? i : which;
    std::size_t const slowest = open[which];
    rates[slowest] = share_of(slowest);
    for (std::size_t const link : flows[slowest].route) left[link] -= rates[slowest];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return rates;
}

ExactLinks::ExactLinks(Platform const& platform)
    : platform_(platform), routes_(platform), under_way_(at(link_ids(platform.topology)), 0) {
  bool const flow = platform.timing == TimingModel::flow;
  bool const nics = flow || platform.ranks_per_host > 1;
  Exact const without_bound(1'000'000'000);
  for (int i = 0; i < 2 * hosts(platform); ++i) {
    capacity_.push_back(nics ? platform.ports * speed(platform.bandwidth) : without_bound);
  }
  Exact const memory = speed(platform.intra_bandwidth.value_or(platform.bandwidth));
  capacity_.resize(capacity_.size() + at(hosts(platform)), flow ? memory : without_bound);
  if (platform.links == LinkSharing::unshared) return;
  for (LinkId id = 0; id < link_ids(platform.topology); ++id) {
    auto const found = link(platform.topology, id);
    capacity_.push_back((found ? found->cables : 1) * speed(platform.link_bandwidth.value_or(platform.bandwidth)));
  }
}

Exact ExactLinks::load(std::vector<LinkId> const& links) const {
  Exact most = 0;
  for (LinkId const id : links) {
    most = std::max(most, Exact(under_way_[at(id)] + 1, link(platform_.topology, id)->cables));
  }
  return most * links.size();
}

ExactWay ExactLinks::start(int from, int to, std::int64_t bytes) {
  if (from == to) {
    return {{at(2 * hosts(platform_) + from)}, {}, nanoseconds(platform_.intra_latency.value_or(platform_.latency))};
  }
  ExactWay way;
  routes_.append(from, to, way.links);
  if (platform_.routing.rule == RoutingRule::ugal) {
    std::vector<LinkId> other;
    routes_.append_over_drawn_host(from, to, other);
    if (load(other) < load(way.links)) way.links = other;
  }
  for (LinkId const id : way.links) ++under_way_[at(id)];
  way.shared = {at(from), at(hosts(platform_) + to)};
  if (platform_.links == LinkSharing::shared) {
    for (LinkId const id : way.links) way.shared.push_back(at(3 * hosts(platform_) + id));
  }
  auto const more = way.links.empty() ? 0 : way.links.size() - 1;
  way.startup = nanoseconds(piece_for(platform_, bytes).latency) + Exact(more) * nanoseconds(platform_.hop_latency);
  return way;
}

void ExactLinks::end(ExactWay const& way) {
  for (LinkId const id : way.links) --under_way_[at(id)];
}

}  // namespace rondo::testing
