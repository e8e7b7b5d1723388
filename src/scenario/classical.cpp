// The keys of collectives on all ranks (problem/classical.hpp). The catalogue says which algorithm reads which option;
// a key therefore belongs to each collective of which some algorithm reads it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "platform/paths.hpp"
#include "problem/composition.hpp"
#include "scenario/hierarchy.hpp"
#include "scenario/kinds.hpp"

namespace rondo::scenario {

template <>
problem::Classical usual() {
  return {.sizes = Bytes(0)};
}

namespace {

using problem::Classical;
using problem::ClassicalOption;
using Collectives = std::set<ClassicalCollective>;

/// A key and the collectives that have it.
struct SharedKey {
  Collectives collectives;
  Key<Classical> key;
};

Collectives all_collectives() {
  using enum ClassicalCollective;
  return {bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, scan, exscan, allreduce, barrier};
}

/// The collectives that have an algorithm which reads the option.
template <typename V>
SharedKey option(ClassicalOption option, V Classical::*member, Form<V> const& form, std::string_view meaning) {
  Collectives collectives = all_collectives();
  std::erase_if(collectives, [&](ClassicalCollective collective) {
    return std::ranges::none_of(problem::classical_algorithms(collective), [&](problem::ClassicalAlgorithm algorithm) {
      return problem::reads(collective, algorithm, option);
    });
  });
  return {std::move(collectives), key(enum_name(option), member, form, meaning)};
}

Form<std::vector<int>> powers_of_two() {
  auto form = integers("a list of 1 to 64 extents", 1, 64, 1, 16777216);
  form.schema["items"]["description"] = "the ranks along a dimension, a power of two";
  return form;
}

/// All keys of these collectives, each with the collectives that have it. The order is that of `rondo schema`.
std::vector<SharedKey> shared_classical_keys() {
  using enum ClassicalCollective;
  auto const commutative =
      key("commutative", &Classical::commutative, flag(),
          "whether the operator commutes. If false, contributions must be joined in the order of their ranks, and "
          "algorithms of reduce, reduce_scatter and scans that do not keep this order are refused");
  return {
      {all_collectives(),
       key("ranks", &Classical::ranks, integer(1, 16777216), "p: the number of ranks", Need::required)},
      {{bcast, gather, scatter, reduce}, root_key<Classical>()},
      {{reduce, reduce_scatter, scan, exscan}, commutative},
      option(ClassicalOption::segment, &Classical::segment, size("64KiB"),
             "the bytes of a segment, for algorithms that send a vector along a chain or a tree; the whole vector by "
             "default"),
      option(ClassicalOption::radix, &Classical::radix, integer(2, 16777216),
             "k of knomial and bruck; the number of chains of chain; the number of messages at once of spread_out and "
             "linear_nb, and of linear_sync in an alltoall; 4 for knomial and chain, 2 for bruck, 32 for spread_out, "
             "all for linear_nb and linear_sync by default"),
      option(ClassicalOption::group_size, &Classical::group_size, without_default(integer(2, 16777216)),
             "required by locality_bruck: the number of consecutive ranks in a group, such as the ranks of a host; p "
             "must be a multiple of it"),
      option(ClassicalOption::distances, &Classical::distances, word<problem::Distances>(),
             "whether binomial and bine begin with the farthest partner (falling) or with the nearest one (rising)"),
      option(ClassicalOption::children, &Classical::children, word<problem::Children>(),
             "whether a rank of binomial, knomial or bine exchanges with its children in one round each, or with all "
             "in the same round, as MPI libraries with non-blocking messages do"),
      option(ClassicalOption::extents, &Classical::extents, powers_of_two(),
             "for swing, bine and their latency variants: the torus on which the ranks lie, row by row; partners then "
             "follow its dimensions in turn, instead of one ring of all ranks"),
      {{allreduce}, commutative},
      {{allreduce},
       key("same_bits", &Classical::same_bits, flag(),
           "if true, all ranks must get the result with the same parenthesisation, so that all bits are equal")},
      {{gather, scatter, allgather, reduce_scatter},
       key<Classical>("block_sizes", sizes_or_expression("a list of sizes, one for each rank, or an expression"),
                      "for the v variants: the size of each rank's block, as a list, or as an expression of the rank "
                      "r, p and m, such as m*(1+r)")},
      {{alltoall},
       key<Classical>("block_sizes",
                      sizes_or_expression("a list of sizes, one for each source and target, or an expression"),
                      "for alltoallv: the size of each block, as a list that begins with the blocks of rank 0 to all "
                      "ranks, or as an expression of source, target, p and m, such as m*(1+source)")},
      {{bcast, gather, scatter, allgather, alltoall, reduce, reduce_scatter, allreduce, barrier},
       {{"hierarchy", json_of(hierarchy_schema)}}},
      {{bcast, allgather, reduce_scatter, allreduce},
       key("rings", &Classical::rings, integer(1, 4096),
           "the number of copies of the algorithm that run at the same time, each with a part of the vector or of each "
           "block, and with its own order of hosts and NICs, as in NCCL")},
      {all_collectives(),
       key("benchmark", &Classical::benchmark, flag(),
           "measure the time as benchmarks do: ranks leave a barrier, each measures by its own clock, and the "
           "longest time counts. Theory and bounds then have no time")},
  };
}

/// The keys of one collective.
Table<Classical> keys_of(ClassicalCollective collective) {
  static std::vector<SharedKey> const all = shared_classical_keys();
  Table<Classical> table;
  for (SharedKey const& row : all) {
    if (row.collectives.contains(collective)) table.push_back(row.key);
  }
  return table;
}

/// A list of sizes has one for each rank, or for an all-to-all one for each pair of ranks.
void expect_sizes_fit(Place const& collective, Classical const& problem) {
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  auto const p = static_cast<std::size_t>(problem.ranks);
  bool const of_pairs = problem.collective == ClassicalCollective::alltoall;
  std::size_t const expected = of_pairs ? p * p : p;
  if (problem.sizes.each.size() == expected) return;
  throw collective["block_sizes"].error(fmt::format("expected {} sizes, one for each {}, got {}", expected,
                                                    of_pairs ? "source and target" : "rank",
                                                    problem.sizes.each.size()));
}

/// The routes between the ranks, if the machine carries so many.
std::shared_ptr<RoutedNetwork const> network_for_forest(Classical const& problem, Platform const& machine,
                                                        Place const& collective) {
  if (std::holds_alternative<PlatformFile>(machine.topology)) {
    throw error_at(collective.file, "/algorithm",
                   "expected an algorithm other than forest on a platform file, whose links are not known");
  }
  if (problem.ranks > ranks(machine)) return nullptr;  // which the machine refuses
  return std::make_shared<RoutedNetwork const>(routed_network(machine, problem.ranks, problem.sizes.block));
}

/// Reads a collective on all ranks. Hosts of ranks are added where an algorithm needs them: for several rings, and for
/// groups of the hierarchy. Throws InputError for a root, sizes or a hierarchy that do not fit the number of ranks.
Problem read_classical(problem::Kind kind, Place const& collective, Setting const& setting,
                       Table<Classical> const& keys) {
  auto const on_all = problem::classical_collective(kind);
  expects(on_all.has_value(), "a reader for each kind of collective");
  Classical problem{*on_all, 1, read_block_sizes(collective, setting.block),
                    known_value<problem::ClassicalAlgorithm>(setting.algorithm)};
  read_keys(keys, collective, problem);
  if (problem.rings > 1) problem.host_of = host_of_each(setting.machine, problem.ranks);
  if (problem.root >= problem.ranks) {
    throw collective["root"].error(
        fmt::format("expected a rank, from 0 to {}, got {}", problem.ranks - 1, problem.root));
  }
  expect_sizes_fit(collective, problem);
  auto const expect_rings = [&] {
    if (problem.rings > 1) collective["rings"].checked([&] { expect_rings_fit(problem); });
  };
  bool const hierarchical = problem.algorithm == "hierarchical";
  bool const in_groups = problem.algorithm == "locality_bruck";
  // The algorithm needs groups, and nothing states them.
  if ((hierarchical && !collective.has("hierarchy")) || (in_groups && problem.group_size == 0)) {
    collective.checked([&] { expect_ranks_fit(problem); });
  }
  if (hierarchical) {
    problem.hierarchy = read_hierarchy(collective["hierarchy"], problem.ranks, setting.machine);
    expect_rings();
    check_hierarchy(collective["hierarchy"], problem);
    return problem;
  }
  expect_rings();
  if (problem.algorithm == "forest" && problem.ranks <= problem::most_forest_ranks) {
    problem.network = network_for_forest(problem, setting.machine, collective);
    if (problem.network == nullptr) return problem;
  }
  collective[goes_along_extents(problem) ? "extents" : "ranks"].checked([&] { expect_ranks_fit(problem); });
  return problem;
}

CollectiveKind kind_with(ClassicalCollective collective, char const* description) {
  return kind_of_keys(problem::kind_of(collective), description, keys_of(collective), read_classical);
}

}  // namespace

std::vector<CollectiveKind> classical_kinds() {
  using enum ClassicalCollective;
  return {
      kind_with(bcast, "MPI_Bcast: the root sends its vector of /block bytes to all ranks"),
      kind_with(gather, "MPI_Gather: the root receives a block from each rank"),
      kind_with(scatter, "MPI_Scatter: the root sends a different block to each rank"),
      kind_with(allgather, "MPI_Allgather: every rank receives a block from each rank"),
      kind_with(alltoall, "MPI_Alltoall: every rank sends a different block to every other rank"),
      kind_with(reduce, "MPI_Reduce: the root receives the joined vectors of all ranks, of /block bytes each"),
      kind_with(reduce_scatter, "MPI_Reduce_scatter: each rank receives its block of the joined vectors of all ranks"),
      kind_with(scan, "MPI_Scan: each rank receives the joined vectors of all ranks up to itself"),
      kind_with(exscan, "MPI_Exscan: each rank receives the joined vectors of all ranks before it"),
      kind_with(allreduce, "MPI_Allreduce: every rank receives the joined vectors of all ranks, of /block bytes each"),
      kind_with(barrier, R"(MPI_Barrier: no rank ends before every rank has begun; /block is "0B")"),
  };
}

}  // namespace rondo::scenario
