#pragma once

// The content of a SimGrid platform file that the native engine needs. SimGrid reads the file once, in a child process,
// and returns the routes between the pairs of hosts that talk.

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "platform/platform.hpp"

namespace rondo {

/// The links of the file that messages share, and the routes over them. If the machine itself gives latency and
/// bandwidth, the links between a host and the network are left out: each belongs to one host and has the machine's
/// bandwidth.
struct FileRoutes {
  struct Route {
    std::uint32_t first = 0, length = 0;  ///< in `links`
    double narrowest = 0;  ///< of its fat pipes, whose messages do not slow each other down, in bytes per second
    double latency = 0;    ///< the sum over all links, in seconds
    double bandwidth = 0;  ///< of a message alone on all links, in bytes per second
  };
  std::vector<double> capacities;  ///< bytes per second, by the number of a link
  std::vector<std::uint32_t> links;
  std::unordered_map<std::uint64_t, Route> routes;  ///< by `pair`

  static std::uint64_t pair(int from, int to) {
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
  }
  /// The route between two hosts, which must be one of the pairs that read_routes was given.
  Route const& route_of(int from, int to) const { return routes.at(pair(from, to)); }
  void append(int from, int to, std::vector<std::uint32_t>& into) const {
    Route const& found = route_of(from, to);
    into.insert(into.end(), links.begin() + found.first, links.begin() + found.first + found.length);
  }
};

/// Reads the platform's file. Throws InputError if SimGrid cannot read it; if it has fewer hosts than ranks, links of
/// wireless networks, or pairs whose route has no links; and, if the machine gives latency and bandwidth, if a host has
/// no up link and down link of its own.
Outcome<FileRoutes> read_routes(Platform const& platform, int ranks, std::vector<std::pair<int, int>> const& pairs,
                                Seconds timeout);

}  // namespace rondo
