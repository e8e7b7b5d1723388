#pragma once

// The links that flows share, as MaxMin counts them: those of a platform file, and then those of wires.hpp.

#include <cstdint>
#include <vector>

#include "engine/platform_file.hpp"
#include "platform/wires.hpp"

namespace rondo::native {

class Wiring {
 public:
  /// `file` has the routes where the platform is a file, whose hosts are the ranks'.
  Wiring(Platform const& platform, FileRoutes const* file, int ranks);

  /// The links of a torus or ring of so many dimensions with those of one kind, of a dimension and direction, as one,
  /// and the NICs of all hosts as one: what messages of one rank share with their like from all others.
  static Wiring of_one_rank(Platform const& platform, int dimensions);

  /// The hosts that have NICs of their own.
  int hosts() const { return hosts_; }
  /// Bytes a second of each link, by its number.
  std::vector<double> const& capacities() const { return capacities_; }

  /// What a message meets between its ports.
  struct Lane {
    double startup = 0;    ///< seconds without bandwidth
    double bandwidth = 0;  ///< of a message alone whose route has no narrower link: what its duration is made of
    double cap = 0;        ///< the most that its flow may have, less where a file has narrower fat pipes
  };
  Lane lane(std::int32_t from, std::int32_t to, SizeClass size) const;
  /// Whether it may meet other messages there; else its route has no links.
  bool shares(std::int32_t from, std::int32_t to) const;
  /// Writes the numbers of the links that it shares, of the first of its flows, and returns its lane.
  Lane route(std::int32_t from, std::int32_t to, SizeClass size, std::vector<std::uint32_t>& into) const;
  /// Writes those of a flow whose route between routers is this one.
  void route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow, std::vector<LinkId> const& links,
                  std::vector<std::uint32_t>& into) const;
  /// The route between routers of the last message that `route` was called for.
  std::vector<LinkId> const& links() const { return links_; }
  Platform const& platform() const { return platform_; }
  Paths const& paths() const { return paths_; }

 private:
  Wiring(Platform const& platform, FileRoutes const* file, int hosts, LinkId kinds);

  Platform const& platform_;
  FileRoutes const* file_;
  Paths paths_;
  Wires wires_;
  int hosts_;
  std::vector<double> capacities_;
  mutable std::vector<LinkId> links_;
};

}  // namespace rondo::native
