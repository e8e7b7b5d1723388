#pragma once

// A SimGrid platform file in SimGrid: the hosts of the ranks and their links to the network.

#include <string>
#include <vector>

#include "platform/platform.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// A host and its own links out to the network and in from it; unset where there is one host only, and where the
/// numbers are the file's.
struct FileHost {
  simgrid::s4u::Host* host = nullptr;
  simgrid::s4u::Link* up = nullptr;
  simgrid::s4u::Link* down = nullptr;
};

/// Has SimGrid read the file, and seals the platform: the first hosts by the natural sorting of their names. Throws
/// InputError for fewer hosts than ranks, wireless links and, unless the numbers are the file's, hosts without NICs of
/// their own; what SimGrid throws, or aborts with, when it cannot read the file.
std::vector<FileHost> load_file(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);

/// The route between two hosts, which may be the same, as the file has it.
struct FileRoute {
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;    ///< of all links, seconds
  double bandwidth = 0;  ///< of a message alone on it, bytes a second
};
/// Throws InputError where no links join them.
FileRoute file_route(std::string const& path, simgrid::s4u::Host const& from, simgrid::s4u::Host const& to);

/// Throws InputError when a route takes other links to the network than the NICs of its ends.
void expect_nics(FileHost const& from, FileHost const& to, std::vector<simgrid::s4u::Link*> const& links);

}  // namespace rondo
