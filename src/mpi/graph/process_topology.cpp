#include "mpi/graph/process_topology.hpp"

#include <algorithm>
#include <utility>

#include "mpi/graph/combining_graph.hpp"
#include "mpi/runtime/attached.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

int CarriedTopology::next_tag() {
  int const tag = operations;
  operations = operations == largest_tag(comm->handle()) ? 0 : operations + 1;
  return tag;
}

namespace {

/// Collective.
int most_edges(CarriedTopology const& home) {
  int const mine = std::max(home.topology->indegree(), home.topology->outdegree());
  int most = 0;
  check(MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, home.comm->handle()));
  return most;
}

}  // namespace

void carry(MPI_Comm comm, std::shared_ptr<ProcessTopology const> topology, MPI_Info info) {
  try {
    auto content = std::make_shared<CarriedTopology>();
    content->topology = std::move(topology);
    content->comm = std::make_unique<OwnComm>(comm);
    content->most_edges = most_edges(*content);
    content->tuning.algorithm = NeighborAlgorithm::automatic;
    tune(*content, info);
    content->carrier = comm;
    Attached<CarriedTopology>::attach(comm, std::move(content));
  } catch (...) {
    MPI_Comm_free(&comm);
    throw;
  }
}

void carry_same(MPI_Comm comm, CarriedTopology const& original) {
  auto content = std::make_shared<CarriedTopology>();
  content->topology = original.topology;
  content->comm = std::make_unique<OwnComm>(comm);
  content->most_edges = original.most_edges;
  content->tuning = original.tuning;
  content->combining = original.combining;
  content->carrier = comm;
  Attached<CarriedTopology>::attach(comm, std::move(content));
}

void tune(CarriedTopology& home, MPI_Info info) {
  home.tuning = agreed_tuning(home.comm->handle(), info, home.tuning.algorithm);
  home.cached = {};
  if (home.tuning.algorithm == NeighborAlgorithm::common_neighbors) look_for_common_neighbors(home);
}

std::shared_ptr<CarriedTopology> carried(MPI_Comm comm) { return Attached<CarriedTopology>::of(comm); }

std::shared_ptr<CarriedTopology> carried_if_any(MPI_Comm comm) { return Attached<CarriedTopology>::if_any(comm); }

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
