// MPI's own neighborhood collectives, on a distributed graph of the same edges in the same order.

#include <set>

#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {
namespace {

MPI_Comm graph(Exchange const& exchange, MPI_Comm comm) {
  MPI_Comm result = MPI_COMM_NULL;
  auto const s = static_cast<int>(exchange.targets.size());
  MPI_Dist_graph_create_adjacent(comm, s, exchange.sources.data(), MPI_UNWEIGHTED, s, exchange.targets.data(),
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &result);
  return result;
}

std::vector<int> in_ints(std::vector<MPI_Aint> const& displacements) {
  return {displacements.begin(), displacements.end()};
}

/// MPICH 4.0 matches several edges between the same two ranks in opposite order in its regular all-to-all, as MPI asks
/// for on Cartesian communicators of one or two ranks a dimension, but not in the irregular ones.
void alltoall_in_order(Exchange& exchange, MPI_Comm comm) {
  Side& from = exchange.send;
  Side& into = exchange.receive;
  std::vector<int> starts;
  for (std::size_t i = 0; i < from.counts.size(); ++i) starts.push_back(static_cast<int>(i) * from.counts[0]);
  MPI_Neighbor_alltoallv(from.buffer.data(), from.counts.data(), starts.data(), from.types[0], into.buffer.data(),
                         into.counts.data(), starts.data(), into.types[0], comm);
}

bool has_repeated_edges(Exchange const& exchange) {
  return std::set<int>(exchange.targets.begin(), exchange.targets.end()).size() < exchange.targets.size();
}

/// The only one that MPI does not have: an all-to-all in which all blocks are the same.
void allgatherw(Exchange& exchange, MPI_Comm comm) {
  Side& from = exchange.send;
  Side& into = exchange.receive;
  std::vector<int> const counts(exchange.targets.size(), from.counts[0]);
  std::vector<MPI_Aint> const displacements(exchange.targets.size(), 0);
  std::vector<MPI_Datatype> const types(exchange.targets.size(), from.types[0]);
  MPI_Neighbor_alltoallw(from.buffer.data(), counts.data(), displacements.data(), types.data(), into.buffer.data(),
                         into.counts.data(), into.displacements.data(), into.types.data(), comm);
}

void call(Exchange& exchange, MPI_Comm comm) {
  Side& from = exchange.send;
  Side& into = exchange.receive;
  auto const count = [](Side const& side) { return side.counts.empty() ? 0 : side.counts[0]; };
  auto const type = [](Side const& side) { return side.types.empty() ? MPI_BYTE : side.types[0]; };
  switch (exchange.variant) {
    case Variant::alltoall:
      if (has_repeated_edges(exchange)) return alltoall_in_order(exchange, comm);
      MPI_Neighbor_alltoall(from.buffer.data(), count(from), type(from), into.buffer.data(), count(into), type(into),
                            comm);
      return;
    case Variant::alltoallv:
      MPI_Neighbor_alltoallv(from.buffer.data(), from.counts.data(), in_ints(from.displacements).data(), type(from),
                             into.buffer.data(), into.counts.data(), in_ints(into.displacements).data(), type(into),
                             comm);
      return;
    case Variant::alltoallw:
      MPI_Neighbor_alltoallw(from.buffer.data(), from.counts.data(), from.displacements.data(), from.types.data(),
                             into.buffer.data(), into.counts.data(), into.displacements.data(), into.types.data(),
                             comm);
      return;
    case Variant::allgather:
      MPI_Neighbor_allgather(from.buffer.data(), count(from), type(from), into.buffer.data(), count(into), type(into),
                             comm);
      return;
    case Variant::allgatherv:
      MPI_Neighbor_allgatherv(from.buffer.data(), count(from), type(from), into.buffer.data(), into.counts.data(),
                              in_ints(into.displacements).data(), type(into), comm);
      return;
    case Variant::allgatherw:
      allgatherw(exchange, comm);
  }
}

}  // namespace

void exchange_by_platform(Exchange& exchange, MPI_Comm comm) {
  // MPICH 4.0's MPI_Neighbor_alltoallw goes wrong where a rank has not as many sources as targets and the datatypes of
  // the two sides differ, and where it has no neighbor it reads the first datatype nevertheless.
  if (exchange.boundary != Boundary::periodic || exchange.targets.empty()) return exchange_by_messages(exchange, comm);
  MPI_Comm neighbors = graph(exchange, comm);
  call(exchange, neighbors);
  MPI_Comm_free(&neighbors);
}

}  // namespace rondo::mpi::testing
