// The topologies of machines: the keys of each kind, and the conditions that a schema cannot check. A topology is a row
// with its keys and a last step, which fills defaults that depend on other keys and checks sizes.

#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "scenario/machine.hpp"
#include "scenario/permitted_input.hpp"

namespace rondo::scenario {

template <>
TorusMachine usual() {
  return {Torus({1})};
}
template <>
MeshMachine usual() {
  return {Torus({1})};
}

namespace {

using Topology = Variety<MachineTopology>;

constexpr int most_hosts = 16777216;
constexpr int most_cables = 1048576;

Form<int> count() { return integer(1, most_hosts); }

template <typename T>
Key<T> hosts_key() {
  return key("hosts", &T::hosts, count(), "the number of hosts", Need::required);
}

/// The extents of a torus or a mesh of hosts.
template <typename T>
Key<T> dims_key(Torus T::*dims) {
  return key("dims", dims, Form<Torus>{extents("[8, 8]"), read_torus},
             "the extent of each dimension, at most 16777216 hosts in all", Need::required);
}

/// A number for each level or dimension.
Form<std::vector<int>> up_to_24(int most, std::string const& example = "") {
  std::string const title =
      example.empty() ? "a list of 1 to 24 integers" : "a list of 1 to 24 extents such as " + example;
  return integers(title, 1, 24, 1, most);
}

template <typename T>
void checked(T const& machine, Place const& topology) {
  topology.checked([&] { check(machine); });
}

std::vector<Topology> grids() {
  return {
      variety<MachineTopology>("fully_connected", "every pair of hosts is one hop apart",
                               Table<FullyConnected>{hosts_key<FullyConnected>()}),
      variety<MachineTopology>("ring", "hosts in a circle; a message takes the shorter direction",
                               Table<Ring>{hosts_key<Ring>()}),
      variety<MachineTopology>("torus",
                               "hosts on a torus, numbered row by row; a message takes one dimension after the other, "
                               "in the shorter direction",
                               Table<TorusMachine>{dims_key(&TorusMachine::torus)}),
      variety<MachineTopology>("mesh", "like a torus, without the links that close a dimension",
                               Table<MeshMachine>{dims_key(&MeshMachine::grid)}),
  };
}

Topology dragonfly() {
  return variety<MachineTopology, Dragonfly>(
      "dragonfly",
      "groups of routers: links join all routers of a chassis, the routers at the same place of all chassis of a "
      "group, and each pair of groups once",
      {key("groups", &Dragonfly::groups, count(), "the number of groups"),
       key("chassis", &Dragonfly::chassis, count(), "the chassis of a group"),
       key("routers", &Dragonfly::routers, count(), "the routers of a chassis"),
       key("hosts_per_router", &Dragonfly::hosts_per_router, count(), "the hosts of a router"),
       key("cables", &Dragonfly::cables,
           integers<std::array<int, 3>>("a list of three integers of at least 1", 3, 3, 1, most_cables),
           "the cables of a link between groups, between chassis, and within a chassis")},
      checked<Dragonfly>);
}

/// One cable for each link by default. "levels" is redundant, but SimGrid's users write it.
void finish_fat_tree(FatTree& machine, Place const& topology) {
  int const levels = static_cast<int>(machine.down.size());
  if (!topology.has("parallel")) machine.parallel.assign(machine.down.size(), 1);
  if (topology.value.value("levels", levels) != levels) {
    throw topology["levels"].error(
        fmt::format("expected {}, the length of \"down\", got {}", levels, shown(topology["levels"].value)));
  }
  checked(machine, topology);
}

/// SimGrid's FAT_TREE, with its names: "down" and "up" are numbers of links at each level.
Topology fat_tree() {
  return variety<MachineTopology, FatTree>(
      "fat_tree", "levels of switches above the hosts, with the parameters of SimGrid's FAT_TREE",
      {key<FatTree>("levels", integer(1, 24).schema, "the length of the lists"),
       key("down", &FatTree::down, up_to_24(most_hosts),
           "for each level, beginning at the hosts: how many links go down from a switch", Need::required),
       key("up", &FatTree::up, up_to_24(most_hosts),
           "for each level, beginning at the hosts: how many links go up to this level from each host or switch below; "
           "the first is 1, the link of a host's NIC",
           Need::required),
       key("parallel", &FatTree::parallel, up_to_24(most_cables),
           "for each level: the cables of each of these links; 1 by default, the first is 1")},
      finish_fat_tree);
}

Topology hyperx() {
  return variety<MachineTopology, HyperX>(
      "hyperx",
      "a lattice of routers, each joined with all that differ from it in one coordinate; routes take one dimension "
      "after the other",
      {key("dims", &HyperX::dims, up_to_24(most_hosts, "[4, 4]"), "the number of routers in each dimension",
           Need::required),
       key("hosts_per_router", &HyperX::hosts_per_router, count(), "the hosts on a router"),
       key("cables", &HyperX::cables, up_to_24(most_cables), "for each dimension: the cables of a link; 1 by default")},
      [](HyperX& machine, Place const& topology) {
        if (!topology.has("cables")) machine.cables.assign(machine.dims.size(), 1);
        checked(machine, topology);
      });
}

Topology dragonfly_plus() {
  return variety<MachineTopology, DragonflyPlus>(
      "dragonfly_plus",
      "groups of leaf and spine routers; in a group each leaf is joined with each spine, and spine k with spine k of "
      "every other group",
      {key("groups", &DragonflyPlus::groups, count(), "the number of groups"),
       key("leaves", &DragonflyPlus::leaves, count(), "the leaf routers of a group, which have the hosts"),
       key("spines", &DragonflyPlus::spines, count(), "the spine routers of a group"),
       key("hosts_per_leaf", &DragonflyPlus::hosts_per_leaf, count(), "the hosts on a leaf router"),
       key("cables", &DragonflyPlus::cables,
           integers<std::array<int, 2>>("a list of two integers of at least 1", 2, 2, 1, most_cables),
           "the cables of a link between groups, and of a link within a group")},
      checked<DragonflyPlus>);
}

/// The routers and links follow from q by the construction of McKay, Miller and Siran (platform/slim_fly.cpp).
Topology slim_fly_topology() {
  return variety<MachineTopology, SlimFly>(
      "slim_fly", "2 q^2 routers; any two are at most two links apart",
      {key("q", &SlimFly::q, integer(3, 128), "a power of a prime number, which sets the size", Need::required),
       key("hosts_per_router", &SlimFly::hosts_per_router, count(), "the hosts on a router")},
      [](SlimFly& machine, Place const& topology) {
        machine = topology.checked([&] { return slim_fly(machine.q, machine.hosts_per_router); });
      });
}

/// Any graph of hosts and routers, whose links have widths.
Topology graph() {
  Form<std::vector<GraphMachine::Link>> const links{
      json_of(R"json({
        "type": "array", "title": "a list of links such as [0, 4, 1]", "maxItems": 16777216,
        "items": {"type": "array", "title": "two vertices and a width such as [0, 4, 1]", "minItems": 2, "maxItems": 3,
                  "items": {"type": "integer", "minimum": 0, "maximum": 33554431}}
      })json"),
      [](Place const& list) {
        std::vector<GraphMachine::Link> read;
        for (Json const& link : list.value) {
          read.push_back({link[0].get<int>(), link[1].get<int>(), link.size() > 2 ? link[2].get<int>() : 1});
        }
        return read;
      }};
  return variety<MachineTopology, GraphMachine>(
      "graph", "any hosts, switches and links; routes are random shortest ones",
      {key("hosts", &GraphMachine::hosts, count(), "the number of hosts, which are the vertices from 0 on",
           Need::required),
       key("switches", &GraphMachine::switches, integer(0, most_hosts),
           "the number of switches, which are the vertices after the hosts"),
       key("links", &GraphMachine::links, links,
           "the links: two vertices and a width, by which link_bandwidth is multiplied (1 if it is left out)",
           Need::required),
       key("directed", &GraphMachine::directed, flag(),
           "whether each link goes only from its first vertex to its second")},
      [](GraphMachine& machine, Place const& topology) { checked(machine, topology["links"]); });
}

/// Only the path is read here; SimGrid's own parser reads the file when the machine is built.
std::string read_platform_path(Place const& path) {
  std::string const file = named_file(path);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) return file;
  throw path.error("expected the name of a SimGrid platform file, got " + shown(path.value) + ": no such file" +
                   nearest_file(file));
}

Topology platform_file() {
  return variety<MachineTopology, PlatformFile>(
      "file",
      "a SimGrid platform file, which also says which links are shared; without latency and bandwidth in the machine, "
      "all numbers are those of the file",
      {key("path", &PlatformFile::path, Form<std::string>{file_name(), read_platform_path},
           "the SimGrid platform file, relative to the folder of the file that names it", Need::required),
       key<PlatformFile>("checksum", checksum(),
                         "the checksum of that file. A file with another checksum is refused. Records contain it.")});
}

}  // namespace

Form<MachineTopology> topology_form() {
  std::vector<Topology> all = grids();
  for (Topology& more : std::vector{dragonfly(), fat_tree(), hyperx(), dragonfly_plus(), slim_fly_topology(), graph(),
                                    platform_file()}) {
    all.push_back(std::move(more));
  }
  return one_of(R"(an object such as {"kind": "torus", "dims": [8, 8]})", "how hosts are connected", std::move(all));
}

}  // namespace rondo::scenario
