// Relates kinds of problems and collectives by their names: the name of a kind is the prefix of its family, followed by
// the name of its collective.

#include "problem/enums.hpp"

#include <string_view>

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
  for (auto const& word : enum_names<Algorithm>) result.push_back(word.value);
  return result;
}

/// A kind is called as its collective is, behind the prefix of its family.
template <typename Collective>
constexpr std::string_view prefix = "";
template <>
constexpr std::string_view prefix<SparseCollective> = "sparse_";
template <>
constexpr std::string_view prefix<IntergroupCollective> = "intergroup_";

/// The collective of a kind; unset if the kind is of another family.
template <typename Collective>
std::optional<Collective> collective_of(Kind kind) {
  std::string_view name = enum_names<Kind>[static_cast<std::size_t>(kind)].text;
  if (!name.starts_with(prefix<Collective>)) return std::nullopt;
  name.remove_prefix(prefix<Collective>.size());
  for (auto const& [collective, word] : value_names<Collective>) {
    if (word == name) return collective;
  }
  return std::nullopt;
}

/// The kind of a collective.
template <typename Collective>
Kind kind_called(Collective collective) {
  for (auto const& [kind, word] : enum_names<Kind>) {
    if (collective_of<Collective>(kind) == collective) return kind;
  }
  throw ContractViolation("a kind for each collective");
}

/// The algorithms for a collective on a process graph.
std::vector<NeighborAlgorithm> algorithms_on_graphs(SparseCollective collective) {
  using enum NeighborAlgorithm;
  if (collective == SparseCollective::allreduce) return {naive, dimension_wise, common_neighbors};
  if (collective == SparseCollective::reduce) return {naive, dimension_wise};
  return {naive};
}

}  // namespace

std::vector<Algorithm> isomorphic_algorithms(NeighborCollective collective) {
  bool const alltoall = collective == NeighborCollective::alltoall;
  return alltoall ? all_but(Algorithm::steiner, every_isomorphic_algorithm()) : every_isomorphic_algorithm();
}

std::vector<Algorithm> mesh_algorithms(NeighborCollective collective) {
  return all_but(Algorithm::parity, isomorphic_algorithms(collective));
}

/// The names of all algorithms of a kind.
std::vector<std::string> algorithms(Kind kind) {
  if (auto const collective = classical_collective(kind)) return enum_names_of(classical_algorithms(*collective));
  if (auto const collective = sparse_collective(kind)) return enum_names_of(algorithms_on_graphs(*collective));
  if (auto const collective = intergroup_collective(kind)) {
    bool const all = collective == IntergroupCollective::allgather;
    return all ? all_enum_names<IntergroupAlgorithm>() : enum_names_of(std::vector{IntergroupAlgorithm::torus_rings});
  }
  switch (kind) {
    case Kind::isomorphic_alltoall:
      return enum_names_of(isomorphic_algorithms(NeighborCollective::alltoall));
    case Kind::isomorphic_allgather:
      return enum_names_of(isomorphic_algorithms(NeighborCollective::allgather));
    case Kind::neighbor_allgather:
    case Kind::neighbor_alltoall:
      return enum_names_of(std::vector{NeighborAlgorithm::naive, NeighborAlgorithm::common_neighbors});
    case Kind::program:
      return {"default", "mpich", "mvapich2", "ompi"};
    case Kind::custom:
    case Kind::workload:
      return {enum_name(kind)};
    case Kind::sparse_exchange:
    case Kind::independent_set:
    case Kind::coloring:
    case Kind::bisection:
      return all_enum_names<ExchangeAlgorithm>();
    default:
      throw ContractViolation("algorithms of each kind");
  }
}

/// The algorithms of a collective, in the order of the catalogue.
std::vector<ClassicalAlgorithm> classical_algorithms(ClassicalCollective collective) {
  std::vector<ClassicalAlgorithm> result;
  for (ClassicalRow const& row : classical_catalogue) {
    if (row.collective == collective) result.emplace_back(row.word);
  }
  return result;
}

Kind kind_of(ClassicalCollective collective) { return kind_called(collective); }
std::optional<ClassicalCollective> classical_collective(Kind kind) { return collective_of<ClassicalCollective>(kind); }

Kind kind_of(SparseCollective collective) { return kind_called(collective); }
std::optional<SparseCollective> sparse_collective(Kind kind) { return collective_of<SparseCollective>(kind); }

Kind kind_of(IntergroupCollective collective) { return kind_called(collective); }
std::optional<IntergroupCollective> intergroup_collective(Kind kind) {
  return collective_of<IntergroupCollective>(kind);
}

}  // namespace rondo::problem
