#pragma once

// A SimGrid platform file in SimGrid: the hosts of the ranks, their links to the network, and the routes between them.

#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// A host, its own link to the network (up) and its own link from it (down). The links are unset if there is only one
/// host, or if latency and bandwidth come from the file.
struct FileHost {
  simgrid::s4u::Host* host = nullptr;
  simgrid::s4u::Link* up = nullptr;
  simgrid::s4u::Link* down = nullptr;
};

/// Makes SimGrid read the file, and seals the platform. Returns the first hosts in the natural order of their names.
/// Throws InputError for fewer hosts than ranks, for wireless links and, unless latency and bandwidth come from the
/// file, for hosts without NICs of their own. If SimGrid cannot read the file, SimGrid's own exception or abort ends
/// the process.
std::vector<FileHost> load_file(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);

/// The route between two hosts, which may be the same, with the numbers of the file.
struct FileRoute {
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;    ///< the sum over all links, in seconds
  double bandwidth = 0;  ///< of a message alone on the route, in bytes per second
};
/// Throws InputError if no links join the hosts.
FileRoute file_route(std::string const& path, simgrid::s4u::Host const& from, simgrid::s4u::Host const& to);

/// Throws InputError if a route does not use the NICs of its ends.
void expect_nics(FileHost const& from, FileHost const& to, std::vector<simgrid::s4u::Link*> const& links);

}  // namespace rondo
