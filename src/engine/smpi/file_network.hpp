#pragma once

// A SimGrid platform file in SimGrid: the hosts of the ranks and their links to the network.

#include <string>
#include <vector>

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// A host and its own links out to the network and in from it; unset where there is one host only.
struct FileHost {
  simgrid::s4u::Host* host = nullptr;
  simgrid::s4u::Link* up = nullptr;
  simgrid::s4u::Link* down = nullptr;
};

/// Has SimGrid read the file, and seals the platform: the first hosts by the natural sorting of their names. Throws
/// InputError for fewer hosts than ranks, and hosts without NICs of their own; what SimGrid throws, or aborts with,
/// when it cannot read the file.
std::vector<FileHost> load_file(std::string const& path, simgrid::s4u::Engine& engine, int ranks);

/// Throws InputError when a route takes other links to the network than the NICs of its ends.
void expect_nics(FileHost const& from, FileHost const& to, std::vector<simgrid::s4u::Link*> const& links);

}  // namespace rondo
