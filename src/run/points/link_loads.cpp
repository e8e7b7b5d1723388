// Adds up bytes along routes. On regular topologies with straight routes the sums over all messages of one direction
// are computed at once (platform/straight_loads.hpp), without walking every route.

#include "run/points/link_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "platform/straight_loads.hpp"

namespace rondo {

namespace {

/// Throws InputError if the sum reaches 2^63.
std::int64_t sum_of(std::int64_t a, std::int64_t b) { return (Bytes(a) + Bytes(b)).value; }
void add(std::int64_t& sum, std::int64_t more) { sum = sum_of(sum, more); }

/// What rank and round send, message by message.
/// Calls `use` with source, target and bytes of each message.
template <typename Use>
void for_each_message(Schedule const& schedule, Use const& use) {
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        use(Rank(rank), schedule.peer(Rank(rank), send), program.bytes(send).value);
      }
    }
  }
}

template <typename Use>
void for_each_message(TaskGraph const& graph, Use const& use) {
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    for (Task const& task : graph.of(Rank(rank))) {
      if (task.kind == TaskKind::send) use(Rank(rank), Rank(task.peer), task.amount);
    }
  }
}

Seconds longest(std::vector<std::int64_t> const& bytes, double capacity) {
  if (bytes.empty()) return Seconds(0);
  return Seconds(static_cast<double>(*std::max_element(bytes.begin(), bytes.end())) / capacity);
}

/// The sums over links, by their numbers.
class LinkSums {
 public:
  explicit LinkSums(Platform const& platform)
      : routes_(platform),
        straight_(straight_loads(platform)),
        bytes_(straight_ ? 0 : at(link_ids(platform.topology))) {}

  void carry(int from, int to, std::int64_t bytes) {
    if (straight_) return straight_->add(from, to, bytes);
    route_.clear();
    routes_.append(from, to, route_);
    for (LinkId const id : route_) add(bytes_[at(id)], bytes);
  }
  std::vector<std::int64_t> by_link() { return straight_ ? straight_->by_link() : std::move(bytes_); }

 private:
  Routes routes_;
  std::optional<StraightLoads> straight_;
  std::vector<std::int64_t> bytes_;
  std::vector<LinkId> route_;
};

/// The links that exist, with their bytes. Numbers of links may have gaps (platform/regular.hpp).
std::vector<LinkLoad> links_with(std::vector<std::int64_t> const& bytes, MachineTopology const& topology) {
  std::vector<LinkLoad> links;
  for (LinkId id = 0; id < std::ssize(bytes); ++id) {
    if (auto const ends = link(topology, id)) links.push_back({id, *ends, bytes[at(id)]});
  }
  return links;
}

/// The loads of all messages. Bytes between ranks of one host count in `within`.
template <typename Messages>
LinkLoads loads_of(Messages const& messages, Platform const& platform) {
  LinkLoads loads;
  if (std::holds_alternative<PlatformFile>(platform.topology)) return loads;
  loads.out.resize(at(hosts(platform)));
  loads.in.resize(loads.out.size());
  loads.within.resize(loads.out.size());
  // Routes that are chosen when messages start are unknown here.
  bool const known = platform.routing.rule != RoutingRule::ugal && link_ids(platform.topology) > 0;
  LinkSums carried(platform);
  for_each_message(messages, [&](Rank source, Rank target, std::int64_t payload) {
    int const from = host_of(platform, source), to = host_of(platform, target);
    std::int64_t const bytes = sum_of(payload, platform.envelope.value);
    if (from == to) {
      add(loads.within[at(from)], bytes);
      return;
    }
    add(loads.out[at(from)], bytes);
    add(loads.in[at(to)], bytes);
    if (known) carried.carry(from, to, bytes);
  });
  if (known) loads.links = links_with(carried.by_link(), platform.topology);
  return loads;
}

}  // namespace

bool has_loads(Platform const& platform) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) return false;
  return link_ids(platform.topology) > 0 || platform.timing == TimingModel::flow || platform.ranks_per_host > 1;
}

LinkLoads link_loads(Schedule const& schedule, Platform const& platform) { return loads_of(schedule, platform); }
LinkLoads link_loads(TaskGraph const& graph, Platform const& platform) { return loads_of(graph, platform); }
LinkLoads link_loads(Plan const& plan, Platform const& platform, std::string const& file) {
  if (auto const* const tasks = std::get_if<TaskPlan>(&plan)) return loads_of(tasks->tasks.graph.tasks, platform);
  return loads_of(schedule_plan(plan, file).schedule, platform);
}

std::optional<std::int64_t> max_link_bytes(LinkLoads const& loads) {
  if (loads.links.empty()) return std::nullopt;
  auto const less = [](LinkLoad const& a, LinkLoad const& b) { return a.bytes < b.bytes; };
  return std::max_element(loads.links.begin(), loads.links.end(), less)->bytes;
}

std::optional<double> mean_link_bytes(LinkLoads const& loads) {
  if (loads.links.empty()) return std::nullopt;
  long double sum = 0;  // exact up to 2^64, and a mean is no more than the largest
  for (LinkLoad const& each : loads.links) sum += static_cast<long double>(each.bytes);
  return static_cast<double>(sum / static_cast<long double>(loads.links.size()));
}

/// The bytes over links between groups of a dragonfly, for which papers give bounds; unset on other topologies.
std::optional<std::int64_t> global_link_bytes(LinkLoads const& loads, Platform const& platform) {
  if (!std::holds_alternative<Dragonfly>(platform.topology) || loads.links.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (LinkLoad const& each : loads.links) {
    if (between_groups(platform.topology, each.ends)) add(sum, each.bytes);
  }
  return sum;
}

/// The time that the busiest shared resource needs for its bytes: a lower bound of the simulated time.
Seconds shared_load_time(LinkLoads const& loads, Platform const& platform) {
  if (platform.timing == TimingModel::loggp) return Seconds(0);
  Seconds time(0);
  if (platform.links == LinkSharing::shared) {
    double const cable =
        (platform.rails ? platform.nics : 1) * platform.link_bandwidth.value_or(platform.bandwidth).value;
    for (LinkLoad const& each : loads.links) {
      time = std::max(time, Seconds(static_cast<double>(each.bytes) / (each.ends.cables * cable)));
    }
  }
  bool const flow = platform.timing == TimingModel::flow;
  if (flow || platform.ranks_per_host > 1) {
    double const nic = platform.nics * platform.ports * platform.bandwidth.value;
    time = std::max({time, longest(loads.out, nic), longest(loads.in, nic)});
  }
  bool const has_links = platform.island && platform.island->kind != IslandKind::memory;
  if (!flow || has_links) return time;
  BytesPerSecond const own = platform.intra_bandwidth.value_or(platform.bandwidth);
  return std::max(time, longest(loads.within, (platform.island ? platform.island->bandwidth : own).value));
}

std::string links_csv(LinkLoads const& loads) {
  std::string text = "link,from_router,to_router,cables,bytes\n";
  for (LinkLoad const& each : loads.links) {
    text += fmt::format("{},{},{},{},{}\n", each.id, each.ends.from, each.ends.to, each.ends.cables, each.bytes);
  }
  return text;
}

}  // namespace rondo
