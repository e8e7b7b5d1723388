#pragma once

// What routes carry over each link of a ring, torus or mesh. There a route goes straight through one dimension after
// the other, so that it is noted where each straight part begins and where it ends: it costs a step for each dimension
// and not one for each of its links, of which a ring of n hosts has n/4 on average.

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/platform.hpp"
#include "platform/routes.hpp"

namespace rondo {

class StraightLoads {
 public:
  StraightLoads(Torus extents, bool closed);

  /// Bytes from one host to another by the route of append_route. Throws InputError where the sum over a link reaches
  /// 2^63.
  void add(int from_host, int to_host, std::int64_t bytes);
  /// The sum of all bytes over each link, by its number. Throws InputError where one reaches 2^63.
  std::vector<std::int64_t> by_link() const;

 private:
  /// The links that lead one way in a dimension, as a message passes them.
  struct Lane {
    int dimension = 0;
    bool down = false;
  };

  LinkId link_of(std::int64_t router, Lane lane) const;
  /// Lanes in a dimension lie side by side; this one's place among all, by a router on it.
  std::size_t line_of(std::int64_t router, Lane lane) const;
  void add_straight(std::int64_t first, int steps, Lane lane, std::int64_t bytes);
  void sum(std::int64_t first, Lane lane, std::vector<std::int64_t>& loads) const;

  Torus extents_;
  bool closed_;
  std::vector<std::int64_t> strides_;        // by dimension: how far apart neighbors are
  std::vector<std::int64_t> begins_, ends_;  // by link: of the parts of which it is the first, the last one
  std::vector<std::vector<std::int64_t>>
      over_;  // by dimension, line and way: of the parts that go over the closing link
};

/// Where all routes of the machine are such.
std::optional<StraightLoads> straight_loads(Platform const& platform);

}  // namespace rondo
