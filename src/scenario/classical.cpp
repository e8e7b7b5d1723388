#include <fmt/format.h>

#include "scenario/hierarchy.hpp"
#include "scenario/kinds.hpp"

namespace rondo::scenario {
namespace {

constexpr char const* ranks_schema = R"json({
"type": "integer", "minimum": 1, "maximum": 16777216, "description": "p: the ranks that take part, 0 .. p-1"
})json";

constexpr char const* radix_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "k of knomial and bruck, the chains of chain, the messages at once of spread_out and linear_nb, and of linear_sync in an alltoall; 4 for knomial and chain, 2 for bruck, 32 for spread_out, all for linear_nb and linear_sync by default"
})json";

constexpr char const* group_size_schema = R"json({
"type": "integer", "minimum": 2, "maximum": 16777216,
"description": "of locality_bruck, which needs it: the ranks of a group, 0 .. group_size-1 and so on, such as those of a host; p is a multiple of it"
})json";

constexpr char const* distances_schema = R"json({
"type": "string", "enum": "distances",
"description": "whether binomial and bine begin with the farthest partner or with the nearest; falling by default"
})json";

constexpr char const* children_schema = R"json({
"type": "string", "enum": "children",
"description": "whether a rank of binomial, knomial or bine sends to its children (or receives from them) in rounds one after the other, or to all in one, as MPI libraries do that post them without blocking; in_turn by default"
})json";

constexpr char const* segment_schema = R"json({
"type": "string", "title": "a string with a unit such as \"64KiB\"",
"description": "the bytes of a segment of a vector that is sent down a chain or a tree; the whole vector by default"
})json";

constexpr char const* extents_schema = R"json({
"type": "array", "title": "a list of 1 to 64 extents", "minItems": 1, "maxItems": 64,
"items": {"type": "integer", "minimum": 1, "maximum": 16777216, "description": "the ranks along a dimension, a power of two"},
"description": "of swing, bine and their latency variants: the torus on which the ranks lie, row by row; partners then lie along its dimensions in turn, instead of along one ring of all ranks"
})json";

constexpr char const* rank_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each rank, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each rank's block where they differ (the v variants): a list, or bytes as an expression in the rank r, p and m, such as m*(1+r)"
})json";

constexpr char const* pair_sizes_schema = R"json({
"type": ["array", "string"],
"title": "a list of sizes, one for each source and target, or an expression",
"minItems": 1,
"minLength": 1,
"items": {"type": "string", "title": "a string with a unit such as \"64KiB\"", "description": "the size of a block"},
"description": "the size of each block where they differ (alltoallv): a list, those of rank 0 to all ranks first, or bytes as an expression in source, target, p and m, such as m*(1+source)"
})json";

constexpr char const* commutative_schema = R"json({
"type": "boolean",
"description": "whether the operator commutes; false: the proof asks that contributions are joined in the order of their ranks, and of algorithms for reduce, reduce_scatter and scans those that do not are refused; true by default"
})json";

constexpr char const* same_bits_schema = R"json({
"type": "boolean",
"description": "true: the proof asks that all ranks get the result by the same parenthesisation, so that no bit of it differs; false by default"
})json";

constexpr char const* benchmark_schema = R"json({
"type": "boolean",
"description": "time it as benchmarks do: ranks leave a barrier, each takes the time by its own clock, and the longest counts; theory and bounds have no time then; false by default"
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
  if (problem.root >= problem.ranks) {
    throw collective["root"].error(
        fmt::format("expected a rank, from 0 to {}, got {}", problem.ranks - 1, problem.root));
  }
  expect_sizes_fit(collective, problem);
  if (problem.algorithm == problem::ClassicalAlgorithm::locality_bruck && problem.group_size == 0) {
    throw collective.error("expected \"group_size\" for locality_bruck, got none");
  }
  if (problem.algorithm == problem::ClassicalAlgorithm::hierarchical) {
    if (!collective.has("hierarchy")) collective.checked([&] { expect_ranks_fit(problem); });
    problem.hierarchy = read_hierarchy(collective["hierarchy"], problem.ranks, setting.machine);
    check_hierarchy(collective["hierarchy"], problem);
    return problem;
  }
  collective[goes_along_extents(problem) ? "extents" : "ranks"].checked([&] { expect_ranks_fit(problem); });
  return problem;
}

CollectiveKind kind_with(problem::Kind kind, char const* branch, Keys const& keys) {
  Keys all{{"ranks", ranks_schema}};
  all.insert(all.end(), keys.begin(), keys.end());
  all.emplace_back("benchmark", benchmark_schema);
  return {kind, branch, std::move(all), read_classical};
}

}  // namespace

std::vector<CollectiveKind> classical_kinds() {
  using enum problem::Kind;
  Keys::value_type const root{"root", root_schema}, radix{"radix", radix_schema},
      group_size{"group_size", group_size_schema}, sizes{"block_sizes", rank_sizes_schema},
      distances{"distances", distances_schema}, children{"children", children_schema},
      segment{"segment", segment_schema}, commutative{"commutative", commutative_schema},
      hierarchy{"hierarchy", hierarchy_schema};
  return {
      kind_with(bcast, R"json({
        "description": "MPI_Bcast: the root's vector, of /block bytes, comes to all ranks",
        "required": ["kind", "ranks"]
      })json",
                {root, segment, radix, distances, children, hierarchy}),
      kind_with(gather, R"json({
        "description": "MPI_Gather: the root gets a block of each rank",
        "required": ["kind", "ranks"]
      })json",
                {root, radix, distances, children, sizes, hierarchy}),
      kind_with(scatter, R"json({
        "description": "MPI_Scatter: each rank gets a block of the root",
        "required": ["kind", "ranks"]
      })json",
                {root, radix, distances, children, sizes, hierarchy}),
      kind_with(allgather, R"json({
        "description": "MPI_Allgather: all ranks get a block of each",
        "required": ["kind", "ranks"]
      })json",
                {radix, group_size, distances, sizes, hierarchy}),
      kind_with(alltoall, R"json({
        "description": "MPI_Alltoall: each rank gets a block of its own of each",
        "required": ["kind", "ranks"]
      })json",
                {radix, {"block_sizes", pair_sizes_schema}, hierarchy}),
      kind_with(reduce, R"json({
        "description": "MPI_Reduce: the root gets the vectors of all ranks, of /block bytes, joined",
        "required": ["kind", "ranks"]
      })json",
                {root, commutative, segment, radix, distances, children, hierarchy}),
      kind_with(reduce_scatter, R"json({
        "description": "MPI_Reduce_scatter: each rank gets its block of the vectors of all ranks, joined",
        "required": ["kind", "ranks"]
      })json",
                {commutative, distances, sizes, hierarchy}),
      kind_with(scan, R"json({
        "description": "MPI_Scan: each rank gets the vectors of all ranks up to it, joined",
        "required": ["kind", "ranks"]
      })json",
                {commutative}),
      kind_with(exscan, R"json({
        "description": "MPI_Exscan: each rank gets the vectors of all ranks before it, joined",
        "required": ["kind", "ranks"]
      })json",
                {commutative}),
      kind_with(allreduce, R"json({
        "description": "MPI_Allreduce: all ranks get the vectors of all, of /block bytes each, joined",
        "required": ["kind", "ranks"]
      })json",
                {segment, radix, {"extents", extents_schema}, commutative, {"same_bits", same_bits_schema}, hierarchy}),
      kind_with(barrier, R"json({
        "description": "MPI_Barrier: nobody ends before everybody has begun; /block is \"0B\"",
        "required": ["kind", "ranks"]
      })json",
                {radix, hierarchy}),
  };
}

}  // namespace rondo::scenario
