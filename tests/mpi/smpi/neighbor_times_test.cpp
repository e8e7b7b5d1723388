// Which algorithm neighborhood collectives take, seen from outside: the simulated time of each is another one.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "engine/engine.hpp"
#include "generate/generate.hpp"
#include "mpi/graph_exchange.hpp"
#include "problems.hpp"
#include "rondo/collectives.h"
#include "simulated_ranks.hpp"

namespace rondo::mpi::testing {
namespace {

constexpr int ranks = 16;
constexpr double alpha = 1e-6, beta = 1e-9;

/// Complete: all neighbors of two friends are common ones, so that combining once halves the messages of a rank and is
/// the faster for small blocks, whatever is drawn. choices_that_pay has graphs on which it need not be.
ProcessGraph const& graph() {
  static ProcessGraph const made = erdos_renyi(ranks, 1, 1);
  return made;
}

/// The engine's times for small blocks on this graph by common neighbors.
struct {
  double alltoall = 0, allgather = 0;
} expected_times;

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
/// 8 in an allgather (docs/notes.md#exact-counts).
MPI_Comm moore(World const& world, char const* algorithm, int first_closed = 1, int second_closed = 1) {
  MPI_Comm named = MPI_COMM_NULL, result = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int extents[] = {4, 4}, periods[] = {first_closed, second_closed}, size = 0, count = 0, offsets[16] = {},
      neighbors[8] = {};
  Rondo_Cart_name(named, 2, RONDO_ROWMAJOR, extents, periods, &size);
  Rondo_Cart_neighbors(named, world.rank, RONDO_CHEBYCHEV_DISTANCE, 1, 1, 8, offsets);
  Rondo_Cart_neighbors_count(named, world.rank, RONDO_CHEBYCHEV_DISTANCE, 1, 1, &count);
  Rondo_Cart_allranks_relative(named, world.rank, count, offsets, neighbors);
  AlgorithmInfo const info(algorithm);
  Rondo_Dist_graph_create_adjacent(named, count, neighbors, MPI_UNWEIGHTED, count, neighbors, MPI_UNWEIGHTED,
                                   info.handle(), 0, &result);
  MPI_Comm_free(&named);
  return result;
}

struct Buffers {
  std::vector<char> sent, received;
  explicit Buffers(int block) : sent(8 * static_cast<std::size_t>(block)), received(sent.size()) {}
};

double blocking_alltoall(MPI_Comm comm, int block, Buffers buffers) {
  return time_of([&] {
    Rondo_Neighbor_alltoall(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm);
  });
}
double blocking_alltoall(MPI_Comm comm, int block) { return blocking_alltoall(comm, block, Buffers(block)); }

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

double blocking_allgather(MPI_Comm comm, int block, Buffers buffers) {
  return time_of([&] {
    Rondo_Neighbor_allgather(buffers.sent.data(), block, MPI_CHAR, buffers.received.data(), block, MPI_CHAR, comm);
  });
}
double blocking_allgather(MPI_Comm comm, int block) { return blocking_allgather(comm, block, Buffers(block)); }

template <typename Call>
double until_all_have(MPI_Comm comm, Call const& call) {
  double const mine = call();
  double last = 0;
  MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  return last;
}

double combined(int messages, int blocks, int block) { return messages * alpha + beta * blocks * block; }
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * b; }

void expect_near(double found, double wanted, char const* what, Report& report) {
  report.expect(near(found, wanted),
                std::string(what) + ": " + std::to_string(found * 1e6) + "us, not " + std::to_string(wanted * 1e6));
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

/// Where dimensions are open, blocks are left out: no longer than on the torus, and less than the messages of a rank in
/// the middle, which has all eight neighbors.
void run_on_open_grids(World const& world, Report& report) {
  constexpr int block = 100;
  for (int const second_closed : {0, 1}) {
    MPI_Comm torus = moore(world, "torus", 0, second_closed);
    double const time = until_all_have(torus, [&] { return blocking_alltoall(torus, block); });
    report.expect(time <= combined(4, 12, block) * (1 + 1e-9) && time < 8 * alpha,
                  "open: " + std::to_string(time * 1e6) + "us");
    MPI_Comm_free(&torus);
  }
}

/// m_cut = (alpha / beta) (8 - 4) / (12 - 8) = 1,000 bytes; in an allgather, W = s: any size.
void run_by_size(World const& world, Report& report) {
  constexpr int below = 999, above = 1001;
  MPI_Comm comm = moore(world, "auto");
  expect_naive(persistent_alltoall(comm, below), below, "persistent", report);
  // An agreement takes 2 log2 16 start-ups, a naive call at least 8: 20 calls are 20 times as much.
  double times[46] = {}, sum = 0;
  for (int call = 1; call <= 45; ++call) {
    times[call] = blocking_alltoall(comm, call < 40 ? below : above);
    sum += times[call];
    report.expect(sum <= 1.05 * call * times[1], "call " + std::to_string(call) + " is paid for");
  }
  expect_naive(times[1], below, "the first call", report);
  expect_naive(times[19], below, "the last call before an agreement", report);
  report.expect(times[20] > combined(4, 12, below) * 1.1, "the twentieth call agrees");
  expect_near(times[21], combined(4, 12, below), "the call after that", report);
  expect_naive(times[41], above, "a call after an agreement on larger blocks", report);
  expect_naive(non_blocking_alltoall(comm, below), below, "non-blocking", report);
  for (int call = 1; call <= 21; ++call) times[call] = blocking_allgather(comm, 100 * above);
  expect_near(times[21], combined(4, 8, 100 * above), "an allgather of any size", report);
  MPI_Comm_free(&comm);
}

/// Start-ups side by side: nothing is faster than one message for each edge, and nobody asks.
void run_where_startups_overlap(World const& world, Report& report) {
  setenv("RONDO_NEIGHBOR_STARTUPS", "overlapping", 1);
  MPI_Comm comm = moore(world, "auto");
  for (int call = 1; call <= 45; ++call) {
    int const before = call;
    double const time = blocking_alltoall(comm, 8);
    expect_naive(time, 8, ("call " + std::to_string(before)).c_str(), report);
  }
  MPI_Comm_free(&comm);
}

/// The same neighborhood on a communicator without names, by absolute ranks.
void run_on_a_torus_in_disguise(World const& world, Report& report) {
  constexpr int block = 100;
  for (char const* const named : {"", "4,4", "2,8"}) {
    MPI_Barrier(world.comm);
    setenv("RONDO_NEIGHBOR_TORUS", named, 1);
    MPI_Barrier(world.comm);
    MPI_Comm plain = MPI_COMM_NULL, like = moore(world, "naive");
    int neighbors[8] = {};
    Rondo_Dist_graph_neighbors(like, 0, nullptr, MPI_UNWEIGHTED, 8, neighbors, MPI_UNWEIGHTED);
    AlgorithmInfo const info("torus");
    Rondo_Dist_graph_create_adjacent(world.comm, 8, neighbors, MPI_UNWEIGHTED, 8, neighbors, MPI_UNWEIGHTED,
                                     info.handle(), 0, &plain);
    double const time = blocking_alltoall(plain, block);
    if (std::string(named) == "2,8")
      expect_naive(time, block, "a wrong torus", report);
    else
      expect_near(time, combined(4, 12, block), "a torus in disguise", report);
    MPI_Comm_free(&plain);
    MPI_Comm_free(&like);
  }
}

/// The ranks of a random graph, each with its own part.
MPI_Comm random_graph(World const& world, char const* algorithm, ProcessGraph const& of = graph()) {
  std::vector<int> sources, targets;
  for (Neighbor const& each : of.sources(Rank(world.rank))) sources.push_back(each.rank.value);
  for (Neighbor const& each : of.targets(Rank(world.rank))) targets.push_back(each.rank.value);
  AlgorithmInfo const info(algorithm);
  MPI_Comm result = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
                                   static_cast<int>(targets.size()), targets.data(), MPI_UNWEIGHTED, info.handle(), 0,
                                   &result);
  return result;
}

double all_alltoall(MPI_Comm comm, int block) {
  Buffers buffers(2 * block);
  return until_all_have(comm, [&] { return blocking_alltoall(comm, block, buffers); });
}

double all_allgather(MPI_Comm comm, int block) {
  Buffers buffers(2 * block);
  return until_all_have(comm, [&] { return blocking_allgather(comm, block, buffers); });
}

constexpr int small = 8, large = 100000;

/// The time of the last of these calls, before which the ranks have agreed on an algorithm. All together take at most
/// 5 % longer than as many like the first.
template <typename Call>
double settled(Call const& call, Report& report) {
  double const first = call();
  double sum = first, last = 0;
  constexpr int calls = 700;  // they agree in call 651
  for (int i = 1; i < calls; ++i) sum += last = call();
  report.expect(sum <= 1.05 * calls * first,
                "all calls take " + std::to_string(sum / (calls * first)) + " times as long");
  return last;
}

void as_the_engine(World const& world, Report& report) {
  MPI_Comm comm = random_graph(world, "common_neighbors");
  expect_near(all_alltoall(comm, small), expected_times.alltoall, "all-to-all", report);
  expect_near(all_allgather(comm, small), expected_times.allgather, "allgather", report);
  MPI_Comm_free(&comm);
}

/// Below a cut-off blocks go by way of friends.
void common_neighbors_by_size(World const& world, Report& report) {
  MPI_Comm chosen = random_graph(world, "auto"), naive = random_graph(world, "naive");
  expect_near(settled([&] { return all_alltoall(chosen, small); }, report), expected_times.alltoall, "small blocks",
              report);
  report.expect(expected_times.alltoall < all_alltoall(naive, small), "which is faster");
  MPI_Comm_free(&chosen);
  chosen = random_graph(world, "auto");
  expect_near(settled([&] { return all_alltoall(chosen, large); }, report), all_alltoall(naive, large), "large blocks",
              report);
  MPI_Comm copy = MPI_COMM_NULL, other = MPI_COMM_NULL;
  AlgorithmInfo const info("common_neighbors");
  Rondo_Comm_dup(naive, &copy);
  Rondo_Comm_dup_with_info(naive, info.handle(), &other);
  expect_near(all_alltoall(copy, small), all_alltoall(naive, small), "a duplicate does as its original", report);
  expect_near(all_alltoall(other, small), expected_times.alltoall, "a duplicate with an info as that says", report);
  Rondo_Comm_set_info(naive, info.handle());
  expect_near(all_alltoall(naive, small), expected_times.alltoall, "an info that comes later", report);
  for (MPI_Comm* comm : {&chosen, &naive, &copy, &other}) MPI_Comm_free(comm);
}

/// Where blocks go by way of friends, this is faster.
void choices_that_pay(World const& world, Report& report) {
  int combined = 0;
  int const last = world.effort == Effort::sampled ? 9 : 0;
  for (int k = 9; k >= last; k -= 3) {
    ProcessGraph const other = erdos_renyi(ranks, 0.45 + 0.05 * k, static_cast<std::uint64_t>(k));
    MPI_Comm chosen = random_graph(world, "auto", other), naive = random_graph(world, "naive", other);
    double const by_choice = settled([&] { return all_alltoall(chosen, small); }, report),
                 alone = all_alltoall(naive, small);
    report.expect(by_choice <= alone * (1 + 1e-9), "graph " + std::to_string(k) + ": " +
                                                       std::to_string(by_choice * 1e6) + "us instead of " +
                                                       std::to_string(alone * 1e6));
    combined += near(by_choice, alone) ? 0 : 1;
    MPI_Comm_free(&chosen);
    MPI_Comm_free(&naive);
  }
  report.expect(combined > 0, "some combine");
}

/// What the engine says of the schedules of all ranks, made centrally.
void ask_the_engine() {
  Platform platform;
  platform.topology = FullyConnected{ranks};
  platform.latency = Seconds(alpha);
  platform.bandwidth = BytesPerSecond(1 / beta);
  auto const pattern = generate::common_neighbors(graph());
  ASSERT_GT(pattern.iterations.size(), 0u);
  problem::BlockSizes const sizes(Bytes{small});
  EngineOptions options;
  options.payload = Payload::timing;
  Outcome const alltoall =
      simulate_smpi(generate::neighbor_common_neighbors(test::neighbor_alltoall(graph(), sizes), pattern),
                    NeighborAlltoall{graph()}, platform, options);
  Outcome const allgather =
      simulate_smpi(generate::neighbor_common_neighbors(test::neighbor_allgather(graph(), sizes), pattern),
                    NeighborAllgather{graph()}, platform, options);
  ASSERT_TRUE(alltoall.result && allgather.result);
  expected_times = {alltoall.result->makespan.value, allgather.result->makespan.value};
}

TEST(NeighborTimes, of_named_algorithms_are_those_of_the_theory) {
  EXPECT_EQ(run_simulated({"by_name", run_by_name}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, are_no_longer_on_open_grids) {
  EXPECT_EQ(run_simulated({"on_open_grids", run_on_open_grids}, ranks, Times::exact), std::vector<std::string>());
}

TEST(LongNeighborTimes, tell_that_the_size_of_blocks_chooses_on_a_cartesian_graph) {
  EXPECT_EQ(run_simulated({"by_size", run_by_size}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, are_those_of_naive_where_startups_overlap) {
  EXPECT_EQ(run_simulated({"overlap", run_where_startups_overlap}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, on_a_torus_in_disguise_are_those_on_a_torus) {
  EXPECT_EQ(run_simulated({"disguise", run_on_a_torus_in_disguise}, ranks, Times::exact), std::vector<std::string>());
}

TEST(NeighborTimes, of_common_neighbors_are_those_of_the_schedule_for_all_ranks) {
  ask_the_engine();
  EXPECT_EQ(run_simulated({"as_the_engine", as_the_engine}, ranks, Times::exact), std::vector<std::string>());
}

TEST(LongNeighborTimes, DISABLED_tell_that_the_size_of_blocks_chooses_on_other_graphs) {
  ask_the_engine();
  EXPECT_EQ(run_simulated({"on_other_graphs", common_neighbors_by_size}, ranks, Times::exact),
            std::vector<std::string>());
}

TEST(LongNeighborTimes, are_shorter_where_common_neighbors_were_chosen) {
  EXPECT_EQ(run_simulated({"choices_that_pay", choices_that_pay}, ranks, Times::exact), std::vector<std::string>());
}

}  // namespace
}  // namespace rondo::mpi::testing
