// The catalogues of Open MPI, MPICH and NCCL: each row names an algorithm of the library, its number, and Rondo's
// algorithm that sends the same messages. Sources are in library.hpp.

#include "run/rules/library.hpp"

#include <bit>

#include "base/error.hpp"

namespace rondo {
namespace {

using enum ClassicalCollective;
using A = problem::ClassicalAlgorithm;
using Algorithms = std::vector<LibraryAlgorithm>;
constexpr auto rising = problem::Distances::rising, falling = problem::Distances::falling;
constexpr bool segments = true, heeds_fan = true;

LibraryAlgorithm lacking(char const* name, int number = 0) { return {std::nullopt, name, number}; }

/// The algorithms of Open MPI 4.1. Its nonoverlapping calls two other collectives, which follow rules of their own, so
/// that it has no time of its own. linear_sync of alltoall and linear_nb take the number of their messages from
/// elsewhere.
std::vector<LibraryCollective> of_open_mpi() {
  // Trees of bcast begin with the nearest ranks; those of reduce, gather and scatter begin with the farthest.
  Algorithms const scans{{A("linear"), "linear", 1}, {A("recursive_doubling"), "recursive_doubling", 2}};
  RanksTaken const two = RanksTaken::two, powers = RanksTaken::powers_of_two, even = RanksTaken::even;
  return {
      {"allgather",
       0,
       allgather,
       MessageSize::all_ranks,
       {{A("linear"), "linear", 1},
        {A("bruck"), "bruck", 2},
        {A("recursive_doubling"), "recursive_doubling", 3, false, 0, false, falling, powers},
        {A("ring"), "ring", 4},
        {A("neighbor_exchange"), "neighbor", 5, false, 0, false, falling, even},
        {A("two_process"), "two_proc", 6, false, 0, false, falling, two}}},
      {"allreduce",
       2,
       allreduce,
       MessageSize::block,
       {{A("linear"), "basic_linear", 1},
        lacking("nonoverlapping", 2),
        {A("recursive_doubling"), "recursive_doubling", 3},
        {A("ring"), "ring", 4},
        {A("segmented_ring"), "segmented_ring", 5, segments},
        {A("rabenseifner"), "rabenseifner", 6}}},
      {"alltoall",
       3,
       alltoall,
       MessageSize::all_ranks,
       {{A("linear"), "linear", 1},
        {A("pairwise"), "pairwise", 2},
        {A("bruck"), "modified_bruck", 3},
        lacking("linear_sync", 4),
        {A("two_process"), "two_proc", 5, false, 0, false, falling, two}}},
      {"barrier",
       6,
       barrier,
       MessageSize::unknown,
       {{A("linear"), "linear", 1},
        {A("ring"), "double_ring", 2},
        {A("recursive_doubling"), "recursive_doubling", 3},
        {A("bruck"), "bruck", 4},
        {A("two_process"), "two_proc", 5, false, 0, false, falling, two},
        {A("binomial"), "tree", 6}}},
      {"bcast",
       7,
       bcast,
       MessageSize::block,
       {{A("linear"), "basic_linear", 1},
        {A("chain"), "chain", 2, segments, 4, heeds_fan},
        {A("pipeline"), "pipeline", 3, segments},
        {A("split_binary"), "split_binary_tree", 4, segments},
        {A("binary"), "binary_tree", 5, segments},
        {A("binomial"), "binomial", 6, segments, 0, false, rising},
        {A("knomial"), "knomial", 7, segments, 4},
        {A("scatter_allgather"), "scatter_allgather", 8},
        {A("scatter_ring_allgather"), "scatter_allgather_ring", 9}}},
      {"exscan", 8, exscan, MessageSize::unknown, scans},
      {"gather",
       9,
       gather,
       MessageSize::unknown,
       {{A("linear"), "basic_linear", 1}, {A("binomial"), "binomial", 2}, {A("linear_sync"), "linear_sync", 3}}},
      {"reduce",
       11,
       reduce,
       MessageSize::block,
       {{A("linear"), "linear", 1},
        {A("chain"), "chain", 2, segments, 4, heeds_fan},
        {A("pipeline"), "pipeline", 3, segments},
        {A("binary"), "binary", 4, segments},
        {A("binomial"), "binomial", 5, segments},
        {A("in_order_binary"), "in-order_binary", 6, segments},
        {A("rabenseifner"), "rabenseifner", 7}}},
      {"reduce_scatter",
       12,
       reduce_scatter,
       MessageSize::all_ranks,
       {lacking("non-overlapping", 1),
        {A("recursive_halving"), "recursive_halving", 2},
        {A("ring"), "ring", 3},
        {A("butterfly"), "butterfly", 4}}},
      {"reduce_scatter_block",
       13,
       reduce_scatter,
       MessageSize::all_ranks,
       {lacking("basic_linear", 1),
        {A("recursive_doubling"), "recursive_doubling", 2, false, 0, false, falling, powers},
        {A("recursive_halving"), "recursive_halving", 3},
        {A("butterfly"), "butterfly", 4}}},
      {"scan", 14, scan, MessageSize::unknown, scans},
      {"scatter",
       15,
       scatter,
       MessageSize::unknown,
       {{A("linear"), "basic_linear", 1}, {A("binomial"), "binomial", 2}, lacking("linear_nb", 3)}},
  };
}

/// The algorithms of Open MPI 6: those of 4.1, and more.
std::vector<LibraryCollective> of_open_mpi_6() {
  std::vector<LibraryCollective> all = of_open_mpi();
  for (LibraryCollective& each : all) {
    if (each.name == "allgather") {
      each.algorithms[1] = {A("bruck"), "bruck-k-fanout", 2, false, 2, heeds_fan};
      each.algorithms.push_back({A("sparbit"), "sparbit", 7});
      each.algorithms.push_back({A("direct_messaging"), "direct-messaging", 8});
    }
    if (each.name == "allreduce") each.algorithms.push_back(lacking("allgather_reduce", 7));
    if (each.name == "reduce") each.algorithms.push_back({A("knomial"), "knomial", 8, segments, 4, heeds_fan});
  }
  return all;
}

/// The algorithms of MPICH 4.0. The names are those of functions, MPIR_Bcast_intra_binomial and its like.
std::vector<LibraryCollective> of_mpich() {
  auto const built_in = Operators::built_in, commutative = Operators::commutative;
  auto const of_operators = [](A algorithm, char const* name, Operators operators) {
    return LibraryAlgorithm{algorithm, name, 0, false, 0, false, falling, RanksTaken::any, operators};
  };
  Algorithms const scattering{lacking("noncommutative"), of_operators(A("pairwise"), "pairwise", commutative),
                              lacking("recursive_doubling"),
                              of_operators(A("recursive_halving"), "recursive_halving", commutative)};
  Algorithms const scans{{A("recursive_doubling"), "recursive_doubling"}}, trees{{A("binomial"), "binomial"}};
  std::vector<LibraryCollective> all{
      {"allgather",
       0,
       allgather,
       MessageSize::all_ranks,
       {{A("bruck"), "brucks"},
        {A("recursive_doubling"), "recursive_doubling", 0, false, 0, false, falling, RanksTaken::powers_of_two},
        {A("ring"), "ring"}},
       "",
       "local_gather_remote_bcast"},
      {"allreduce",
       0,
       allreduce,
       MessageSize::block,
       {{A("recursive_doubling"), "recursive_doubling"},
        of_operators(A("rabenseifner"), "reduce_scatter_allgather", built_in)},
       "recursive_doubling",
       "reduce_exchange_bcast"},
      {"alltoall",
       0,
       alltoall,
       MessageSize::block,
       {{A("bruck"), "brucks"},
        {A("pairwise"), "pairwise"},
        lacking("pairwise_sendrecv_replace"),
        {A("spread_out"), "scattered"}},
       "",
       "pairwise_exchange"},
      {"barrier", 0, barrier, MessageSize::unknown, {{A("dissemination"), "dissemination"}}, "", "bcast"},
      {"bcast",
       0,
       bcast,
       MessageSize::block,
       {{A("binomial"), "binomial"},
        {A("scatter_allgather"), "scatter_recursive_doubling_allgather"},
        {A("scatter_ring_allgather"), "scatter_ring_allgather"}},
       "",
       "remote_send_local_bcast"},
      {"exscan", 0, exscan, MessageSize::unknown, scans},
      {"gather", 0, gather, MessageSize::unknown, trees, "", "linear"},
      {"reduce",
       0,
       reduce,
       MessageSize::block,
       {{A("binomial"), "binomial"}, of_operators(A("rabenseifner"), "reduce_scatter_gather", built_in)},
       "binomial",
       "local_reduce_remote_send"},
      {"reduce_scatter", 0, reduce_scatter, MessageSize::all_ranks, scattering, "recursive_doubling",
       "remote_reduce_local_scatter"},
      {"reduce_scatter_block", 0, reduce_scatter, MessageSize::all_ranks, scattering, "recursive_doubling",
       "remote_reduce_local_scatter"},
      {"scan", 0, scan, MessageSize::unknown, scans},
      {"scatter", 0, scatter, MessageSize::unknown, trees, "", "linear"},
  };
  for (LibraryCollective& each : all) {
    bool const has_smp = each.name == "allreduce" || each.name == "barrier" || each.name == "bcast" ||
                         each.name == "reduce" || each.name == "scan";
    if (has_smp) each.algorithms.push_back(lacking("smp"));
    each.algorithms.push_back(lacking("nb"));
  }
  return all;
}

/// The algorithms of NCCL: its ring and its trees for each collective. Every name may stand in every row.
std::vector<LibraryCollective> of_nccl() {
  std::vector<LibraryCollective> all{
      {"allgather", 0, allgather, MessageSize::all_ranks, {{A("ring"), "ring"}, lacking("tree")}},
      {"allreduce", 0, allreduce, MessageSize::block, {{A("double_tree"), "tree", 0, segments}, {A("ring"), "ring"}}},
      {"broadcast", 0, bcast, MessageSize::block, {{A("pipeline"), "ring", 0, segments}, lacking("tree")}},
      {"reduce", 0, reduce, MessageSize::block, {{A("pipeline"), "ring", 0, segments}, lacking("tree")}},
      {"reducescatter", 0, reduce_scatter, MessageSize::all_ranks, {{A("ring"), "ring"}, lacking("tree")}},
  };
  for (LibraryCollective& each : all) {
    for (char const* name : {"collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"})
      each.algorithms.push_back(lacking(name));
  }
  return all;
}

}  // namespace

bool takes(RanksTaken taken, int ranks) {
  switch (taken) {
    case RanksTaken::any:
      return true;
    case RanksTaken::even:
      return ranks % 2 == 0;
    case RanksTaken::powers_of_two:
      return std::has_single_bit(static_cast<unsigned>(ranks));
    case RanksTaken::two:
      return ranks == 2;
  }
  throw ContractViolation("numbers of ranks that an algorithm takes");
}

std::vector<LibraryCollective> const& collectives_of(RulesFormat format) {
  static std::vector<LibraryCollective> const open_mpi = of_open_mpi(), open_mpi_6 = of_open_mpi_6(),
                                              mpich = of_mpich(), nccl = of_nccl();
  switch (format) {
    case RulesFormat::ompi:
      return open_mpi;
    case RulesFormat::ompi_json:
      return open_mpi_6;
    case RulesFormat::mpich:
      return mpich;
    case RulesFormat::nccl:
      return nccl;
  }
  throw ContractViolation("collectives of each format");
}

}  // namespace rondo
