#pragma once

// The links that flows share, as MaxMin counts them: NICs where several ranks share one, and links of the topology
// where these are shared. Under flow timing NICs and the memories of hosts always are.

#include <cstdint>
#include <vector>

#include "engine/platform_file.hpp"
#include "platform/routing.hpp"

namespace rondo::native {

class Wiring {
 public:
  /// `file` has the routes where the platform is a file, whose hosts are the ranks'.
  Wiring(Platform const& platform, FileRoutes const* file, int ranks);

  /// The links of a torus or ring of so many dimensions with those of one kind, of a dimension and direction, as one,
  /// and the NICs of all hosts as one: what messages of one rank share with their like from all others.
  static Wiring of_one_rank(Platform const& platform, int dimensions);

  /// Bytes a second of each link, by its number.
  std::vector<double> const& capacities() const { return capacities_; }

  /// What a message meets between its ports.
  struct Lane {
    double startup = 0;    ///< seconds without bandwidth
    double bandwidth = 0;  ///< of a message alone whose route has no narrower link: what its duration is made of
    double cap = 0;        ///< the most that its flow may have, less where a file has narrower fat pipes
  };
  Lane lane(std::int32_t from, std::int32_t to, std::uint8_t piece) const;
  /// Whether it may meet other messages there; else its route has no links.
  bool shares(std::int32_t from, std::int32_t to) const;
  /// Writes the numbers of the links that it shares, and returns its lane.
  Lane route(std::int32_t from, std::int32_t to, std::uint8_t piece, std::vector<std::uint32_t>& into) const;
  /// Writes them where its route between routers is this one.
  void route_over(std::int32_t from, std::int32_t to, std::vector<LinkId> const& links,
                  std::vector<std::uint32_t>& into) const;
  Platform const& platform() const { return platform_; }
  Routes const& routes() const { return routes_; }

 private:
  Wiring(Platform const& platform, FileRoutes const* file, std::size_t hosts, LinkId kinds);
  /// As many links as hosts, of one capacity: the number of the first.
  std::uint32_t add_hosts(double capacity);
  void add_links();
  std::uint32_t nic_of(std::uint32_t host) const { return hosts_ == 1 ? 0 : host; }

  Platform const& platform_;
  Routes routes_;
  FileRoutes const* file_;
  std::size_t hosts_;  ///< with NICs of their own
  LinkId kinds_;       ///< links whose numbers are equal modulo this are one
  std::vector<double> capacities_;
  std::uint32_t first_up_ = 0, first_down_ = 0;  ///< NICs out of hosts, and into them
  std::uint32_t first_memory_ = 0;               ///< of a host
  std::uint32_t first_link_ = 0;                 ///< links of the topology
  bool shared_nics_, shared_links_, shared_memories_;
  mutable std::vector<LinkId> links_;
};

}  // namespace rondo::native
