// MPI's own neighborhood collectives on graphs and grids.

#include "mpi/graph_exchange.hpp"

namespace rondo::mpi::testing {
namespace {

/// What MPICH 4.0.2 gets wrong. Several edges between two ranks match in opposite order in the regular all-to-all, as
/// they should on grids only, and in list order in the irregular ones, as they should on graphs only. With other
/// datatypes on the two sides MPI_Neighbor_alltoallw fails where a rank has not as many sources as targets.
bool right(Variant variant, GraphShape shape, bool repeated_edges) {
  switch (variant) {
    case Variant::alltoall:
      return shape == GraphShape::grid || !repeated_edges;
    case Variant::alltoallv:
      return shape != GraphShape::grid || !repeated_edges;
    case Variant::alltoallw:
      return shape == GraphShape::symmetric_graph || (shape == GraphShape::grid && !repeated_edges);
    default:
      return true;
  }
}

std::vector<int> as_ints(std::vector<MPI_Aint> const& displacements) {
  return {displacements.begin(), displacements.end()};
}

}  // namespace

MPI_Comm platform_graph(Exchange const& exchange, MPI_Comm comm) {
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, static_cast<int>(exchange.sources.size()), exchange.sources.data(),
                                 MPI_UNWEIGHTED, static_cast<int>(exchange.targets.size()), exchange.targets.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &result);
  return result;
}

MPI_Comm platform_grid(std::vector<int> const& extents, std::vector<int> const& periods, MPI_Comm comm) {
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Cart_create(comm, static_cast<int>(extents.size()), extents.data(), periods.data(), 0, &result);
  return result;
}

void call_platform(Exchange& exchange, GraphShape shape, bool repeated_edges, Form form, MPI_Comm comm) {
  if (!right(exchange.variant, shape, repeated_edges)) return exchange_by_messages(exchange, comm);
  Side& from = exchange.send;
  Side& into = exchange.receive;
  auto const count = [](Side const& side) { return side.counts.empty() ? 0 : side.counts[0]; };
  auto const type = [](Side const& side) { return side.types.empty() ? MPI_BYTE : side.types[0]; };
  std::vector<int> const sends = as_ints(from.displacements), receives = as_ints(into.displacements);
  auto const call = [&](auto blocking, auto non_blocking, auto... arguments) {
    if (form == Form::blocking) {
      blocking(arguments..., comm);
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    non_blocking(arguments..., comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  switch (exchange.variant) {
    case Variant::alltoall:
      return call(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, from.buffer.data(), count(from), type(from),
                  into.buffer.data(), count(into), type(into));
    case Variant::alltoallv:
      return call(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, from.buffer.data(), from.counts.data(), sends.data(),
                  type(from), into.buffer.data(), into.counts.data(), receives.data(), type(into));
    case Variant::alltoallw:
      return call(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, from.buffer.data(), from.counts.data(),
                  from.displacements.data(), from.types.data(), into.buffer.data(), into.counts.data(),
                  into.displacements.data(), into.types.data());
    case Variant::allgather:
      return call(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, from.buffer.data(), count(from), type(from),
                  into.buffer.data(), count(into), type(into));
    case Variant::allgatherv:
    case Variant::allgatherw:
      break;
  }
  return call(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, from.buffer.data(), count(from), type(from),
              into.buffer.data(), into.counts.data(), receives.data(), type(into));
}

}  // namespace rondo::mpi::testing
