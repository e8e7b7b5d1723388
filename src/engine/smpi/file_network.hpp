#pragma once

// A SimGrid platform file in SimGrid: the hosts of the ranks, their links to the network, and the routes between
// them.

#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// A host, its own link to the network (up) and its own link from it (down). The links are null if there is only one
/// host, or if latency and bandwidth come from the file.
struct FileHost {
  simgrid::s4u::Host* host = nullptr;
  simgrid::s4u::Link* up = nullptr;
  simgrid::s4u::Link* down = nullptr;
};

/// Makes SimGrid read the file, and seals the platform. Returns a host for each rank: the first ones in the natural
/// order of their names (natural_less in engine/smpi/machine.hpp). Throws InputError for a file that simgrid_platform
/// refuses, for fewer hosts than ranks and for wireless links. If latency and bandwidth come from the file, throws
/// InputError if no links join any two of the hosts; otherwise, for hosts without NICs of their own. If SimGrid cannot
/// read the file, SimGrid's own exception or abort ends the process.
std::vector<FileHost> load_file(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);

/// The route between two hosts, which may be the same, with the numbers of the file.
struct FileRoute {
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;    ///< the sum over all links, in seconds
  double bandwidth = 0;  ///< of a message alone on the route, in bytes per second
};
/// Throws InputError if no links join the hosts.
FileRoute file_route(std::string const& path, simgrid::s4u::Host const& from, simgrid::s4u::Host const& to);

/// Throws InputError unless the route begins with the up link of the sender and ends with the down link of the
/// receiver.
void expect_nics(FileHost const& from, FileHost const& to, std::vector<simgrid::s4u::Link*> const& links);

}  // namespace rondo
