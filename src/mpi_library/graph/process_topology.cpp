// Attaches topologies to communicators as an attribute, and finds them there.

#include "mpi_library/graph/process_topology.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/combining_graph.hpp"

namespace rondo::mpi {

int AttachedTopology::next_tag() {
  int const tag = operations;
  operations = operations == largest_tag(comm->handle()) ? 0 : operations + 1;
  return tag;
}

namespace {

/// Collective.
int most_edges(AttachedTopology const& home) {
  int const mine = std::max(home.topology->indegree(), home.topology->outdegree());
  int most = 0;
  check(PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, home.comm->handle()));
  return most;
}

}  // namespace

namespace {

/// The names of ranks that the environment gives, or that can be recognized in the graph itself.
std::optional<CartesianNaming> names_for(AttachedTopology const& home) {
  int const ranks = size_of(home.comm->handle());
  std::vector<int> const& stated = home.tuning.torus;
  if (!stated.empty()) {
    std::int64_t places = 1;
    for (int const extent : stated) places = places > ranks ? places : places * extent;
    if (places == ranks) {
      return CartesianNaming{stated, std::vector<bool>(stated.size(), true), CartesianNaming::Order::row_major, ranks};
    }
  }
  if (home.tuning.algorithm != NeighborAlgorithm::dimension_wise) return std::nullopt;
  return unnamed_torus(home.comm->handle(), *home.topology);
}

/// Collective. If the graph is not known to be a torus and its algorithm could use one, looks for one: for the torus
/// that the environment names, and if the algorithm was named, for one in disguise.
void look_for_torus(AttachedTopology& home) {
  ProcessTopology const& known = *home.topology;
  NeighborAlgorithm const algorithm = home.tuning.algorithm;
  bool const useful = algorithm == NeighborAlgorithm::dimension_wise || algorithm == NeighborAlgorithm::automatic;
  if (!useful || known.grid != nullptr || known.kind != ProcessTopology::Kind::distributed_graph) return;
  if (auto const naming = names_for(home)) {
    auto found = std::make_shared<ProcessTopology>(known);
    found->grid = cartesian_graph(home.comm->handle(), *naming, known);
    home.topology = std::move(found);
  }
  int const rank = rank_in(home.comm->handle());
  static bool told = false;
  if (home.topology->grid == nullptr && algorithm == NeighborAlgorithm::dimension_wise && rank == 0 && !told) {
    told = true;
    std::fputs(
        "rondo: no torus is known on which all ranks have the same neighbors relative to themselves, so that "
        "\"torus\" does as \"naive\" does; RONDO_NEIGHBOR_TORUS=8,8 names one of 8 x 8 ranks\n",
        stderr);
  }
}

}  // namespace

/// The topology is an attribute of the communicator, so MPI frees it with the communicator.
void attach_topology(MPI_Comm comm, std::shared_ptr<ProcessTopology const> topology, MPI_Info info) {
  try {
    auto content = std::make_shared<AttachedTopology>();
    content->topology = std::move(topology);
    content->comm = std::make_unique<OwnComm>(comm);
    content->most_edges = most_edges(*content);
    content->tuning.algorithm = NeighborAlgorithm::automatic;
    tune(*content, info);
    look_for_torus(*content);
    content->carrier = comm;
    Attached<AttachedTopology>::attach(comm, std::move(content));
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
}

/// A duplicate shares the topology and what has been learned about it, but has messages of its own.
void attach_same_topology(MPI_Comm comm, AttachedTopology const& original, NewComms& comms) {
  auto content = std::make_shared<AttachedTopology>();
  content->topology = original.topology;
  content->comm = std::make_unique<OwnComm>(comm, comms);
  content->most_edges = original.most_edges;
  content->tuning = original.tuning;
  content->combining = original.combining;
  content->carrier = comm;
  Attached<AttachedTopology>::attach(comm, std::move(content));
}

void tune(AttachedTopology& home, MPI_Info info) {
  home.tuning = agreed_tuning(home.comm->handle(), info, home.tuning.algorithm);
  home.cached = {};
  if (home.tuning.algorithm == NeighborAlgorithm::common_neighbors) look_for_common_neighbors(home);
}

std::shared_ptr<AttachedTopology> attached_topology(MPI_Comm comm) { return Attached<AttachedTopology>::of(comm); }

std::shared_ptr<AttachedTopology> find_attached_topology(MPI_Comm comm) {
  return Attached<AttachedTopology>::if_any(comm);
}

/// The neighbors in the order of the MPI standard: for each dimension the lower one, then the upper one.
ProcessTopology cartesian_topology(MPI_Comm comm) {
  ProcessTopology topology;
  topology.kind = ProcessTopology::Kind::cartesian;
  int dimensions = 0;
  check(PMPI_Cartdim_get(comm, &dimensions));
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int negative = MPI_PROC_NULL, positive = MPI_PROC_NULL;
    check(PMPI_Cart_shift(comm, dimension, 1, &negative, &positive));
    topology.sources.ranks.insert(topology.sources.ranks.end(), {negative, positive});
  }
  topology.targets = topology.sources;
  return topology;
}

}  // namespace rondo::mpi
