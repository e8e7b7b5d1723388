// Divides the bytes that have to pass a cut by its capacity, for all parts of a partition at once.

#include "optimum/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ids.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace rondo::optimum {
namespace {

/// A relative tolerance: smaller differences are rounding.
constexpr double same = 1e-12;

constexpr std::size_t kinds = 5;
constexpr std::array<char const*, kinds> kind_names = {"port", "NIC", "memory", "link within hosts", "link"};
constexpr std::array<char const*, kinds> kind_plurals = {"ports", "NICs", "memories", "links within hosts", "links"};

/// The links of a cut.
struct Capacity {
  double bytes_per_second = 0;
  bool bounded = true;
  std::array<int, kinds> links = {};

  void add(NetworkLink const& link) {
    if (!link.capacity) {
      bounded = false;
      return;
    }
    bytes_per_second += *link.capacity;
    ++links[static_cast<std::size_t>(link.kind)];
  }
  void add(Capacity const& other) {
    bytes_per_second += other.bytes_per_second;
    bounded = bounded && other.bounded;
    for (std::size_t i = 0; i < kinds; ++i) links[i] += other.links[i];
  }
  bool has_cables() const { return links[static_cast<std::size_t>(LinkKind::cable)] > 0; }
  std::string text() const {
    std::vector<std::string> parts;
    for (std::size_t i = kinds; i-- > 0;) {
      if (links[i] > 0) parts.push_back(fmt::format("{} {}", links[i], (links[i] == 1 ? kind_names : kind_plurals)[i]));
    }
    return parts.empty() ? "no links" : listed(parts, " and ");
  }
};

/// The capacities out of each part and into it.
struct Capacities {
  std::vector<Capacity> out, in;
};

Capacities capacities(Network const& network, Partition const& partition) {
  Capacities result{std::vector<Capacity>(partition.names.size()), std::vector<Capacity>(partition.names.size())};
  for (NetworkLink const& link : network.links) {
    int const from = partition.part_of[at(link.from)], to = partition.part_of[at(link.to)];
    if (from == to) continue;
    if (from >= 0) result.out[at(from)].add(link);
    if (to >= 0) result.in[at(to)].add(link);
  }
  return result;
}

double seconds(std::int64_t bytes, Capacity const& capacity) {
  if (!capacity.bounded || bytes <= 0) return 0;
  return static_cast<double>(bytes) / capacity.bytes_per_second;
}

/// Whether the ranks of each host are in one part, and the largest numbers of hosts and ranks of a part.
struct Shape {
  bool splits_hosts = false;
  bool single = true;           ///< each part is a rank, or the ranks of a host
  bool covers = true;           ///< every rank is in a part
  std::vector<int> ranks = {};  ///< by part
};

Shape shape_of(Network const& network, Partition const& partition) {
  Shape shape;
  std::vector<int> host_in(partition.names.size(), -1), ranks(partition.names.size(), 0);
  std::vector<int> part_on;  // by host
  for (int r = 0; r < network.ranks; ++r) {
    int const part = partition.part_of[at(r)], host = network.host_of[at(r)];
    if (std::ssize(part_on) <= host) part_on.resize(at(host) + 1, -2);
    if (part_on[at(host)] != -2 && part_on[at(host)] != part) shape.splits_hosts = true;
    part_on[at(host)] = part;
    if (part < 0) {
      shape.covers = false;
      continue;
    }
    if (host_in[at(part)] >= 0 && host_in[at(part)] != host) shape.single = false;
    host_in[at(part)] = host;
    ++ranks[at(part)];
  }
  if (shape.splits_hosts && std::ranges::any_of(ranks, [](int count) { return count > 1; })) shape.single = false;
  shape.ranks = std::move(ranks);
  return shape;
}

/// The bytes of the vectors to which every rank contributes and that every rank is owed.
std::int64_t bytes_of_allreduce(Demand const& demand) {
  std::int64_t bytes = 0;
  for (Item const& item : demand.items) {
    bool const reduced_by_all =
        item.joined && item.owed.size() == 1 && item.owed.front().from.all && item.owed.front().to.all;
    if (reduced_by_all) bytes = checked_sum(bytes, item.bytes);
  }
  return bytes;
}

void improve(std::optional<Cut>& best, Cut cut) {
  if (cut.seconds > 0 && (!best || cut.seconds > best->seconds * (1 + same))) best = std::move(cut);
}

std::string cut_text(std::string const& name, bool entering, std::int64_t bytes, Capacity const& capacity) {
  std::string const over = fmt::format("{} over {}", print(Bytes(bytes)), capacity.text());
  return entering ? fmt::format("the others to {}: {}", name, over) : fmt::format("{} to the others: {}", name, over);
}

/// The bytes that all parts together must send to each other in an allreduce.
std::optional<Cut> average_cut(Demand const& demand, Partition const& partition, Capacities const& found,
                               Shape const& shape) {
  auto const parts = std::ssize(shape.ranks) - std::ranges::count(shape.ranks, 0);
  if (!shape.covers || parts < 2) return std::nullopt;
  std::int64_t const bytes = checked_product(2 * (parts - 1), bytes_of_allreduce(demand));
  if (bytes == 0) return std::nullopt;
  Capacity out, in;
  for (std::size_t i = 0; i < shape.ranks.size(); ++i) {
    if (shape.ranks[i] == 0) continue;
    out.add(found.out[i]);
    in.add(found.in[i]);
  }
  Capacity const& least = !out.bounded || (in.bounded && in.bytes_per_second < out.bytes_per_second) ? in : out;
  Cut cut{seconds(bytes, least), shape.splits_hosts, shape.single && !least.has_cables(), true, {}};
  std::string const who = shape.single ? fmt::format("all {}s", shape.splits_hosts ? "rank" : "host")
                                       : fmt::format("{} and the like", partition.names.front());
  cut.text = fmt::format("{} to each other: {} over {}", who, print(Bytes(bytes)), least.text());
  return cut;
}

/// Keeps the best cut among the parts of a partition.
void try_partition(Cuts& cuts, Network const& network, Demand const& demand, Partition const& partition) {
  auto const parts = static_cast<int>(partition.names.size());
  auto const part_of = std::span(partition.part_of).first(at(network.ranks));
  Crossing const bytes = crossing(demand, part_of, parts);
  Capacities const found = capacities(network, partition);
  Shape const shape = shape_of(network, partition);
  std::optional<Cut>& best = shape.splits_hosts ? cuts.within_hosts : cuts.between_hosts;
  int part = -1;
  bool entering = false;
  double most = best ? best->seconds : 0;
  for (int i = 0; i < parts; ++i) {
    cuts.passes = cuts.passes || bytes.out[at(i)] >= 0 || bytes.in[at(i)] >= 0;
    for (bool const in : {false, true}) {
      double const each = seconds((in ? bytes.in : bytes.out)[at(i)], (in ? found.in : found.out)[at(i)]);
      if (each <= most * (1 + same)) continue;
      most = each;
      part = i;
      entering = in;
    }
  }
  if (part >= 0) {
    Capacity const& capacity = (entering ? found.in : found.out)[at(part)];
    std::string text =
        cut_text(partition.names[at(part)], entering, (entering ? bytes.in : bytes.out)[at(part)], capacity);
    best = Cut{most, shape.splits_hosts, shape.single && !capacity.has_cables(), false, std::move(text)};
  }
  if (auto average = average_cut(demand, partition, found, shape)) improve(best, std::move(*average));
}

/// "ranks 0 to 3, 8 and 12 more"
std::string ranks_text(std::vector<int> const& ranks) {
  std::vector<std::string> runs;
  constexpr std::size_t most_runs = 4;
  std::size_t i = 0;
  for (; i < ranks.size() && runs.size() < most_runs;) {
    std::size_t j = i;
    while (j + 1 < ranks.size() && ranks[j + 1] == ranks[j] + 1) ++j;
    runs.push_back(i == j ? std::to_string(ranks[i]) : fmt::format("{} to {}", ranks[i], ranks[j]));
    i = j + 1;
  }
  if (i < ranks.size()) runs.push_back(fmt::format("{} more", ranks.size() - i));
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", listed(runs, ", "));
}

}  // namespace

Cuts partition_cuts(Network const& network, Demand const& demand) {
  Cuts cuts;
  for (Partition const& each : network.partitions) try_partition(cuts, network, demand, each);
  return cuts;
}

std::optional<Cut> cut_of(Network const& network, Demand const& demand, Side const& side) {
  // The other side has the same cut; the smaller side is named.
  auto const ranks_inside = std::count(side.inside.begin(), side.inside.begin() + network.ranks, true);
  bool const turned = 2 * ranks_inside > network.ranks;
  bool const entering = side.entering != turned;
  Partition partition{{}, {""}};
  std::vector<int> ranks;
  for (int v = 0; v < network.vertices; ++v) {
    bool const inside = side.inside[at(v)] != turned;
    partition.part_of.push_back(inside ? 0 : -1);
    if (v < network.ranks && inside) ranks.push_back(v);
  }
  Crossing const bytes = crossing(demand, std::span(partition.part_of).first(at(network.ranks)), 1);
  Capacities const found = capacities(network, partition);
  std::int64_t const passing = (entering ? bytes.in : bytes.out).front();
  Capacity const& capacity = (entering ? found.in : found.out).front();
  if (passing <= 0 || !capacity.bounded) return std::nullopt;
  Shape const shape = shape_of(network, partition);
  Cut cut{seconds(passing, capacity), shape.splits_hosts, shape.single && !capacity.has_cables(), false, {}};
  cut.text = cut_text(ranks_text(ranks), entering, passing, capacity);
  return cut;
}

}  // namespace rondo::optimum
