#include "exact_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/ids.hpp"
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

namespace {

Platform without_parts(Platform platform) {
  platform.rank_of_part.clear();
  return platform;
}

}  // namespace

/// Which of the ranks of its host it is, or the rank of a part.
int ExactLinks::among(int part) const {
  Platform const of_ranks = without_parts(platform_);
  int const rank = rank_of_part(platform_, Rank(part)).value;
  int lower = 0;
  for (int other = 0; other < rank; ++other) lower += host_of(of_ranks, Rank(other)) == on_host(part) ? 1 : 0;
  return lower;
}

int ExactLinks::own_nic(int rank) const {
  int const i = among(rank), n = platform_.ranks_per_host;
  return platform_.nic_of == NicRule::cyclic ? i % platform_.nics : i * platform_.nics / n;
}

bool ExactLinks::striped(std::int64_t bytes) const {
  return platform_.nic_of == NicRule::striped && bytes >= platform_.stripe_from.value;
}

std::vector<ExactLinks::NicEnds> ExactLinks::nics(int source, int target, std::int64_t bytes) const {
  std::vector<NicEnds> ends;
  if (striped(bytes)) {
    for (int c = 0; c < platform_.nics; ++c) ends.emplace_back(c, c);
  } else {
    ends.emplace_back(own_nic(source), own_nic(platform_.rails ? source : target));
  }
  return ends;
}

std::size_t ExactLinks::numbered(Name const& name, Exact const& capacity) {
  auto const [found, is_new] = numbers_.try_emplace(name, capacity_.size());
  if (is_new) capacity_.push_back(capacity);
  return found->second;
}

Exact ExactLinks::load(std::vector<LinkId> const& links, std::vector<int> const& networks) const {
  Exact most = 0;
  for (int const network : networks) {
    for (LinkId const id : links) {
      auto const found = under_way_.find({network, id});
      most = std::max(most,
                      Exact((found == under_way_.end() ? 0 : found->second) + 1, link(platform_.topology, id)->cables));
    }
  }
  return most * links.size();
}

ExactWay ExactLinks::start(int source, int target, std::int64_t bytes) {
  ExactWay way;
  way.carried = bytes + platform_.envelope.value;
  if (on_host(source) == on_host(target)) {
    start_within(source, target, way);
  } else {
    start_between(source, target, bytes, way);
  }
  if (flow_timing() && bytes > platform_.flow.eager.value) way.startup += nanoseconds(platform_.flow.handshake);
  return way;
}

/// All of the way from rank to rank, or what leads to the target alone.
void ExactLinks::cross_island(int host, int from, int to, bool whole, std::vector<std::size_t>& shared) {
  bool const in_memory = !platform_.island || platform_.island->kind == IslandKind::memory;
  if (in_memory) {
    BytesPerSecond const own = platform_.intra_bandwidth.value_or(platform_.bandwidth);
    if (flow_timing()) {
      shared.push_back(
          numbered({What::memory, host, 0, 0}, speed(platform_.island ? platform_.island->bandwidth : own)));
    }
    return;
  }
  Exact const each = speed(platform_.island->bandwidth);
  if (platform_.island->kind == IslandKind::links) {
    shared.push_back(numbered({What::between_ranks, host, from, to}, each));
    return;
  }
  if (whole) shared.push_back(numbered({What::from_rank, host, from, 0}, each));
  shared.push_back(numbered({What::to_rank, host, to, 0}, each));
}

namespace {

/// The most that a flow may have in the memory of a host, or over its island.
Exact speed_within(Platform const& platform) {
  Exact const each = speed(platform.intra_bandwidth.value_or(platform.bandwidth));
  bool const memory = platform.island && platform.island->kind == IslandKind::memory;
  return memory ? std::min(each, speed(platform.island->bandwidth)) : each;
}

}  // namespace

void ExactLinks::start_within(int source, int target, ExactWay& way) {
  way.startup = nanoseconds(platform_.intra_latency.value_or(platform_.latency));
  way.cap = speed_within(platform_);
  cross_island(on_host(source), among(source), among(target), true, way.flows.emplace_back());
}

void ExactLinks::choose_links(int source, int target, ExactWay& way) {
  routes_.append(on_host(source), on_host(target), way.links);
  if (platform_.routing.rule == RoutingRule::ugal) {
    std::vector<LinkId> other;
    routes_.append_over_drawn_host(on_host(source), on_host(target), other);
    if (load(other, way.networks) < load(way.links, way.networks)) way.links = other;
  }
  for (int const network : way.networks) {
    for (LinkId const id : way.links) ++under_way_[{network, id}];
  }
}

void ExactLinks::start_between(int source, int target, std::int64_t bytes, ExactWay& way) {
  auto const ends = nics(source, target, bytes);
  for (NicEnds const& each : ends) {
    if (platform_.rails || way.networks.empty()) way.networks.push_back(platform_.rails ? each.first : 0);
  }
  choose_links(source, target, way);
  auto const more = way.links.empty() ? 0 : way.links.size() - 1;
  way.startup = nanoseconds(piece_for(platform_, bytes).latency) + Exact(more) * nanoseconds(platform_.hop_latency);
  way.cap = speed(piece_for(platform_, bytes).bandwidth);
  auto const count = static_cast<std::int64_t>(ends.size());
  way.carried = (bytes + platform_.envelope.value + count - 1) / count;
  bool const shared_nics = flow_timing() || platform_.ranks_per_host > 1;
  Exact const nic = platform_.ports * speed(platform_.bandwidth);
  for (auto const& [out, in] : ends) {
    std::vector<std::size_t>& shared = way.flows.emplace_back();
    if (shared_nics) shared.push_back(numbered({What::up, on_host(source), out, 0}, nic));
    for (LinkId const id : way.links) {
      if (platform_.links == LinkSharing::unshared) break;
      Exact const cable = speed(platform_.link_bandwidth.value_or(platform_.bandwidth));
      shared.push_back(
          numbered({What::link, platform_.rails ? out : 0, id, 0}, link(platform_.topology, id)->cables * cable));
    }
    if (shared_nics) shared.push_back(numbered({What::down, on_host(target), in, 0}, nic));
    if (!platform_.rails || platform_.nic_of == NicRule::striped || in == own_nic(target)) continue;
    // It comes in over the NIC of another rank of the host; the lowest one there passes it on.
    way.startup += nanoseconds(platform_.intra_latency.value_or(platform_.latency));
    if (!platform_.island || platform_.island->kind == IslandKind::memory)
      way.cap = std::min(way.cap, speed_within(platform_));
    int lowest = 0;
    while (on_host(lowest) != on_host(target) || own_nic(lowest) != in) ++lowest;
    cross_island(on_host(target), among(lowest), among(target), false, shared);
  }
}

void ExactLinks::end(ExactWay const& way) {
  for (int const network : way.networks) {
    for (LinkId const id : way.links) --under_way_[{network, id}];
  }
}

Exact ExactLinks::pass(Exact const& now, int source, int target, std::int64_t bytes) {
  Exact last = now;
  if (on_host(source) == on_host(target)) return last;
  for (auto const& [out, in] : nics(source, target, bytes)) {
    for (Name const& nic : {Name{What::up, on_host(source), out, 0}, Name{What::down, on_host(target), in, 0}}) {
      Exact const passes = std::max(free_[nic], now);
      free_[nic] = passes + nanoseconds(platform_.nic_gap);
      last = std::max(last, passes);
    }
  }
  return last;
}

}  // namespace rondo::testing
