#pragma once

// The machine as a value. Every host hangs on its topology by a NIC (one up link, one down link); routes are pure
// functions of this value, the same for every engine.
//
// Linear timing, the model of the papers, is stated as rules in docs/model.md. In short: a message holds a send port of
// its source and a receive port of its target for latency + (hops - 1) * hop_latency + (n + envelope) / bandwidth.
// Ports belong to ranks, NICs to hosts. Where ranks share a NIC, or `links` are shared, the bytes of messages that meet
// there flow max-min fair, after start-ups that use no bandwidth. Flow timing knows no ports, but CPUs, and bytes
// always flow over NICs or a host's memory.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "platform/noise.hpp"
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
/// A torus without the links that close each dimension.
struct MeshMachine {
  Torus grid;
};
/// Groups of chassis of routers, as Cray's XC: all routers of a chassis are joined, those of the same place in the
/// chassis of a group, and each pair of groups once. Hosts are numbered through: group, chassis, router, place.
struct Dragonfly {
  int groups = 3;
  int chassis = 3;  ///< chassis in a group
  int routers = 4;  ///< routers in a chassis
  int hosts_per_router = 2;
  /// How many cables make a link: between groups, between the chassis of a group, within a chassis.
  std::array<int, 3> cables = {1, 1, 1};
};
/// Switches in levels over the hosts, as SimGrid's FAT_TREE and as XGFT(h; m; w): a switch of level l has down[l-1]
/// links down and up[l] links up, each of parallel[l] cables. The links of level 1 are the hosts' NICs: up[0] and
/// parallel[0] are 1.
struct FatTree {
  std::vector<int> down, up, parallel;
};
/// Routers in a lattice: two of them are joined if they differ in one coordinate, however far. Hosts are numbered
/// through, routers row-major.
struct HyperX {
  std::vector<int> dims;
  int hosts_per_router = 1;
  std::vector<int> cables;  ///< of the links in each dimension
};
/// Groups of leaves, with hosts, and spines: leaves are joined with the spines of their group, spine k with spine k of
/// every other group.
struct DragonflyPlus {
  int groups = 3;
  int leaves = 4;  ///< in a group
  int spines = 4;  ///< in a group
  int hosts_per_leaf = 2;
  std::array<int, 2> cables = {1, 1};  ///< of a link between groups, within a group
};
/// 2 q^2 routers of which any two are at most two links apart (platform/slim_fly.cpp); made by slim_fly().
struct SlimFly {
  int q = 3;
  int hosts_per_router = 1;
  std::vector<int> sum, product;          ///< of elements a and b of the field, at a q + b
  std::array<std::vector<int>, 2> steps;  ///< by half
};
/// Hosts, numbered first, and switches, joined as listed. Each is a router; a message may pass hosts.
struct GraphMachine {
  struct Link {
    int from, to, width;  ///< it has as many times the bandwidth of a link
  };
  int hosts = 1;
  int switches = 0;
  std::vector<Link> links;
  bool directed = false;  ///< else each link leads both ways
};
/// The start-up and the bandwidth of a route (platform/routing.hpp).
struct RouteCost;
/// The routes of a platform file. An engine implements this once SimGrid has read the file.
class FileRouteCosts {
 public:
  virtual ~FileRouteCosts() = default;
  /// The sum of the latencies of a route, and the bandwidth of a message that is alone on it. Both hosts may be the
  /// same.
  virtual RouteCost between(int from_host, int to_host) const = 0;
};
/// A SimGrid platform file: hosts in the order of their names' natural sorting, links shared as the file says.
struct PlatformFile {
  std::string path;
  int hosts = 0;  ///< known only once the file is loaded; 0: not yet
  /// Whether start-ups and bandwidths come from the file instead of the machine's own numbers.
  bool own_numbers = false;
  std::shared_ptr<FileRouteCosts const> route_costs = {};  ///< with own_numbers, within an engine
};

using MachineTopology = std::variant<FullyConnected, Ring, TorusMachine, MeshMachine, Dragonfly, FatTree, HyperX,
                                     DragonflyPlus, SlimFly, GraphMachine, PlatformFile>;

/// Throw InputError, without a place, unless every number is at least 1, lists are of equal length, level 1 is as said
/// above, and there are at most Torus::most_ranks hosts, and as many routers or switches. The links of a graph join all
/// hosts, in both directions, and no two have the same ends.
void check(Dragonfly const& machine);
void check(FatTree const& machine);
void check(HyperX const& machine);
void check(DragonflyPlus const& machine);
void check(GraphMachine const& machine);
/// Throws InputError, without a place, unless q is a power of a prime from 3 to 128.
SlimFly slim_fly(int q, int hosts_per_router);

enum class TimingModel { linear, flow, loggp };

/// Whether messages that meet on a link of the topology share its bandwidth.
enum class LinkSharing { unshared, shared };

/// Which of several possible routes a message takes (platform/routing.hpp). On a ring, torus or mesh there is only one.
enum class RoutingRule { minimal, valiant, ecmp, ugal };
struct Routing {
  RoutingRule rule = RoutingRule::minimal;
  std::uint64_t seed = 0;                 ///< of what is drawn
  std::vector<std::int64_t> failed = {};  ///< links that carry nothing, by number, ascending; both directions of each
};

/// Which ranks run on which host: ranks_per_host successive ones, or every hosts-th, or as a list of hosts says.
struct BlockPlacement {};
struct CyclicPlacement {};
struct ListPlacement {
  std::vector<int> host_of;  ///< one entry a rank; every host is named ranks_per_host times
};
using Placement = std::variant<BlockPlacement, CyclicPlacement, ListPlacement>;

/// Which of its host's NICs, 0 to nics - 1, a rank uses: rank i of n uses NIC i * nics / n or i mod nics, or the flows
/// of a message use one each.
enum class NicRule { block, cyclic, striped };

/// Which links carry messages within a host: its memory, which messages share under flow timing alone; one link from
/// each rank to a switch and one back; or one link for each ordered pair of ranks.
enum class IslandKind { memory, central_switch, links };
struct Island {
  IslandKind kind = IslandKind::memory;
  BytesPerSecond bandwidth;  ///< of the memory, or of each link
};

/// The LogGP model [Alexandrov95] with CPU time a byte and rendezvous, as LogGOPSim carries it out [Hoefler10]. A send
/// of n bytes holds its CPU for o + (n-1)O and its NIC for g + (n-1)G; its first byte arrives L after the overhead o;
/// the receiver's CPU is held for o + max((n-1)O, (n-1)G). Up to S bytes the sender does not wait for the receiver.
struct LogGp {
  Seconds L, o, g;
  Seconds G, O;  ///< a byte
  Bytes S;
};

/// The costs of messages under flow timing besides the time on their path (docs/model.md). The CPU of a rank works on
/// one message at a time.
struct FlowCosts {
  Seconds o_send{0};     ///< CPU time of a send
  Seconds o_recv{0};     ///< CPU time of taking a message
  Seconds match{0};      ///< CPU time of each entry that a receive or an arrived message looks at
  Bytes eager{0};        ///< up to this payload a message goes off, and its send ends, without its receive
  bool ack = true;       ///< whether a synchronous send ends a start-up after its receive
  Seconds handshake{0};  ///< added to the start-up of messages larger than `eager`
};

/// The latency and bandwidth of messages between hosts whose payload is at most `up_to`; they replace those of the
/// machine, because networks send small and large messages by different protocols.
struct SizePiece {
  Bytes up_to;
  Seconds latency;
  BytesPerSecond bandwidth;  ///< of such a message alone; at most that of the machine, which is the NIC's
};

/// The disk of a host, which MPI-IO of programs uses. It moves the data of one call at a time, in the order of the
/// calls.
struct Disk {
  BytesPerSecond read, write;
  Seconds latency{0};  ///< added to each call
};

/// The whole machine: its topology, its numbers, its placement of ranks and its rules.
struct Platform {
  MachineTopology topology;
  Seconds latency;         ///< alpha of any message
  Seconds hop_latency{0};  ///< added for each link after the first
  BytesPerSecond bandwidth;
  std::vector<SizePiece> pieces = {};  ///< by rising `up_to`; larger messages take `latency` and `bandwidth`
  int ports = 1;
  int ranks_per_host = 1;
  Placement placement = {};
  std::optional<Seconds> intra_latency = {};           ///< between ranks of one host; unset: latency
  std::optional<BytesPerSecond> intra_bandwidth = {};  ///< between ranks of one host; unset: bandwidth
  int nics = 1;                                        ///< of a host, each of ports * bandwidth in a direction
  NicRule nic_of = NicRule::block;
  Bytes stripe_from{0};               ///< under NicRule::striped: the least payload that takes all NICs
  bool rails = false;                 ///< whether each NIC has a copy of the topology's network for itself
  Seconds nic_gap{0};                 ///< under flow timing: between two messages that go off over one NIC
  std::optional<Island> island = {};  ///< unset: a memory of intra_bandwidth
  LinkSharing links = LinkSharing::unshared;
  std::optional<BytesPerSecond> link_bandwidth =
      {};  ///< for each cable of a shared link, in each direction; `bandwidth` if unset
  Routing routing = {};
  bool neighbors_only = false;  ///< on a ring, torus or mesh: refuse schedules that talk past a neighbor
  Bytes envelope{0};            ///< added to the size of every message
  Seconds reduce{0};            ///< CPU time of each byte that a reduction joins; only under flow timing
  Seconds poll{100e-9};         ///< what a probe or test of an MPI program takes; more than 0
  TimingModel timing = TimingModel::linear;
  std::vector<std::string> source = {};  ///< lines that say where its numbers come from
  /// If parts run in the place of ranks (schedule/parts.hpp), the rank of each part. Empty: each part is a rank.
  std::vector<std::int32_t> rank_of_part = {};
  FlowCosts flow = {};  ///< with TimingModel::flow
  LogGp loggp = {};     ///< with TimingModel::loggp, instead of latencies, bandwidth and ports
  MachineNoise noise = {};
  std::optional<Disk> disk = {};  ///< unset: hosts have none
};

/// Whether the machine is a platform file whose numbers are its own (PlatformFile::own_numbers).
bool has_file_numbers(Platform const& platform);
/// The number of hosts; 0 for a platform file, whose hosts only the engine knows.
int hosts(Platform const& platform);
/// The number of ranks that it carries, hosts * ranks_per_host; 0 for a platform file.
std::int64_t ranks(Platform const& platform);
/// Throws InputError if the machine cannot carry so many ranks. The hosts of a platform file are not counted.
void expect_room(Platform const& platform, int needed);
/// Whether messages of different ranks can slow each other down on their paths, because they share links (as in every
/// platform file) or NICs (as always under flow timing).
bool shares_bandwidth(Platform const& platform);
/// Throws InputError, without a place, unless a list of hosts names each host ranks_per_host times.
void check_placement(Platform const& platform);
/// The rank that a part belongs to; the rank itself if there are no parts.
inline Rank rank_of_part(Platform const& platform, Rank part) {
  return platform.rank_of_part.empty() ? part : Rank(platform.rank_of_part[static_cast<std::size_t>(part.value)]);
}
/// The host on which a rank, or a part, runs.
int host_of(Platform const& platform, Rank rank);
/// The length of a route as `Routes` (platform/routing.hpp) has it. To ask for many pairs, make a `Routes`, which keeps
/// its searches.
int hops(Platform const& platform, int from_host, int to_host);
/// Throws InputError, without a place, unless pieces rise in `up_to` and none has more than the machine's bandwidth.
void check_pieces(Platform const& platform);
/// The number of the piece into which so many bytes of payload fall; pieces.size() if they exceed the last piece.
std::size_t piece_of(Platform const& platform, std::int64_t payload);
/// A size at which one byte more makes a message faster. The times are those of a message that is alone, between hosts
/// one hop apart, with the CPUs' times under flow timing.
struct FallingTime {
  Bytes last;
  Seconds time;    ///< of a message of `last` bytes
  Seconds behind;  ///< of a message of one byte more; it is the shorter time
};
/// All of them, in ascending order. Only the ends of pieces and the last size below `stripe_from` are examined, because
/// time rises with size everywhere else.
std::vector<FallingTime> falling_times(Platform const& platform);
/// The start-up of a message without payload, as `Routes` has it. To ask for many pairs, make a `Routes`.
Seconds startup(Platform const& platform, int from_host, int to_host);

/// Describes the machine in some lines for people: hosts and ranks, the shape, which share of the hosts' bandwidth its
/// narrow places carry (if links are shared), and how much a message costs.
std::string describe(Platform const& platform);

/// The machine as SimGrid XML (DTD 4.1): hosts, NICs, routers and routes, to be run by any SimGrid or smpirun. A
/// platform file is refused by InputError: it is one already.
std::string to_simgrid_xml(Platform const& platform);

}  // namespace rondo
