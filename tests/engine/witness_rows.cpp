#include "witness_rows.hpp"

#include <algorithm>

namespace rondo::test {
namespace {

using Collective = ClassicalCollective;

std::vector<std::int64_t> const blocks = {1, 64, 3001};
std::vector<std::int64_t> const vectors = {1, 64, 8000};
std::vector<std::int64_t> const divided = {64, 8000};  // by any power of two up to 64, too
std::vector<std::int64_t> const nothing = {0};
std::vector<std::int64_t> const by_rank = {1, 64};

// The segments and fan-outs that SMPI's copies of Open MPI's code choose.

constexpr std::int64_t ki = 1024;

std::int64_t of_8k(int /*p*/, std::int64_t /*vector*/) { return 8 * ki; }
std::int64_t of_32k(int /*p*/, std::int64_t /*vector*/) { return 32 * ki; }
std::int64_t of_64k(int /*p*/, std::int64_t /*vector*/) { return 64 * ki; }

std::int64_t of_pipeline(int p, std::int64_t vector) {
  auto const kilobytes = static_cast<double>(vector) / ki;
  if (p > 0.0410 * kilobytes + 9.7128) return ki;
  return p > 0.0033 * kilobytes + 1.6761 ? 32 * ki : 64 * ki;
}

std::int64_t of_binomial(int p, std::int64_t vector) {
  if ((p < 8 && vector < 20 * ki) || vector < 2 * ki) return 0;
  return p > 0.6016 * static_cast<double>(vector) / ki + 1.3496 ? ki : 0;
}

/// As SimGrid has at most 32 children in a tree (MAXTREEFANOUT).
int half_of_at_most_32(int p) { return std::clamp(p / 2, 1, 32); }
int four(int /*p*/) { return 4; }

bool even(int p) { return p % 2 == 0; }
bool two(int p) { return p == 2; }
bool power_of_two(int p) { return (p & (p - 1)) == 0; }

bool always(int /*p*/) { return true; }
bool from_3(int p) { return p > 2; }
bool from_4(int p) { return p > 3; }
bool no_power_of_two(int p) { return !power_of_two(p); }

WitnessRow row(Collective collective, char const* theirs, problem::ClassicalAlgorithm ours,
               std::vector<std::int64_t> const& bytes) {
  return {.collective = collective, .theirs = theirs, .ours = ours, .bytes = bytes};
}

WitnessRow on(bool (*ranks)(int), WitnessRow row) {
  row.ranks = ranks;
  return row;
}

WitnessRow in_segments(std::int64_t (*segment)(int, std::int64_t), WitnessRow row) {
  row.segment = segment;
  return row;
}

WitnessRow with_radix(int (*radix)(int), WitnessRow row) {
  row.radix = radix;
  return row;
}

/// With rank 0 as the root alone.
WitnessRow from_rank_0(WitnessRow row) {
  row.roots = Roots::rank_0;
  return row;
}

/// The v variant.
WitnessRow v(Collective collective, char const* theirs, problem::ClassicalAlgorithm ours) {
  WitnessRow result = row(collective, theirs, ours, by_rank);
  result.sizes = Sizes::by_rank;
  return result;
}

}  // namespace

std::vector<WitnessRow> const& equal_rows() {
  using enum ClassicalCollective;
  static std::vector<WitnessRow> const rows = {
      row(allgather, "default", "direct_messaging", blocks),
      row(allgather, "ring", "direct_messaging", blocks),
      row(allgather, "spreading_simple", "direct_messaging", blocks),
      v(allgather, "default", "direct_messaging"),
      v(allgather, "ring", "direct_messaging"),
      row(allgather, "NTSLR", "ring", blocks),
      row(allgather, "NTSLR_NB", "ring", blocks),
      on(even, row(allgather, "ompi_neighborexchange", "neighbor_exchange", blocks)),
      row(allgather, "rdb", "recursive_doubling", blocks),
      row(allgather, "bruck", "bruck", blocks),
      on(even, v(allgather, "ompi_neighborexchange", "neighbor_exchange")),
      v(allgather, "ompi_bruck", "bruck"),
      v(allgather, "mpich_rdb", "recursive_doubling"),
      v(allgather, "mpich_ring", "ring"),
      row(alltoall, "basic_linear", "linear", blocks),
      row(alltoall, "bruck", "bruck", blocks),
      row(alltoall, "ring", "pairwise", blocks),
      on(power_of_two, row(alltoall, "pair", "pairwise", blocks)),
      row(alltoall, "mvapich2_scatter_dest", "spread_out", blocks),
      v(alltoall, "ompi_basic_linear", "linear"),
      v(alltoall, "bruck", "spread_out"),
      v(alltoall, "default", "linear"),
      v(alltoall, "ring_one_barrier", "pairwise"),
      v(alltoall, "ring_mpi_barrier", "pairwise"),
      v(alltoall, "ring", "pairwise"),
      on(power_of_two, v(alltoall, "pair", "pairwise")),
      row(bcast, "binomial_tree", "binomial", vectors),
      row(bcast, "flattree", "linear", vectors),
      row(bcast, "scatter_LR_allgather", "scatter_ring_allgather", vectors),
      row(bcast, "scatter_rdb_allgather", "scatter_allgather", vectors),
      from_rank_0(in_segments(of_8k, row(bcast, "NTSL", "pipeline", {64, 8192}))),
      from_rank_0(in_segments(of_8k, row(bcast, "NTSL_Isend", "pipeline", {64, 8192}))),
      row(gather, "ompi_basic_linear", "linear", blocks),
      row(gather, "ompi_binomial", "binomial", blocks),
      v(gather, "default", "linear"),
      row(scatter, "ompi_basic_linear", "linear", blocks),
      row(scatter, "ompi_linear_nb", "linear_nb", blocks),
      row(scatter, "ompi_binomial", "binomial", blocks),
      v(scatter, "default", "linear"),
      row(reduce, "default", "linear", vectors),
      row(reduce, "flat_tree", "linear", vectors),
      row(reduce, "ompi_basic_linear", "linear", vectors),
      row(reduce, "binomial", "binomial", vectors),
      in_segments(of_binomial, row(reduce, "ompi_binomial", "binomial", vectors)),
      in_segments(of_pipeline, row(reduce, "ompi_pipeline", "pipeline", vectors)),
      in_segments(of_64k, with_radix(half_of_at_most_32, row(reduce, "ompi_chain", "chain", vectors))),
      in_segments(of_32k, row(reduce, "ompi_binary", "binary", vectors)),
      row(reduce, "ompi_in_order_binary", "in_order_binary", vectors),
      with_radix(four, row(reduce, "mvapich2_knomial", "knomial", vectors)),
      in_segments(of_8k, row(reduce, "NTSL", "pipeline", {64, 8192})),
      row(reduce, "scatter_gather", "rabenseifner", divided),
      row(reduce_scatter, "default", "linear", blocks),
      row(reduce_scatter, "ompi_basic_recursivehalving", "recursive_halving", blocks),
      row(reduce_scatter, "ompi_ring", "ring", blocks),
      v(reduce_scatter, "ompi_ring", "ring"),
      row(reduce_scatter, "mpich_pair", "pairwise", blocks),
      v(reduce_scatter, "mpich_pair", "pairwise"),
      row(reduce_scatter, "mpich_rdb", "recursive_doubling", blocks),
      v(reduce_scatter, "mpich_rdb", "recursive_doubling"),
      row(reduce_scatter, "ompi_butterfly", "butterfly", blocks),
      v(reduce_scatter, "ompi_butterfly", "butterfly"),
      on(power_of_two, row(reduce_scatter, "mpich_noncomm", "noncommutative", blocks)),
      row(allreduce, "rdb", "recursive_doubling", vectors),
      row(allreduce, "rab", "rabenseifner", divided),
      row(allreduce, "lr", "ring", divided),
      row(allreduce, "ompi_ring_segmented", "segmented_ring", divided),
      row(barrier, "ompi_basic_linear", "linear", nothing),
      on(two, row(barrier, "ompi_two_procs", "two_process", nothing)),
      row(barrier, "ompi_tree", "binomial", nothing),
      row(barrier, "ompi_bruck", "bruck", nothing),
      row(barrier, "ompi_recursivedoubling", "recursive_doubling", nothing),
      row(barrier, "ompi_doublering", "ring", nothing),
      row(barrier, "mvapich2_pair", "recursive_doubling", nothing),
  };
  return rows;
}

std::vector<DifferentRow> const& different_rows() {
  using enum ClassicalCollective;
  static std::vector<DifferentRow> const rows = {
      {row(allgather, "GB", "linear", blocks), from_4},
      {row(allgather, "2dmesh", "ring", {64}), from_3},
      {v(allgather, "GB", "linear"), from_4},
      {row(alltoall, "ring_light_barrier", "pairwise", {64}), from_3},
      {v(alltoall, "ring_light_barrier", "pairwise"), from_3},
      {row(alltoall, "ring_one_barrier", "pairwise", {64}), always},
      {row(alltoall, "ring_mpi_barrier", "pairwise", {64}), always},
      {row(alltoall, "pair_rma", "pairwise", {64}), always},
      {row(gather, "ompi_linear_sync", "linear_sync", {3001}), always},
      {row(bcast, "arrival_pattern_aware", "linear", {64}), always},
      {row(bcast, "arrival_pattern_aware_wait", "linear", {64}), always},
      {row(bcast, "arrival_scatter", "linear", {64}), always},
      {with_radix(four, row(bcast, "mvapich2_knomial_intra_node", "knomial", {64})), always},
      {row(reduce, "arrival_pattern_aware", "linear", {64}), always},
      {row(reduce, "rab", "rabenseifner", {64}), from_3},
      {in_segments(of_8k, row(reduce, "NTSL", "pipeline", {8000})), from_3},
      {v(reduce_scatter, "default", "linear"), from_3},
      {row(scan, "default", "linear", {64}), from_3},
      {row(exscan, "default", "linear", {64}), from_3},
      {row(allreduce, "rab_rdb", "rabenseifner", {64}), no_power_of_two},
      {row(allreduce, "mvapich2_rs", "rabenseifner", {64}), no_power_of_two},
      {row(allreduce, "redbcast", "nonoverlapping", vectors), from_4},
  };
  return rows;
}

}  // namespace rondo::test
