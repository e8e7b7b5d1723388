#pragma once

// The functions that each kind of topology has to provide; platform.cpp, routes.cpp and xml.cpp call them and find
// them by the type of the machine. A new kind of topology is a value in platform.hpp and an overload of each of these
// functions.

#include "platform/routes.hpp"

namespace rondo {

/// Each throws InputError if its condition fails: every number is at least 1; the product of the factors (hosts,
/// routers or switches) is small enough; the number of links is small enough.
void expect_at_least_1(std::vector<int> const& numbers, char const* what);
void expect_hosts(std::vector<int> const& factors, char const* machine);
void expect_links(double links);

}  // namespace rondo

namespace rondo::regular {

/// A ring, torus or mesh; its routers have the numbers of its hosts.
struct Grid {
  Torus const& extents;
  bool closed;
};

/// How many steps a route takes in one dimension from one coordinate to another; negative if it goes downwards.
int steps(Grid const& grid, int dimension, int from, int to);

int hosts(Dragonfly const& machine);
int hosts(FatTree const& machine);
int hosts(HyperX const& machine);
int hosts(DragonflyPlus const& machine);
int hosts(SlimFly const& machine);
int hosts(GraphMachine const& machine);

int routers(Grid const& grid);
int routers(Dragonfly const& machine);
int routers(FatTree const& machine);
int routers(HyperX const& machine);
int routers(DragonflyPlus const& machine);
int routers(SlimFly const& machine);
int routers(GraphMachine const& machine);

int router_of(Grid const& grid, int host);
int router_of(Dragonfly const& machine, int host);
int router_of(FatTree const& machine, int host);
int router_of(HyperX const& machine, int host);
int router_of(DragonflyPlus const& machine, int host);
int router_of(SlimFly const& machine, int host);
int router_of(GraphMachine const& machine, int host);

LinkId link_ids(Grid const& grid);
LinkId link_ids(Dragonfly const& machine);
LinkId link_ids(FatTree const& machine);
LinkId link_ids(HyperX const& machine);
LinkId link_ids(DragonflyPlus const& machine);
LinkId link_ids(SlimFly const& machine);
LinkId link_ids(GraphMachine const& machine);

std::optional<RouterLink> link(Grid const& grid, LinkId id);
std::optional<RouterLink> link(Dragonfly const& machine, LinkId id);
std::optional<RouterLink> link(FatTree const& machine, LinkId id);
std::optional<RouterLink> link(HyperX const& machine, LinkId id);
std::optional<RouterLink> link(DragonflyPlus const& machine, LinkId id);
std::optional<RouterLink> link(SlimFly const& machine, LinkId id);
std::optional<RouterLink> link(GraphMachine const& machine, LinkId id);

void append_route(Grid const& grid, int from, int to, std::vector<LinkId>& links);
void append_route(Dragonfly const& machine, int from, int to, std::vector<LinkId>& links);
void append_route(FatTree const& machine, int from, int to, std::vector<LinkId>& links);
void append_route(HyperX const& machine, int from, int to, std::vector<LinkId>& links);
void append_route(DragonflyPlus const& machine, int from, int to, std::vector<LinkId>& links);
void append_route(SlimFly const& machine, int from, int to, std::vector<LinkId>& links);
void append_route(GraphMachine const& machine, int from, int to, std::vector<LinkId>& links);

/// The number of switches on each level, from the hosts up.
std::vector<std::int64_t> switches_by_level(FatTree const& machine);

/// The lengths of routes in links, in closed form.
int hops(Grid const& grid, int from, int to);
int hops(Dragonfly const& machine, int from, int to);
int hops(FatTree const& machine, int from, int to);
int hops(HyperX const& machine, int from, int to);
int hops(DragonflyPlus const& machine, int from, int to);
int hops(SlimFly const& machine, int from, int to);
int hops(GraphMachine const& machine, int from, int to);

/// A description of the machine in words, for the head of its XML.
std::string title(Dragonfly const& machine);
std::string title(FatTree const& machine);
std::string title(HyperX const& machine);
std::string title(DragonflyPlus const& machine);
std::string title(SlimFly const& machine);
std::string title(GraphMachine const& machine);

}  // namespace rondo::regular
