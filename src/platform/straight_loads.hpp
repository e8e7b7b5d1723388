#pragma once

// Counts the bytes that all routes carry over each link of a ring, torus or mesh. A route there goes straight through
// one dimension after the other. So only the begin and the end of each straight part are noted, and sums along the
// lines give the loads: a route costs one step per dimension instead of one per link, and in a ring of n hosts it has
// n/4 links on average.

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/platform.hpp"
#include "platform/routes.hpp"

namespace rondo {

/// Adds up routes.
class StraightLoads {
 public:
  StraightLoads(Torus extents, bool closed);

  /// Adds the bytes from one host to another, which take the route of append_route. Throws InputError if the sum over a
  /// link reaches 2^63.
  void add(int from_host, int to_host, std::int64_t bytes);
  /// Returns the sum of all bytes over each link, by its number. Throws InputError where one reaches 2^63.
  std::vector<std::int64_t> by_link() const;

 private:
  /// A direction in a dimension; the links of a lane lead one way.
  struct Lane {
    int dimension = 0;
    bool down = false;
  };

  LinkId link_of(std::int64_t router, Lane lane) const;
  /// The number of the line of links through this router, among all parallel lines of its dimension.
  std::size_t line_of(std::int64_t router, Lane lane) const;
  /// Notes a straight part that begins at the router `first` and has this many links.
  void add_straight(std::int64_t first, int steps, Lane lane, std::int64_t bytes);
  /// Sets the loads of a line of links, whose first router is `first`.
  void sum(std::int64_t first, Lane lane, std::vector<std::int64_t>& loads) const;

  Torus extents_;
  bool closed_;
  std::vector<std::int64_t> strides_;        // by dimension: how far apart neighbors are
  std::vector<std::int64_t> begins_, ends_;  // by link: the bytes of the parts of which it is the first, the last one
  /// By dimension, and by line and direction: the bytes of the parts that go over the border of the torus.
  std::vector<std::vector<std::int64_t>> over_;
};

/// Makes empty loads for a machine all of whose routes are straight (ring, torus or mesh under minimal routing);
/// nothing for any other machine.
std::optional<StraightLoads> straight_loads(Platform const& platform);

}  // namespace rondo
