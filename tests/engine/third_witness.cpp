// The third witness: SimGrid ships Open MPI's, MPICH's and MVAPICH's collectives, which nobody here wrote. What they
// send is what our schedules of the same algorithms send, message by message, or the table of docs/witness.md says why
// not.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/library_messages.hpp"
#include "engine/witness_rows.hpp"
#include "sanitized.hpp"

// SimGrid's library exports it, and no header that it installs declares it.
namespace simgrid::smpi {
struct s_mpi_coll_description_t {
  std::string name, description;
  void* collective;
};
namespace colls {
std::vector<s_mpi_coll_description_t>* get_smpi_coll_descriptions(std::string const& name);
}
}  // namespace simgrid::smpi

namespace rondo {
namespace {

using problem::Classical;
using test::WitnessRow;

/// Some sizes up to four times `most`, every fifth of them 0.
std::vector<Bytes> sizes_by_rank(ClassicalCollective collective, int p, std::int64_t most) {
  std::vector<Bytes> each;
  int const number = collective == ClassicalCollective::alltoall ? p * p : p;
  for (int i = 0; i < number; ++i) each.emplace_back(most * ((i * 7 + 3) % 5));
  return each;
}

Classical problem_of(WitnessRow const& row, std::int64_t bytes, int p, int root) {
  std::int64_t const block = works_on_vector(row.collective) ? bytes * p : bytes;
  Classical problem{row.collective, p, Bytes(block), row.ours};
  problem.root = root;
  if (row.segment != nullptr) problem.segment = Bytes(row.segment(p, block));
  if (row.radix != nullptr) problem.radix = row.radix(p);
  if (row.sizes == test::Sizes::by_rank) problem.sizes.each = sizes_by_rank(row.collective, p, bytes);
  return problem;
}

/// What the library sends otherwise than the schedule; empty for nothing. Where sizes differ, whether messages of no
/// bytes are sent is left to each.
std::string difference_of(WitnessRow const& row, std::int64_t bytes, int p, int root = 0) {
  Classical const problem = problem_of(row, bytes, p, root);
  test::LibraryRun run = test::library_messages(problem, row.theirs);
  if (!run.error.empty()) return run.error;
  test::Messages ours = test::schedule_messages(problem);
  if (row.sizes == test::Sizes::by_rank) {
    for (test::Messages* side : {&run.messages, &ours}) {
      std::erase_if(*side, [](auto const& each) { return std::get<2>(each.first) == 0; });
    }
  }
  return test::difference(run.messages, ours);
}

std::string name(WitnessRow const& row, int p, int root) {
  return enum_name(problem::kind_of(row.collective)) + " " + row.theirs + " of " + std::to_string(p) + " ranks, root " +
         std::to_string(root);
}

void expect_equal(WitnessRow const& row, int p) {
  if (row.ranks != nullptr && !row.ranks(p)) return;
  for (std::int64_t const bytes : row.bytes) {
    EXPECT_EQ(difference_of(row, bytes, p), "") << name(row, p, 0) << ", " << bytes;
  }
  int const root = p - 1 - p / 3;
  if (has_root(row.collective) && row.roots == test::Roots::any && root != 0) {
    EXPECT_EQ(difference_of(row, row.bytes.back(), p, root), "") << name(row, p, root);
  }
}

TEST(ThirdWitness, sends_what_the_schedules_send) {
  for (WitnessRow const& row : test::equal_rows()) {
    for (int const p : {2, 5}) {
      if (test::whole) expect_equal(row, p);
    }
    for (int const p : {3, 8}) expect_equal(row, p);
  }
}

TEST(ThirdWitness, makes_no_more_than_32_chains) {
  for (WitnessRow const& row : test::equal_rows()) {
    if (std::string_view(row.theirs) == "ompi_chain") expect_equal(row, 100);
  }
}

/// Nine minutes: .ci/long runs it.
TEST(ThirdWitness, DISABLED_sends_what_the_schedules_send_on_2_to_33_and_more_ranks) {
  for (WitnessRow const& row : test::equal_rows()) {
    for (int p = 2; p <= 33; ++p) expect_equal(row, p);
    for (int const p : {64, 100, 127}) expect_equal(row, p);
  }
}

TEST(ThirdWitness, sends_something_else_where_the_page_says_so) {
  for (auto const& [row, differs] : test::different_rows()) {
    for (int const p : {2, 3, 4, 6, 8}) {
      for (std::int64_t const bytes : row.bytes) {
        EXPECT_EQ(!difference_of(row, bytes, p).empty(), differs(p)) << name(row, p, 0);
      }
    }
  }
}

/// What chooses among the others by size and ranks is no algorithm.
bool is_selector(std::string const& name) {
  for (char const* const each : {"ompi", "mpich", "mvapich2", "impi", "automatic"}) {
    if (name == each) return true;
  }
  return false;
}

TEST(ThirdWitness, every_algorithm_that_the_library_has_stands_on_the_page) {
  std::ifstream file(std::string(RONDO_SOURCE_DIR) + "/docs/witness.md");
  std::string const page{std::istreambuf_iterator<char>(file), {}};
  ASSERT_NE(page, "");
  for (char const* const collective : {"gather", "allgather", "allgatherv", "allreduce", "reduce_scatter", "scatter",
                                       "barrier", "alltoall", "alltoallv", "bcast", "reduce"}) {
    for (auto const& each : *simgrid::smpi::colls::get_smpi_coll_descriptions(collective)) {
      if (is_selector(each.name)) continue;
      bool found = false;
      for (std::size_t at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1)) {
        std::string const line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
        std::string const cell = line.substr(0, line.find(" | ", line.find(" | ") + 3));
        found = found || (cell.find(std::string("`") + collective + "`") != std::string::npos &&
                          cell.find("`" + each.name + "`") != std::string::npos);
      }
      EXPECT_TRUE(found) << collective << " " << each.name;
    }
  }
}

}  // namespace
}  // namespace rondo
