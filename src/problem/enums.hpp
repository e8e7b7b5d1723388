#pragma once

// The names of everything that a problem can be: every kind of collective, every algorithm and every option, in the
// one table of these names. Scenarios, their schema, `rondo list`, errors, records, the C interfaces and the
// environment of MPI programs all read it (base/enum_names.hpp). A new algorithm is a value and a row here. The
// algorithms of collectives on all ranks have a catalogue of their own.

#include <cstdint>

#include "base/enum_names.hpp"
#include "problem/catalogue.hpp"
#include "topology/classical_collective.hpp"
#include "topology/groups.hpp"
#include "topology/point_cloud.hpp"
#include "topology/process_graph.hpp"

namespace rondo::problem {

/// The kinds of collectives, as scenarios name them.
enum class Kind : std::uint8_t {
  isomorphic_alltoall,
  isomorphic_allgather,
  intergroup_allgather,
  intergroup_exchange,
  intergroup_gather,
  intergroup_scatter,
  intergroup_reduce,
  neighbor_allgather,
  neighbor_alltoall,
  sparse_exchange,
  independent_set,
  coloring,
  bisection,
  sparse_allreduce,
  sparse_bcast,
  sparse_gather,
  sparse_scatter,
  sparse_reduce,
  sparse_barrier,
  program,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  allreduce,
  barrier,
  custom,
  workload,
};

/// What a rank gives to its neighbors: one block to all of them, or a different block to each.
enum class NeighborCollective : std::uint8_t { allgather, alltoall };

/// How an isomorphic collective is done. steiner is for allgather alone; parity is not for meshes.
enum class IsomorphicAlgorithm : std::uint8_t {
  straightforward,
  posted,
  dimension_wise,
  direct,
  basis,
  parity,
  steiner
};
/// How the order is found in which a message corrects its dimensions (decomposition/routes.hpp).
enum class OrderRule : std::uint8_t { given, best, paper, stated };

/// How a collective between two groups is done. torus_rings is for all of these collectives, the others are for
/// allgather alone.
enum class IntergroupAlgorithm : std::uint8_t {
  group_allgather,
  receiver_allgather,
  root_gathering,
  ring_sequences,
  ring_allgather,
  ring_optimal,
  torus_rings
};
/// How n members of a group give each other one contribution each.
/// `bruck`: ceil(log2 n) rounds for any n. `recursive_doubling`: pairwise exchange in log2 n rounds; if n is no power
/// of two, the members above the largest one hand in their contribution in a round before and get the result in a round
/// after. `ring`: n - 1 rounds of one contribution.
enum class IntraAllgather : std::uint8_t { bruck, recursive_doubling, ring };
/// How one member of a group of n reaches all others. `binomial`: down a binomial tree in ceil(log2 n) rounds.
/// `scatter_allgather`: in n segments that are scattered down that tree and then allgathered by bruck, in twice the
/// rounds, each with less data. `scatter_ring_allgather`: the same with ring, n - 1 rounds more, each to the next
/// member only, as MPI libraries broadcast long messages. `multiple_messages`: among 2^k members in k segments, of
/// which the root sends one per round, each down a binomial tree of its own over the dimensions of a hypercube in turn,
/// 2k rounds in all [Kang19, reference 19: Bar-Noy and Kipnis 1994]; other members get everything from a partner in one
/// round more.
enum class Broadcast : std::uint8_t { binomial, scatter_allgather, scatter_ring_allgather, multiple_messages };
/// How a paper's text is read: as it is printed, to show where it fails, or with its errors repaired.
enum class Reading : std::uint8_t { repaired, printed };
/// Whether an inter-group allgather is a schedule of Rondo's, or is built from the MPI library's own collectives.
enum class BuildingBlocks : std::uint8_t { schedule, mpi };

/// How a neighborhood collective is done. `automatic`, named auto, lets MPI programs choose by facts that their
/// ranks know and agree on. `torus` needs a neighborhood on a torus. In scenarios neighborhood collectives have only
/// the other two, and reductions `torus` too.
enum class NeighborAlgorithm : std::uint8_t { automatic, naive, dimension_wise, common_neighbors };
/// Which friend a rank chooses if several have the same number of common neighbors. `lowest` takes many more
/// iterations.
enum class FriendTie : std::uint8_t { highest, lowest };
/// Which of the ranks that chose it a rank may accept (docs/notes.md#suitors): by the letter of [Mirsadeghi17,
/// Algorithm 2, line 11] only ranks that it has not struck from F itself; or all that are still active, as in the
/// author's own code.
enum class Suitors : std::uint8_t { literal, active };
/// Whether the lower rank of a pair takes floor or ceil of half the common neighbors.
enum class Half : std::uint8_t { floor, ceil };

/// The algorithm of a sparse exchange (mpi/exchange/core.hpp).
enum class ExchangeAlgorithm : std::uint8_t { nbx, nbx_tagged, personalized, personalized_rooted };
enum class Barrier : std::uint8_t { dissemination, tree };
/// How a rank learns about events.
enum class Completion : std::uint8_t {
  /// It probes and tests again and again, as in the paper.
  poll,
  /// It waits for any one of its requests, among which one receives data from any source. Messages above a certain size
  /// then travel in two parts.
  wait,
};
/// The order in which a program gets the messages of an exchange: by source, or as they come.
enum class Delivery : std::uint8_t { sorted, arrival };

/// Whether a tree or an exchange begins with its far partners or with its near ones.
enum class Distances : std::uint8_t { falling, rising };
/// Whether a rank of a tree serves its children in successive rounds, or all in one.
enum class Children : std::uint8_t { in_turn, at_once };

/// Whether the output of a user's program is shown.
enum class Printed : std::uint8_t { dropped, shown };

}  // namespace rondo::problem

namespace rondo {

template <>
inline constexpr auto enum_names<problem::Kind> = value_names<problem::Kind>;

template <>
inline constexpr std::array<NamedValue<problem::IsomorphicAlgorithm>, 7> enum_names<problem::IsomorphicAlgorithm> = {
    {{problem::IsomorphicAlgorithm::straightforward, "straightforward"},
     {problem::IsomorphicAlgorithm::posted, "posted"},
     {problem::IsomorphicAlgorithm::dimension_wise, "torus"},
     {problem::IsomorphicAlgorithm::direct, "direct"},
     {problem::IsomorphicAlgorithm::basis, "basis"},
     {problem::IsomorphicAlgorithm::parity, "parity"},
     {problem::IsomorphicAlgorithm::steiner, "steiner"}}};
/// A stated order is a list and has no name.
template <>
inline constexpr std::array<NamedValue<problem::OrderRule>, 3> enum_names<problem::OrderRule> = {
    {{problem::OrderRule::given, "given"}, {problem::OrderRule::best, "best"}, {problem::OrderRule::paper, "paper"}}};

template <>
inline constexpr auto enum_names<problem::IntergroupAlgorithm> = value_names<problem::IntergroupAlgorithm>;
template <>
inline constexpr auto enum_names<problem::IntraAllgather> = value_names<problem::IntraAllgather>;
template <>
inline constexpr auto enum_names<problem::Broadcast> = value_names<problem::Broadcast>;
template <>
inline constexpr auto enum_names<problem::BuildingBlocks> = value_names<problem::BuildingBlocks>;

template <>
inline constexpr std::array<NamedValue<problem::NeighborAlgorithm>, 4> enum_names<problem::NeighborAlgorithm> = {
    {{problem::NeighborAlgorithm::automatic, "auto"},
     {problem::NeighborAlgorithm::naive, "naive"},
     {problem::NeighborAlgorithm::dimension_wise, "torus"},
     {problem::NeighborAlgorithm::common_neighbors, "common_neighbors"}}};
template <>
inline constexpr auto enum_names<problem::FriendTie> = value_names<problem::FriendTie>;
template <>
inline constexpr auto enum_names<problem::Suitors> = value_names<problem::Suitors>;
template <>
inline constexpr auto enum_names<problem::Half> = value_names<problem::Half>;

template <>
inline constexpr auto enum_names<problem::Distances> = value_names<problem::Distances>;

template <>
inline constexpr auto enum_names<problem::Children> = value_names<problem::Children>;

template <>
inline constexpr auto enum_names<problem::ExchangeAlgorithm> = value_names<problem::ExchangeAlgorithm>;
template <>
inline constexpr auto enum_names<problem::Barrier> = value_names<problem::Barrier>;
template <>
inline constexpr std::array<NamedValue<problem::Completion>, 2> enum_names<problem::Completion> = {
    {{problem::Completion::wait, "wait"}, {problem::Completion::poll, "poll"}}};
template <>
inline constexpr auto enum_names<problem::Delivery> = value_names<problem::Delivery>;

template <>
inline constexpr auto enum_names<CloudShape> = value_names<CloudShape>;
template <>
inline constexpr auto enum_names<problem::Printed> = value_names<problem::Printed>;

}  // namespace rondo

namespace rondo::problem {

/// The algorithms of an isomorphic collective, in the order in which they are listed.
std::vector<IsomorphicAlgorithm> isomorphic_algorithms(NeighborCollective collective);
/// The algorithms of an isomorphic collective that can do without closed dimensions.
std::vector<IsomorphicAlgorithm> mesh_algorithms(NeighborCollective collective);

/// The names that `algorithm` accepts for a collective of this kind. Those of `program` are the libraries whose
/// collectives SMPI imitates. `custom` has one name of its own, besides the names that a scenario gives to schedules.
std::vector<std::string> algorithms(Kind kind);

Kind kind_of(ClassicalCollective collective);
std::optional<ClassicalCollective> classical_collective(Kind kind);

/// The kind of a collective on a process graph: "sparse_allreduce" and its like.
Kind kind_of(SparseCollective collective);
std::optional<SparseCollective> sparse_collective(Kind kind);

/// The same for what passes between two groups.
Kind kind_of(IntergroupCollective collective);
std::optional<IntergroupCollective> intergroup_collective(Kind kind);

}  // namespace rondo::problem
