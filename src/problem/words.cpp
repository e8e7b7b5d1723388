#include "problem/words.hpp"

#include <utility>

namespace rondo::problem {
namespace {

using Algorithm = IsomorphicAlgorithm;

/// Every isomorphic algorithm but one.
std::vector<Algorithm> all_but(Algorithm left_out, std::vector<Algorithm> from) {
  std::erase(from, left_out);
  return from;
}

std::vector<Algorithm> every_isomorphic_algorithm() {
  std::vector<Algorithm> result;
  for (auto const& word : words<Algorithm>) result.push_back(word.value);
  return result;
}

constexpr std::array<std::pair<SparseCollective, Kind>, 6> on_graphs = {
    {{SparseCollective::allreduce, Kind::sparse_allreduce},
     {SparseCollective::bcast, Kind::sparse_bcast},
     {SparseCollective::gather, Kind::sparse_gather},
     {SparseCollective::scatter, Kind::sparse_scatter},
     {SparseCollective::reduce, Kind::sparse_reduce},
     {SparseCollective::barrier, Kind::sparse_barrier}}};

constexpr std::array<std::pair<IntergroupCollective, Kind>, 5> of_two_groups = {
    {{IntergroupCollective::allgather, Kind::intergroup_allgather},
     {IntergroupCollective::exchange, Kind::intergroup_exchange},
     {IntergroupCollective::gather, Kind::intergroup_gather},
     {IntergroupCollective::scatter, Kind::intergroup_scatter},
     {IntergroupCollective::reduce, Kind::intergroup_reduce}}};

constexpr std::array<std::pair<ClassicalCollective, Kind>, 11> on_all_ranks = {
    {{ClassicalCollective::bcast, Kind::bcast},
     {ClassicalCollective::gather, Kind::gather},
     {ClassicalCollective::scatter, Kind::scatter},
     {ClassicalCollective::allgather, Kind::allgather},
     {ClassicalCollective::alltoall, Kind::alltoall},
     {ClassicalCollective::reduce, Kind::reduce},
     {ClassicalCollective::reduce_scatter, Kind::reduce_scatter},
     {ClassicalCollective::scan, Kind::scan},
     {ClassicalCollective::exscan, Kind::exscan},
     {ClassicalCollective::allreduce, Kind::allreduce},
     {ClassicalCollective::barrier, Kind::barrier}}};

template <typename Table, typename Collective>
Kind kind_in(Table const& table, Collective collective) {
  for (auto const& [each, kind] : table) {
    if (each == collective) return kind;
  }
  throw ContractViolation("a kind for each collective");
}

template <typename Collective, std::size_t n>
std::optional<Collective> collective_in(std::array<std::pair<Collective, Kind>, n> const& table, Kind kind) {
  for (auto const& [collective, each] : table) {
    if (each == kind) return collective;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Algorithm> isomorphic_algorithms(NeighborCollective collective) {
  bool const alltoall = collective == NeighborCollective::alltoall;
  return alltoall ? all_but(Algorithm::steiner, every_isomorphic_algorithm()) : every_isomorphic_algorithm();
}

std::vector<Algorithm> mesh_algorithms(NeighborCollective collective) {
  return all_but(Algorithm::parity, isomorphic_algorithms(collective));
}

std::vector<std::string> algorithms(Kind kind) {
  switch (kind) {
    case Kind::isomorphic_alltoall:
      return words_of(isomorphic_algorithms(NeighborCollective::alltoall));
    case Kind::isomorphic_allgather:
      return words_of(isomorphic_algorithms(NeighborCollective::allgather));
    case Kind::intergroup_allgather:
      return all_words<IntergroupAlgorithm>();
    case Kind::intergroup_exchange:
    case Kind::intergroup_gather:
    case Kind::intergroup_scatter:
    case Kind::intergroup_reduce:
      return {word_of(IntergroupAlgorithm::torus_rings)};
    case Kind::neighbor_allgather:
    case Kind::neighbor_alltoall:
      return words_of(std::vector{NeighborAlgorithm::naive, NeighborAlgorithm::common_neighbors});
    case Kind::sparse_exchange:
    case Kind::independent_set:
    case Kind::coloring:
    case Kind::bisection:
      return all_words<ExchangeAlgorithm>();
    case Kind::program:
      return {"default", "mpich", "mvapich2", "ompi"};
    case Kind::custom:
      return {"custom"};
    case Kind::workload:
      return {"workload"};
    case Kind::sparse_allreduce:
      return words_of(std::vector{NeighborAlgorithm::naive, NeighborAlgorithm::dimension_wise,
                                  NeighborAlgorithm::common_neighbors});
    case Kind::sparse_reduce:
      return words_of(std::vector{NeighborAlgorithm::naive, NeighborAlgorithm::dimension_wise});
    case Kind::sparse_bcast:
    case Kind::sparse_gather:
    case Kind::sparse_scatter:
    case Kind::sparse_barrier:
      return {word_of(NeighborAlgorithm::naive)};
    case Kind::bcast:
    case Kind::gather:
    case Kind::scatter:
    case Kind::allgather:
    case Kind::alltoall:
    case Kind::reduce:
    case Kind::reduce_scatter:
    case Kind::scan:
    case Kind::exscan:
    case Kind::allreduce:
    case Kind::barrier:
      return words_of(classical_algorithms(*classical_collective(kind)));
  }
  throw ContractViolation("algorithms of each kind");
}

std::vector<ClassicalAlgorithm> classical_algorithms(ClassicalCollective collective) {
  std::vector<ClassicalAlgorithm> result;
  for (ClassicalRow const& row : classical_catalogue) {
    if (row.collectives.contains(collective)) result.push_back(row.algorithm);
  }
  return result;
}

Kind kind_of(ClassicalCollective collective) { return kind_in(on_all_ranks, collective); }
std::optional<ClassicalCollective> classical_collective(Kind kind) { return collective_in(on_all_ranks, kind); }

Kind kind_of(SparseCollective collective) { return kind_in(on_graphs, collective); }
std::optional<SparseCollective> sparse_collective(Kind kind) { return collective_in(on_graphs, kind); }

Kind kind_of(IntergroupCollective collective) { return kind_in(of_two_groups, collective); }
std::optional<IntergroupCollective> intergroup_collective(Kind kind) { return collective_in(of_two_groups, kind); }

}  // namespace rondo::problem
