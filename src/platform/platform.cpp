#include "platform/platform.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"

namespace rondo {

namespace {

template <typename... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};

void expect_host(Platform const& platform, int host) {
  expects(host >= 0 && host < hosts(platform), "a host of the machine");
}

}  // namespace

int hosts(Platform const& platform) {
  return std::visit(Visitor{[](TorusMachine const& machine) { return machine.torus.size(); },
                            [](auto const& machine) { return machine.hosts; }},
                    platform.topology);
}

int host_of(Platform const&, Rank rank) { return rank.value; }

int hops(Platform const& platform, int from_host, int to_host) {
  if (from_host == to_host) return 0;
  return std::visit(
      Visitor{[&](Ring const& ring) {
                int const apart = std::abs(from_host - to_host);
                return std::min(apart, ring.hosts - apart);
              },
              [&](TorusMachine const& machine) { return machine.torus.distance(Rank(from_host), Rank(to_host)); },
              [](auto const&) { return 1; }},
      platform.topology);
}

bool adjacent(Platform const& platform, int host, int other) {
  expect_host(platform, host);
  expect_host(platform, other);
  return hops(platform, host, other) == 1;
}

Seconds startup(Platform const& platform, int from_host, int to_host) {
  int const more = std::max(0, hops(platform, from_host, to_host) - 1);
  return platform.latency + static_cast<double>(more) * platform.hop_latency;
}

}  // namespace rondo
