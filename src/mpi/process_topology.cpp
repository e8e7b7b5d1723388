#include "mpi/process_topology.hpp"

#include <utility>

#include "mpi/attached.hpp"
#include "mpi/failure.hpp"

namespace rondo::mpi {

int CarriedTopology::next_tag() {
  int const tag = operations;
  operations = operations == largest_tag(comm->handle()) ? 0 : operations + 1;
  return tag;
}

void carry(MPI_Comm comm, std::shared_ptr<ProcessTopology const> topology) {
  auto content = std::make_shared<CarriedTopology>();
  content->topology = std::move(topology);
  content->comm = std::make_unique<OwnComm>(comm);
  Attached<CarriedTopology>::attach(comm, std::move(content));
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
