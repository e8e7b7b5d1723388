#pragma once

// Neighborhood collectives as data: exchanges on graphs and on grids, and the calls that carry them out.

#include "mpi/cases.hpp"
#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {

/// MPI has no MPI_Neighbor_allgatherw.
inline constexpr Variant neighbor_variants[] = {Variant::alltoall, Variant::alltoallv, Variant::alltoallw,
                                                Variant::allgather, Variant::allgatherv};
enum class Form { blocking, non_blocking, persistent };
inline constexpr Form forms[] = {Form::blocking, Form::non_blocking, Form::persistent};

/// The edges of all ranks: repeated ones and loops too.
struct Digraph {
  struct Edge {
    int source, target;
  };
  std::vector<Edge> edges;
  /// The numbers of each rank's edges, in the order of its targets and in that of its sources. Edges that join the same
  /// two ranks are in the order of their numbers; otherwise any order will do.
  std::vector<std::vector<int>> outgoing, incoming;
};

/// `distinct`: no two from the same rank to the same one.
enum class Edges { any, distinct };
/// Random: about `density` times ranks squared edges. With `both_ways` each edge has its opposite, and no rank is
/// without.
Digraph random_digraph(int ranks, double density, bool both_ways, Edges kind, std::uint64_t seed);

/// What a rank hands in. `salt` varies sizes, order in memory and types; a block has as many bytes as its edge says.
Exchange exchange(Variant variant, Digraph const& graph, int rank, Types const& types, int salt);
/// What a rank hands in with blocks of one size to these targets and from these sources.
Exchange exchange(Variant variant, std::vector<int> targets, std::vector<int> sources, int rank, Types const& types,
                  int salt);

/// An info that names an algorithm; of rondo/topology.h.
class AlgorithmInfo {
 public:
  explicit AlgorithmInfo(char const* algorithm);
  ~AlgorithmInfo();
  AlgorithmInfo(AlgorithmInfo const&) = delete;
  AlgorithmInfo& operator=(AlgorithmInfo const&) = delete;
  MPI_Info handle() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// A graph with these neighbors; reports an error.
MPI_Comm rondo_graph(MPI_Comm comm, Exchange const& exchange, char const* algorithm, Report& report);

/// Carries out the exchange by Rondo's functions and returns their error class.
int call_rondo(Exchange& exchange, Form form, MPI_Comm comm);
/// By MPI's own functions on this communicator, where the platform has them and does what MPI says; else by messages.
enum class GraphShape { graph, symmetric_graph, grid };
/// The MPI library's own graph communicator; a duplicate of `comm` if the library cannot make graphs.
MPI_Comm platform_graph(Exchange const& exchange, MPI_Comm comm);
MPI_Comm platform_grid(std::vector<int> const& extents, std::vector<int> const& periods, MPI_Comm comm);
void call_platform(Exchange& exchange, GraphShape shape, bool repeated_edges, Form form, MPI_Comm comm);

}  // namespace rondo::mpi::testing
