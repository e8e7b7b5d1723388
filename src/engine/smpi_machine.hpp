#pragma once

// The adapter to SimGrid's platform interface: a Platform as SimGrid hosts and links, with the exact linear timing.
//
// Each host has an up and a down link of the platform's bandwidth, FATPIPE, with a concurrency limit of `ports`: at
// most that many messages pass at once, each at full bandwidth, and further ones wait. Latencies are 0; the start-up of
// a message is transferred as bytes through the bandwidth factor, so that it occupies the ports too.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "platform/platform.hpp"

namespace simgrid::s4u {
class Engine;
class Host;
class Link;
}  // namespace simgrid::s4u

namespace rondo {

/// Built once in a simulation, after the engine's settings; stays where it is until the simulation has ended.
class SmpiMachine {
 public:
  /// Throws InputError when a platform file has too few hosts for the ranks or hosts without a NIC of their own; what
  /// SimGrid throws, or aborts with, when it cannot read the file.
  SmpiMachine(Platform const& platform, simgrid::s4u::Engine& engine, int ranks);
  SmpiMachine(SmpiMachine const&) = delete;
  SmpiMachine& operator=(SmpiMachine const&) = delete;

  simgrid::s4u::Host* host(Rank rank) const { return nodes_[index(host_of(platform_, rank))].host; }
  /// The messages that have started so far, and their payload, as the network model saw them.
  std::int64_t messages() const { return messages_; }
  Bytes bytes() const { return Bytes(bytes_); }

 private:
  struct Node {
    simgrid::s4u::Host* host = nullptr;
    simgrid::s4u::Link* up = nullptr;
    simgrid::s4u::Link* down = nullptr;
  };

  static std::size_t index(int host) { return static_cast<std::size_t>(host); }
  void build();
  void load(PlatformFile const& file, simgrid::s4u::Engine& engine, int ranks);
  void find_nics(std::string const& path);
  void limit(simgrid::s4u::Link& nic) const;
  void set_timing(simgrid::s4u::Engine& engine);
  /// Throws InputError when a message takes another link than the NICs, at which ports are counted.
  static void expect_nics(Node const& from, Node const& to, std::vector<simgrid::s4u::Link*> const& links);
  double bandwidth_factor(double size, Node const& from, Node const& to);

  Platform const& platform_;
  std::vector<Node> nodes_;
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
};

/// Whether `a` comes before `b` with numbers compared as numbers: h2 before h10.
bool natural_less(std::string const& a, std::string const& b);

}  // namespace rondo
