#pragma once

// What the native engine needs to know of a SimGrid platform file: SimGrid reads it once, in a child process, and tells
// the routes that are asked for.

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "platform/platform.hpp"

namespace rondo {

/// The links of the file that messages share, and the routes over them. Where latency and bandwidth are the machine's,
/// they are without the links of the hosts to the network, which are theirs alone and have its bandwidth.
struct FileRoutes {
  struct Route {
    std::uint32_t first = 0, length = 0;  ///< in `links`
    double narrowest = 0;                 ///< of the links that no message slows for another, bytes a second
    double latency = 0;                   ///< of all links, seconds
    double bandwidth = 0;                 ///< of a message alone on all links, bytes a second
  };
  std::vector<double> capacities;  ///< bytes a second, by the number of a link
  std::vector<std::uint32_t> links;
  std::unordered_map<std::uint64_t, Route> routes;  ///< by `pair`

  static std::uint64_t pair(int from, int to) {
    return std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to);
  }
  /// The route between two ranks, which must be one of the pairs asked for.
  Route const& route_of(int from, int to) const { return routes.at(pair(from, to)); }
  void append(int from, int to, std::vector<std::uint32_t>& into) const {
    Route const& found = route_of(from, to);
    into.insert(into.end(), links.begin() + found.first, links.begin() + found.first + found.length);
  }
};

/// Reads the file of a platform that is one. Throws InputError when SimGrid cannot read it, when it has fewer hosts
/// than ranks, links of wireless networks, or pairs whose route has no links; and, where latency and bandwidth are the
/// machine's, hosts without an up link and a down link of their own.
Outcome<FileRoutes> read_routes(Platform const& platform, int ranks, std::vector<std::pair<int, int>> const& pairs,
                                Seconds timeout);

}  // namespace rondo
