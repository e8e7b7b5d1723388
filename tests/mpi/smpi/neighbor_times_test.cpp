// Which algorithm neighborhood collectives take, seen from outside: the simulated time of each is another one.

#include <gtest/gtest.h>

#include <cmath>
#include <simgrid/s4u.hpp>

#include "mpi/graph_exchange.hpp"
#include "mpi/rondo_collectives.h"
#include "simulated_ranks.hpp"

namespace rondo::mpi::testing {
namespace {

constexpr int ranks = 16;
constexpr double alpha = 1e-6, beta = 1e-9;

/// The time from a moment at which no rank is busy until this rank has done the work.
template <typename Work>
double time_of(Work const& work) {
  // Further apart than anything takes.
  constexpr double lap = 1e-3;
  double const begin = (std::floor(MPI_Wtime() / lap) + 2) * lap;
  simgrid::s4u::this_actor::sleep_until(begin);
  work();
  return MPI_Wtime() - begin;
}

/// On a closed grid of 4 x 4 to all within Chebyshev distance 1: s = 8, D = 4, and V = 12 blocks in an all-to-all, W =
/// 8 in an allgather [NOTES.md, section 1].
MPI_Comm moore(World const& world, char const* algorithm) {
  MPI_Comm named = MPI_COMM_NULL, result = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int extents[] = {4, 4}, periods[] = {1, 1}, size = 0, offsets[16] = {}, neighbors[8] = {};
  Cart_name(named, 2, ROWMAJOR, extents, periods, &size);
  Cart_neighbors(named, world.rank, CHEBYCHEV_DISTANCE, 1, 1, 8, offsets);
  Cart_allranks_relative(named, world.rank, 8, offsets, neighbors);
  AlgorithmInfo const info(algorithm);
  Rondo_Dist_graph_create_adjacent(named, 8, neighbors, MPI_UNWEIGHTED, 8, neighbors, MPI_UNWEIGHTED, info.handle(), 0,
                                   &result);
  MPI_Comm_free(&named);
  return result;
}

struct Buffers {
  std::vector<char> sent, received;
  explicit Buffers(int block) : sent(8 * static_cast<std::size_t>(block)), received(sent.size()) {}
};

double blocking_alltoall(MPI_Comm comm, int block) {
  Buffers buffers(block);
  return time_of([&] {
    Rondo_Neighbor_alltoall(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm);
  });
}

double non_blocking_alltoall(MPI_Comm comm, int block) {
  Buffers buffers(block);
  MPI_Request request = MPI_REQUEST_NULL;
  return time_of([&] {
    Rondo_Ineighbor_alltoall(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm,
                             &request);
    Rondo_Wait(&request, MPI_STATUS_IGNORE);
  });
}

/// The time of a start after the first one.
double persistent_alltoall(MPI_Comm comm, int block) {
  Buffers buffers(block);
  MPI_Request request = MPI_REQUEST_NULL;
  Rondo_Neighbor_alltoall_init(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm,
                               MPI_INFO_NULL, &request);
  double time = 0;
  for (int start = 0; start < 2; ++start) {
    time = time_of([&] {
      Rondo_Start(&request);
      Rondo_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
  Rondo_Request_free(&request);
  return time;
}

double blocking_allgather(MPI_Comm comm, int block) {
  Buffers buffers(block);
  return time_of([&] {
    Rondo_Neighbor_allgather(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm);
  });
}

double combined(int messages, int blocks, int block) { return messages * alpha + beta * blocks * block; }
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * b; }

void expect_near(double found, double expected, char const* what, Report& report) {
  report.expect(near(found, expected),
                std::string(what) + ": " + std::to_string(found * 1e6) + "us, not " + std::to_string(expected * 1e6));
}

/// Eight messages, at least.
void expect_naive(double found, int block, char const* what, Report& report) {
  report.expect(found >= 8 * (alpha + beta * block) * (1 - 1e-9) && !near(found, combined(4, 12, block)),
                std::string(what) + ": " + std::to_string(found * 1e6) + "us");
}

void run_by_name(World const& world, Report& report) {
  constexpr int block = 100;
  MPI_Comm torus = moore(world, "torus"), naive = moore(world, "naive");
  expect_near(blocking_alltoall(torus, block), combined(4, 12, block), "blocking", report);
  expect_near(non_blocking_alltoall(torus, block), combined(4, 12, block), "non-blocking", report);
  expect_near(persistent_alltoall(torus, block), combined(4, 12, block), "persistent", report);
  expect_near(blocking_allgather(torus, block), combined(4, 8, block), "allgather", report);
  expect_naive(blocking_alltoall(naive, block), block, "blocking", report);
  expect_naive(non_blocking_alltoall(naive, block), block, "non-blocking", report);
  expect_naive(persistent_alltoall(naive, block), block, "persistent", report);
  MPI_Comm_free(&torus);
  MPI_Comm_free(&naive);
}

/// m_cut = (alpha / beta) (8 - 4) / (12 - 8) = 1,000 bytes; in an allgather, W = s: any size.
void run_by_size(World const& world, Report& report) {
  constexpr int below = 999, above = 1001;
  MPI_Comm comm = moore(world, "auto");
  expect_near(persistent_alltoall(comm, below), combined(4, 12, below), "persistent below the cut-off", report);
  expect_naive(persistent_alltoall(comm, above), above, "persistent above it", report);
  double times[9] = {};
  for (int call = 1; call <= 8; ++call) times[call] = blocking_alltoall(comm, call < 4 ? below : above);
  report.expect(times[1] > combined(4, 12, below) * 1.1, "the first call agrees");
  expect_near(times[3], combined(4, 12, below), "the third call", report);
  expect_naive(times[5], above, "the fifth call, after an agreement on larger blocks", report);
  expect_naive(non_blocking_alltoall(comm, below), below, "non-blocking", report);
  for (int call = 1; call <= 3; ++call) times[call] = blocking_allgather(comm, 100 * above);
  expect_near(times[3], combined(4, 8, 100 * above), "an allgather of any size", report);
  MPI_Comm_free(&comm);
}

/// Every rank to the same eight, which are friends of all others: with `common_neighbors` ranks send fewer messages.
MPI_Comm half(World const& world, char const* algorithm) {
  std::vector<int> all(ranks), none;
  for (int rank = 0; rank < ranks; ++rank) all[static_cast<std::size_t>(rank)] = rank;
  std::vector<int> const eight(all.begin(), all.begin() + 8);
  AlgorithmInfo const info(algorithm);
  MPI_Comm result = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, world.rank < 8 ? ranks : 0, all.data(), MPI_UNWEIGHTED, 8, eight.data(),
                                   MPI_UNWEIGHTED, info.handle(), 0, &result);
  return result;
}

/// Small blocks go by way of friends, blocks past (alpha / beta) s / 2 = 8,000 bytes never do.
void common_neighbors_by_size(World const& world, Report& report) {
  MPI_Comm chosen = half(world, "auto"), named = half(world, "common_neighbors"), naive = half(world, "naive");
  auto const allgather = [](MPI_Comm comm, int block) {
    std::vector<char> sent(static_cast<std::size_t>(block)), received(ranks * sent.size());
    double time = 0;
    for (int call = 1; call <= 3; ++call) {
      time = time_of(
          [&] { Rondo_Neighbor_allgather(sent.data(), block, MPI_CHAR, received.data(), block, MPI_CHAR, comm); });
    }
    double last = 0;
    MPI_Allreduce(&time, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    return last;
  };
  report.expect(near(allgather(chosen, 8), allgather(named, 8)), "small blocks by common neighbors");
  report.expect(allgather(named, 8) < allgather(naive, 8), "which is faster");
  MPI_Comm_free(&chosen);
  chosen = half(world, "auto");
  report.expect(near(allgather(chosen, 9000), allgather(naive, 9000)), "large blocks naively");
  for (MPI_Comm* comm : {&chosen, &named, &naive}) MPI_Comm_free(comm);
}

TEST(NeighborTimes, of_named_algorithms_are_those_of_the_theory) {
  EXPECT_EQ(run_simulated({"by_name", run_by_name}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, tell_that_the_size_of_blocks_chooses_on_a_cartesian_graph) {
  EXPECT_EQ(run_simulated({"by_size", run_by_size}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, tell_that_the_size_of_blocks_chooses_on_other_graphs) {
  EXPECT_EQ(run_simulated({"on_other_graphs", common_neighbors_by_size}, ranks, Times::exact),
            std::vector<std::string>());
}

}  // namespace
}  // namespace rondo::mpi::testing
