#include <fmt/format.h>

#include <memory>

#include "platform/routed_network.hpp"
#include "problem/composition.hpp"
#include "scenario/hierarchy.hpp"
#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* ranks_schema = R"json({
"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p: the number of ranks"
})json";

constexpr char const* radix_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "k of knomial and bruck; the number of chains of chain; the number of messages at once of spread_out and linear_nb, and of linear_sync in an alltoall; 4 for knomial and chain, 2 for bruck, 32 for spread_out, all for linear_nb and linear_sync by default"
})json";

constexpr char const* rings_schema = R"json({
"type": "integer", "minimum": 1, "maximum": 4096,
"description": "the number of copies of the algorithm that run at the same time, each with a part of the vector or of each block, and with its own order of hosts and NICs, as in NCCL; 1 by default"
})json";

constexpr char const* group_size_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "required by locality_bruck: the number of consecutive ranks in a group, such as the ranks of a host; p must be a multiple of it"
})json";

constexpr char const* distances_schema = R"json({
"type": "string", "enum": "distances",
"description": "whether binomial and bine begin with the farthest partner (falling) or with the nearest one (rising); falling by default"
})json";

constexpr char const* children_schema = R"json({
"type": "string", "enum": "children",
"description": "whether a rank of binomial, knomial or bine exchanges with its children in one round each, or with all in the same round, as MPI libraries with non-blocking messages do; in_turn by default"
})json";

constexpr char const* segment_schema = R"json({
"type": "string", "title": "a string with a unit such as \"64KiB\"",
"description": "the bytes of a segment, for algorithms that send a vector along a chain or a tree; the whole vector by default"
})json";

constexpr char const* extents_schema = R"json({
"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
"items": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the ranks along a dimension, a power of two"},
"description": "for swing, bine and their latency variants: the torus on which the ranks lie, row by row; partners then follow its dimensions in turn, instead of one ring of all ranks"
})json";

constexpr char const* rank_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each rank, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "for the v variants: the size of each rank's block, as a list, or as an expression of the rank r, p and m, such as m*(1+r)"
})json";

constexpr char const* pair_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each source and target, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "for alltoallv: the size of each block, as a list that begins with the blocks of rank 0 to all ranks, or as an expression of source, target, p and m, such as m*(1+source)"
})json";

constexpr char const* commutative_schema = R"json({
"type": "boolean",
"description": "whether the operator commutes. If false, contributions must be joined in the order of their ranks, and algorithms of reduce, reduce_scatter and scans that do not keep this order are refused; true by default"
})json";

constexpr char const* same_bits_schema = R"json({
"type": "boolean",
"description": "if true, all ranks must get the result with the same parenthesisation, so that all bits are equal; false by default"
})json";

constexpr char const* benchmark_schema = R"json({
"type": "boolean",
"description": "measure the time as benchmarks do: ranks leave a barrier, each measures by its own clock, and the longest time counts. Theory and bounds then have no time; false by default"
})json";

void expect_sizes_fit(Place const& collective, problem::Classical const& problem) {
  if (!collective.has("block_sizes") || !problem.sizes.expression.empty()) return;
  auto const p = static_cast<std::size_t>(problem.ranks);
  bool const of_pairs = problem.collective == ClassicalCollective::alltoall;
  std::size_t const expected = of_pairs ? p * p : p;
  if (problem.sizes.each.size() == expected) return;
  throw collective["block_sizes"].error(fmt::format("expected {} sizes, one for each {}, got {}", expected,
                                                    of_pairs ? "source and target" : "rank",
                                                    problem.sizes.each.size()));
}

/// The ways between the ranks, if the machine carries as many.
std::shared_ptr<RoutedNetwork const> network_for_forest(problem::Classical const& problem, Platform const& machine,
                                                        Place const& collective) {
  if (std::holds_alternative<PlatformFile>(machine.topology)) {
    throw error_at(collective.file, "/algorithm",
                   "expected an algorithm other than forest on a platform file, whose links are not known");
  }
  if (problem.ranks > ranks(machine)) return nullptr;  // which the machine refuses
  return std::make_shared<RoutedNetwork const>(routed_network(machine, problem.ranks, problem.sizes.block));
}

Problem read_classical(problem::Kind kind, Place const& collective, Setting const& setting) {
  auto const on_all = problem::classical_collective(kind);
  expects(on_all.has_value(), "a reader for each kind of collective");
  problem::Classical problem{*on_all, collective["ranks"].integer(), read_block_sizes(collective, setting.block),
                             known_value<problem::ClassicalAlgorithm>(setting.algorithm)};
  problem.root = collective.value.value("root", problem.root);
  problem.radix = collective.value.value("radix", problem.radix);
  problem.group_size = collective.value.value("group_size", problem.group_size);
  problem.distances = word_at(collective, "distances", problem.distances);
  problem.children = word_at(collective, "children", problem.children);
  problem.extents = collective.value.value("extents", problem.extents);
  if (collective.has("segment")) problem.segment = collective["segment"].size();
  problem.commutative = collective.value.value("commutative", true);
  problem.same_bits = collective.value.value("same_bits", false);
  problem.benchmark = collective.value.value("benchmark", false);
  problem.rings = collective.value.value("rings", 1);
  if (problem.rings > 1) problem.host_of = host_of_each(setting.machine, problem.ranks);
  if (problem.root >= problem.ranks) {
    throw collective["root"].error(
        fmt::format("expected a rank, from 0 to {}, got {}", problem.ranks - 1, problem.root));
  }
  expect_sizes_fit(collective, problem);
  auto const expect_rings = [&] {
    if (problem.rings > 1) collective["rings"].checked([&] { expect_rings_fit(problem); });
  };
  bool const hierarchical = problem.algorithm == problem::ClassicalAlgorithm::hierarchical;
  bool const in_groups = problem.algorithm == problem::ClassicalAlgorithm::locality_bruck;
  // What an algorithm needs said of groups, and nobody says.
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
  if (problem.algorithm == problem::ClassicalAlgorithm::forest && problem.ranks <= problem::most_forest_ranks) {
    problem.network = network_for_forest(problem, setting.machine, collective);
    if (problem.network == nullptr) return problem;
  }
  collective[goes_along_extents(problem) ? "extents" : "ranks"].checked([&] { expect_ranks_fit(problem); });
  return problem;
}

CollectiveKind kind_with(problem::Kind kind, char const* description, Keys const& keys) {
  Keys all{{"ranks", ranks_schema}};
  all.insert(all.end(), keys.begin(), keys.end());
  all.emplace_back("benchmark", benchmark_schema);
  return {kind, branch_text(description, R"(["ranks"])"), std::move(all), read_classical};
}

}  // namespace

std::vector<CollectiveKind> classical_kinds() {
  using enum problem::Kind;
  Keys::value_type const root{"root", root_schema}, radix{"radix", radix_schema},
      group_size{"group_size", group_size_schema}, sizes{"block_sizes", rank_sizes_schema},
      distances{"distances", distances_schema}, children{"children", children_schema},
      segment{"segment", segment_schema}, commutative{"commutative", commutative_schema},
      hierarchy{"hierarchy", hierarchy_schema}, rings{"rings", rings_schema};
  return {
      kind_with(bcast, "MPI_Bcast: the root sends its vector of /block bytes to all ranks",
                {root, segment, radix, distances, children, hierarchy, rings}),
      kind_with(gather, "MPI_Gather: the root receives a block from each rank",
                {root, radix, distances, children, sizes, hierarchy}),
      kind_with(scatter, "MPI_Scatter: the root sends a different block to each rank",
                {root, radix, distances, children, sizes, hierarchy}),
      kind_with(allgather, "MPI_Allgather: every rank receives a block from each rank",
                {radix, group_size, distances, sizes, hierarchy, rings}),
      kind_with(alltoall, "MPI_Alltoall: every rank sends a different block to every other rank",
                {radix, {"block_sizes", pair_sizes_schema}, hierarchy}),
      kind_with(reduce, "MPI_Reduce: the root receives the joined vectors of all ranks, of /block bytes each",
                {root, commutative, segment, radix, distances, children, hierarchy}),
      kind_with(reduce_scatter, "MPI_Reduce_scatter: each rank receives its block of the joined vectors of all ranks",
                {commutative, distances, sizes, hierarchy, rings}),
      kind_with(scan, "MPI_Scan: each rank receives the joined vectors of all ranks up to itself", {commutative}),
      kind_with(exscan, "MPI_Exscan: each rank receives the joined vectors of all ranks before it", {commutative}),
      kind_with(allreduce, "MPI_Allreduce: every rank receives the joined vectors of all ranks, of /block bytes each",
                {segment,
                 radix,
                 {"extents", extents_schema},
                 commutative,
                 {"same_bits", same_bits_schema},
                 hierarchy,
                 rings}),
      kind_with(barrier, R"(MPI_Barrier: no rank ends before every rank has begun; /block is \"0B\")",
                {radix, hierarchy}),
  };
}

}  // namespace rondo::scenario
