#pragma once

// The links that flows share, numbered for MaxMin: first the links of a platform file, then those of
// shared_resources.hpp (NICs, memories and the links of the topology).

#include <cstdint>
#include <vector>

#include "engine/platform_file.hpp"
#include "platform/shared_resources.hpp"

namespace rondo::native {

/// The numbered links of a machine.
class FlowLinks {
 public:
  /// `file` has the routes if the platform is a file; its hosts are those of the ranks.
  FlowLinks(Platform const& platform, FileRoutes const* file, int ranks);

  /// A machine of one rank that stands for all ranks of a torus or ring. All links of one dimension and direction are
  /// one link, and the NICs of all hosts are one. So the messages of one rank share links with the corresponding
  /// messages of all other ranks.
  static FlowLinks of_one_rank(Platform const& platform, int dimensions);

  /// The number of hosts with NICs of their own.
  int hosts() const { return hosts_; }
  /// The capacity of each link in bytes per second, by its number.
  std::vector<double> const& capacities() const { return capacities_; }

  /// The speed of a message between two ranks, without other messages.
  struct Lane {
    double startup = 0;    ///< seconds before its bytes flow
    double bandwidth = 0;  ///< bytes per second of a message alone, if its route has no narrower link; durations use it
    double cap = 0;  ///< the largest rate of its flow, which is less than `bandwidth` if a file has narrower fat pipes
  };
  Lane lane(std::int32_t from, std::int32_t to, SizeClass size) const;
  /// Whether the message may share links with other messages. If not, its route has no links.
  bool shares(std::int32_t from, std::int32_t to) const;
  /// Writes the numbers of the links that the first flow of the message shares, and returns the lane of the message.
  Lane route(std::int32_t from, std::int32_t to, SizeClass size, std::vector<std::uint32_t>& into) const;
  /// Writes the numbers of the links of one flow whose route between routers is `links`.
  void route_over(std::int32_t from, std::int32_t to, SizeClass size, int flow, std::vector<LinkId> const& links,
                  std::vector<std::uint32_t>& into) const;
  /// The route between routers of the last call of `route`.
  std::vector<LinkId> const& links() const { return links_; }
  Platform const& platform() const { return platform_; }
  Paths const& paths() const { return paths_; }

 private:
  FlowLinks(Platform const& platform, FileRoutes const* file, int hosts, LinkId kinds);

  Platform const& platform_;
  FileRoutes const* file_;
  Paths paths_;
  SharedResources resources_;
  int hosts_;
  std::vector<double> capacities_;
  mutable std::vector<LinkId> links_;
};

}  // namespace rondo::native
