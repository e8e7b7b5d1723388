#pragma once

// The machine as a value. Every host hangs on its topology by a NIC (one up link, one down link); routes are pure
// functions of this value, the same for every engine.
//
// Linear timing, the model of the papers: a message of n bytes starts as soon as its sender and its receiver have
// posted it and a send port of the source and a receive port of the target are free. It holds both ports for
// latency + (hops - 1) * hop_latency + (n + envelope) / bandwidth, and both ends finish together. Each of the `ports`
// ports has the full bandwidth.

#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "topology/torus.hpp"

namespace rondo {

/// Every pair of hosts is one hop apart.
struct FullyConnected {
  int hosts = 1;
};
/// Hosts 0 .. hosts-1 in a circle; a message takes the shorter way.
struct Ring {
  int hosts = 1;
};
/// Hosts numbered row-major; a message corrects one dimension after the other, the shorter way in each.
struct TorusMachine {
  Torus torus;
};
/// A SimGrid platform file: hosts in the order of their names' natural sorting, links shared as the file says.
struct PlatformFile {
  std::string path;
  int hosts = 0;  ///< known only once the file is loaded; 0: not yet
};

using MachineTopology = std::variant<FullyConnected, Ring, TorusMachine, PlatformFile>;

enum class TimingModel { linear, loggp };

/// The LogGP model [Alexandrov95] with CPU time a byte and rendezvous, as LogGOPSim carries it out [Hoefler10]. A send
/// of n bytes holds its CPU for o + (n-1)O and its NIC for g + (n-1)G; its first byte arrives L after the overhead o; the
/// receiver's CPU is held for o + max((n-1)O, (n-1)G). Up to S bytes the sender does not wait for the receiver.
struct LogGp {
  Seconds L, o, g;
  Seconds G, O;  ///< a byte
  Bytes S;
};

struct Platform {
  MachineTopology topology;
  Seconds latency;         ///< alpha of any message
  Seconds hop_latency{0};  ///< added for each link after the first
  BytesPerSecond bandwidth;
  int ports = 1;
  bool neighbors_only = false;  ///< on a ring or torus: refuse schedules that talk past a neighbor
  Bytes envelope{0};            ///< added to the size of every message
  TimingModel timing = TimingModel::linear;
  LogGp loggp = {};  ///< with TimingModel::loggp, instead of latencies, bandwidth and ports
};

/// The number of hosts; 0 for a file, which only its engine knows.
int hosts(Platform const& platform);
/// The host that a rank runs on.
int host_of(Platform const& platform, Rank rank);
/// How many topology links a message between two hosts crosses, without the NICs' own; 1 on a fully connected machine,
/// the shortest distance on a ring or torus, 1 in a platform file (its own routes count there).
int hops(Platform const& platform, int from_host, int to_host);
/// Whether hosts are immediate neighbors.
bool adjacent(Platform const& platform, int host, int other);
/// latency + (hops - 1) * hop_latency: what a message costs before its bytes.
Seconds startup(Platform const& platform, int from_host, int to_host);

/// The machine as SimGrid XML (DTD 4.1): hosts, NICs, routers and routes, to be run by any SimGrid or smpirun. A
/// platform file is refused by InputError: it is one already.
std::string to_simgrid_xml(Platform const& platform);

}  // namespace rondo
