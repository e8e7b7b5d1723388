// The third witness: SimGrid ships Open MPI's, MPICH's and MVAPICH's collectives, which nobody here wrote. What they
// send is what our schedules of the same algorithms send, message by message, or the table of docs/witness.md says why
// not.

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/library_messages.hpp"

namespace rondo {
namespace {

using enum problem::ClassicalAlgorithm;
using Collective = ClassicalCollective;
using problem::Classical;
using problem::ClassicalAlgorithm;

/// A size that a rank's block or vector may have, in bytes, and the segment that SMPI's algorithm takes for it.
struct Size {
  std::int64_t a_rank;  ///< bytes a rank: of a block, or of each of p parts of a vector
  std::int64_t segment = 0;
};

struct Row {
  Collective collective;
  char const* theirs;
  ClassicalAlgorithm ours;
  std::vector<Size> sizes;
};

std::vector<Size> const blocks = {{1}, {64}, {3001}};
std::vector<Size> const vectors = {{1}, {64}, {8000}};
std::vector<Size> const nothing = {{0}};

std::vector<Row> const equal = {
    {Collective::allgather, "NTSLR", ring, blocks},
    {Collective::allgather, "NTSLR_NB", ring, blocks},
    {Collective::allgather, "ompi_neighborexchange", neighbor_exchange, blocks},
    {Collective::allgather, "rdb", recursive_doubling, blocks},
    {Collective::allgather, "bruck", bruck, blocks},
    {Collective::alltoall, "basic_linear", linear, blocks},
    {Collective::alltoall, "bruck", bruck, blocks},
    {Collective::alltoall, "ring", pairwise, blocks},
    {Collective::alltoall, "mvapich2_scatter_dest", spread_out, blocks},
    {Collective::bcast, "binomial_tree", binomial, vectors},
    {Collective::bcast, "flattree", linear, vectors},
    {Collective::bcast, "scatter_LR_allgather", scatter_ring_allgather, vectors},
    {Collective::bcast, "scatter_rdb_allgather", scatter_allgather, vectors},
    {Collective::bcast, "NTSL", pipeline, {{64, 8192}, {8192, 8192}}},
    {Collective::gather, "ompi_basic_linear", linear, blocks},
    {Collective::gather, "ompi_binomial", binomial, blocks},
    {Collective::scatter, "ompi_basic_linear", linear, blocks},
    {Collective::scatter, "ompi_linear_nb", linear, blocks},
    {Collective::scatter, "ompi_binomial", binomial, blocks},
    {Collective::allreduce, "rdb", recursive_doubling, vectors},
    {Collective::allreduce, "lr", ring, {{64}, {8000}}},
    {Collective::allreduce, "ompi_ring_segmented", segmented_ring, {{64}, {8000}}},
    {Collective::barrier, "ompi_basic_linear", linear, nothing},
    {Collective::barrier, "ompi_two_procs", two_process, nothing},
    {Collective::barrier, "ompi_tree", binomial, nothing},
    {Collective::barrier, "ompi_bruck", bruck, nothing},
    {Collective::barrier, "ompi_recursivedoubling", recursive_doubling, nothing},
    {Collective::barrier, "ompi_doublering", ring, nothing},
    {Collective::barrier, "mvapich2_pair", recursive_doubling, nothing},
};

bool is_power_of_two(int p) { return (p & (p - 1)) == 0; }

/// What differs, and for which numbers of ranks; docs/witness.md says why.
struct Different {
  Row row;
  std::function<bool(int p)> differs;
};

std::vector<Different> const different = {
    {{Collective::allgather, "ring", ring, blocks}, [](int p) { return p > 2; }},
    {{Collective::allgather, "spreading_simple", ring, blocks}, [](int p) { return p > 2; }},
    {{Collective::allgather, "GB", linear, blocks}, [](int p) { return p > 3; }},
    {{Collective::alltoall, "ring_light_barrier", pairwise, {{64}}}, [](int p) { return p > 2; }},
    {{Collective::gather, "ompi_linear_sync", linear_sync, {{3001}}}, [](int /*p*/) { return true; }},
    {{Collective::allreduce, "rab_rdb", rabenseifner, {{64}}}, [](int p) { return !is_power_of_two(p); }},
    {{Collective::allreduce, "mvapich2_rs", rabenseifner, {{64}}}, [](int p) { return !is_power_of_two(p); }},
    {{Collective::allreduce, "redbcast", nonoverlapping, vectors}, [](int p) { return p > 3; }},
};

Classical problem_of(Row const& row, Size const& size, int p) {
  std::int64_t const bytes = of_vectors(row.collective) ? size.a_rank * p : size.a_rank;
  Classical problem{row.collective, p, Bytes(bytes), row.ours};
  problem.segment = Bytes(size.segment);
  return problem;
}

/// What the library sends otherwise than the schedule; empty for nothing.
std::string difference_of(Row const& row, Size const& size, int p) {
  Classical const problem = problem_of(row, size, p);
  test::LibraryRun const run = test::library_messages(problem, row.theirs);
  if (!run.error.empty()) return run.error;
  return test::difference(run.messages, test::schedule_messages(problem));
}

std::string name(Row const& row, int p) { return std::string(row.theirs) + " of " + std::to_string(p) + " ranks"; }

void expect_equal(std::vector<int> const& ranks) {
  for (Row const& row : equal) {
    for (int const p : ranks) {
      if ((row.ours == two_process && p != 2) || (row.ours == neighbor_exchange && p % 2 != 0)) continue;
      for (Size const& size : row.sizes) EXPECT_EQ(difference_of(row, size, p), "") << name(row, p);
    }
  }
}

TEST(ThirdWitness, sends_what_the_schedules_send) { expect_equal({2, 3, 5, 8, 12}); }

/// A quarter of an hour: .ci/long runs it.
TEST(ThirdWitness, DISABLED_sends_what_the_schedules_send_on_2_to_33_and_more_ranks) {
  std::vector<int> ranks;
  for (int p = 2; p <= 33; ++p) ranks.push_back(p);
  ranks.insert(ranks.end(), {64, 100, 127});
  expect_equal(ranks);
}

TEST(ThirdWitness, sends_something_else_where_the_page_says_so) {
  for (auto const& [row, differs] : different) {
    for (int const p : {2, 3, 4, 6, 8}) {
      for (Size const& size : row.sizes) {
        EXPECT_EQ(!difference_of(row, size, p).empty(), differs(p)) << name(row, p);
      }
    }
  }
}

}  // namespace
}  // namespace rondo
