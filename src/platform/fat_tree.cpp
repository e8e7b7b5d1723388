// The fat tree, XGFT(h; m_1..m_h; w_1..w_h) with m = down and w = up. Switches have the levels 1 to h. A switch of
// level l has the place g*W_l + b among those of its level, where W_l = w_1*..*w_l. Here g = host / (m_1*..*m_l) for
// all hosts below the switch, and b tells it apart from the W_l switches that stand above the same hosts. Its link up
// number k leads to the switch with the place (g / m_(l+1)) * W_(l+1) + b + k*W_l on the next level. Switches are
// numbered level by level from the hosts up. So are the links between switches: link n is 2n upwards and 2n+1
// downwards. The links of hosts have no numbers.

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "platform/regular.hpp"

namespace rondo::regular {

namespace {

int levels(FatTree const& machine) { return static_cast<int>(machine.down.size()); }
/// m_(l+1) or w_(l+1): lists begin at 0, but levels at 1.
int at(std::vector<int> const& list, int level) { return list[static_cast<std::size_t>(level)]; }

/// The product of the first numbers of a list: m_1*..*m_l or w_1*..*w_l.
std::int64_t product(std::vector<int> const& list, int level) {
  std::int64_t result = 1;
  for (int l = 0; l < level; ++l) result *= at(list, l);
  return result;
}

/// How many switches stand on a level; levels count from 1.
std::int64_t switches(FatTree const& machine, int level) {
  return product(machine.down, levels(machine)) / product(machine.down, level) * product(machine.up, level);
}

/// The number of the first switch of a level.
std::int64_t first_switch(FatTree const& machine, int level) {
  std::int64_t first = 0;
  for (int l = 1; l < level; ++l) first += switches(machine, l);
  return first;
}

/// The number of the first link that leads up from a level, where a link and its way back count once.
std::int64_t first_link(FatTree const& machine, int level) {
  std::int64_t first = 0;
  for (int l = 1; l < level; ++l) first += switches(machine, l) * at(machine.up, l);
  return first;
}

/// The number n of the link between levels l and l+1 on the route to host `to`. Its lower end is the switch of level l
/// that stands above host `below`.
LinkId link_between(FatTree const& machine, int level, int below, int to) {
  std::int64_t const width = product(machine.up, level);
  // The links up that the route takes are the digits of `to` in the bases w_1, w_2, ..; those below this level have led
  // to the place `to % width`.
  std::int64_t const place = below / product(machine.down, level) * width + to % width;
  std::int64_t const up = to / width % at(machine.up, level);
  return first_link(machine, level) + place * at(machine.up, level) + up;
}

/// The level of the lowest switch that stands above both hosts.
int meeting_level(FatTree const& machine, int from, int to) {
  int level = 1;
  while (from / product(machine.down, level) != to / product(machine.down, level)) ++level;
  return level;
}

}  // namespace

int hosts(FatTree const& machine) { return static_cast<int>(product(machine.down, levels(machine))); }

std::vector<std::int64_t> switches_by_level(FatTree const& machine) {
  std::vector<std::int64_t> result;
  for (int level = 1; level <= levels(machine); ++level) result.push_back(switches(machine, level));
  return result;
}

int routers(FatTree const& machine) { return static_cast<int>(first_switch(machine, levels(machine) + 1)); }

int router_of(FatTree const& machine, int host) { return host / machine.down.front(); }

LinkId link_ids(FatTree const& machine) { return 2 * first_link(machine, levels(machine)); }

/// Finds the level of the link, its place there, and from these both ends.
std::optional<RouterLink> link(FatTree const& machine, LinkId id) {
  if (id < 0 || id >= link_ids(machine)) return std::nullopt;
  int level = 1;
  while (id / 2 >= first_link(machine, level + 1)) ++level;
  std::int64_t const number = id / 2 - first_link(machine, level);
  std::int64_t const place = number / at(machine.up, level);
  std::int64_t const width = product(machine.up, level);
  std::int64_t const above = place / width / at(machine.down, level) * width * at(machine.up, level) + place % width +
                             number % at(machine.up, level) * width;
  int const low = static_cast<int>(first_switch(machine, level) + place);
  int const high = static_cast<int>(first_switch(machine, level + 1) + above);
  int const cables = at(machine.parallel, level);
  return id % 2 == 0 ? RouterLink{low, high, cables} : RouterLink{high, low, cables};
}

void append_route(FatTree const& machine, int from, int to, std::vector<LinkId>& links) {
  int const top = meeting_level(machine, from, to);
  for (int level = 1; level < top; ++level) links.push_back(2 * link_between(machine, level, from, to));
  for (int level = top - 1; level >= 1; --level) links.push_back(2 * link_between(machine, level, to, to) + 1);
}

int hops(FatTree const& machine, int from, int to) { return 2 * (meeting_level(machine, from, to) - 1); }

std::string title(FatTree const& machine) {
  return fmt::format("A fat tree of {} levels, down {}, up {}, parallel {}", machine.down.size(),
                     listed(machine.down, ", "), listed(machine.up, ", "), listed(machine.parallel, ", "));
}

}  // namespace rondo::regular

namespace rondo {

/// Throws InputError unless all lists have the same length and numbers from 1 on, each host has a single link, and the
/// tree has at most Torus::most_ranks hosts and as many switches.
void check(FatTree const& machine) {
  std::size_t const levels = machine.down.size();
  if (levels == 0 || machine.up.size() != levels || machine.parallel.size() != levels) {
    throw InputError(
        fmt::format("expected as many numbers down, up and parallel as a fat tree has levels, got {}, {}, {}", levels,
                    machine.up.size(), machine.parallel.size()));
  }
  for (auto const* list : {&machine.down, &machine.up, &machine.parallel}) {
    for (int const count : *list) {
      if (count < 1) throw InputError(fmt::format("expected at least 1 of everything in a fat tree, got {}", count));
    }
  }
  for (auto const& [key, first] : {std::pair("up", machine.up.front()), {"parallel", machine.parallel.front()}}) {
    if (first == 1) continue;
    throw InputError(fmt::format(
        "expected 1 as the first number of \"{}\" of a fat tree, as a host has one NIC, got {}", key, first));
  }
  // Floating point does not overflow, whatever the numbers are.
  double hosts = 1, switches = 0;
  for (int const m : machine.down) hosts *= m;
  double of_level = hosts;
  for (std::size_t l = 0; l < levels; ++l) {
    of_level *= static_cast<double>(machine.up[l]) / machine.down[l];
    switches += of_level;
  }
  if (hosts > Torus::most_ranks || switches > Torus::most_ranks) {
    throw InputError(fmt::format("expected at most {} hosts and as many switches in a fat tree", Torus::most_ranks));
  }
}

}  // namespace rondo
