// Which algorithm a neighborhood collective takes, and what becomes of errors when it combines.

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "mpi/graph_exchange.hpp"
#include "rondo/collectives.h"
#include "rondo/isomorphic.h"

namespace rondo::mpi::testing {
namespace {

/// On a closed line of all ranks, to the next four: a Cartesian graph in which ranks have many common neighbors.
MPI_Comm next_four(World const& world, MPI_Info info, int* code) {
  MPI_Comm named = MPI_COMM_NULL, result = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int extent = world.size, period = 1, size = 0;
  Rondo_Cart_name(named, 1, RONDO_ROWMAJOR, &extent, &period, &size);
  std::array<int, 4> sources{}, targets{};
  for (int i = 0; i < 4; ++i) {
    targets[static_cast<std::size_t>(i)] = (world.rank + i + 1) % world.size;
    sources[static_cast<std::size_t>(i)] = (world.rank + 4 * world.size - i - 1) % world.size;
  }
  *code = Rondo_Dist_graph_create_adjacent(named, 4, sources.data(), MPI_UNWEIGHTED, 4, targets.data(), MPI_UNWEIGHTED,
                                           info, 0, &result);
  MPI_Comm_free(&named);
  return result;
}

void wrong_names_of_algorithms(World const& world, Report& report) {
  int code = MPI_SUCCESS;
  {
    AlgorithmInfo const info("fastest");
    MPI_Comm const none = next_four(world, info.handle(), &code);
    report.expect(code == MPI_ERR_INFO_VALUE && none == MPI_COMM_NULL, "an info with another name");
  }
  AlgorithmInfo const info(world.rank == 0 ? "naive" : "torus");
  MPI_Comm comm = next_four(world, info.handle(), &code);
  report.expect_code(code, world.size == 1 ? MPI_SUCCESS : MPI_ERR_NOT_SAME, "one rank says another algorithm");
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  comm = next_four(world, MPI_INFO_NULL, &code);
  report.expect_code(Rondo_Comm_set_info(comm, info.handle()), world.size == 1 ? MPI_SUCCESS : MPI_ERR_NOT_SAME,
                     "one rank sets another algorithm");
  int received[4] = {};
  report.expect_code(Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received, 1, MPI_INT, comm), MPI_SUCCESS,
                     "afterwards");
  MPI_Comm_free(&comm);
}

/// In the same environment at all ranks, where they are threads of one process too.
void with_environment(World const& world, char const* name, char const* value, std::function<void()> const& work) {
  MPI_Barrier(world.comm);
  setenv(name, value, 1);
  MPI_Barrier(world.comm);
  work();
  MPI_Barrier(world.comm);
  unsetenv(name);
  MPI_Barrier(world.comm);
}

void environment(World const& world, Report& report) {
  int code = MPI_SUCCESS;
  for (char const* const name : {"RONDO_NEIGHBOR_ALGORITHM", "RONDO_NEIGHBOR_LATENCY", "RONDO_NEIGHBOR_BANDWIDTH"}) {
    with_environment(world, name, "fastest", [&] {
      next_four(world, MPI_INFO_NULL, &code);
      report.expect_code(code, MPI_ERR_ARG, name);
    });
  }
  with_environment(world, "RONDO_NEIGHBOR_ALGORITHM", "torus", [&] {
    AlgorithmInfo const info("naive");
    MPI_Comm comm = next_four(world, info.handle(), &code);
    std::array<int, 4> sent{0, 1, 2, 3}, received{};
    for (int& each : sent) each += 10 * world.rank;
    report.expect_code(Rondo_Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm), MPI_SUCCESS,
                       "by the environment's algorithm");
    for (int i = 0; i < 4; ++i) {
      int const source = (world.rank + 4 * world.size - i - 1) % world.size;
      report.expect(received[static_cast<std::size_t>(i)] == 10 * source + i, "a block by the environment's algorithm");
    }
    MPI_Comm_free(&comm);
  });
}

/// RONDO_ISO_ALGORITHM: to the next rank and the one after it in a round, or in two.
void isomorphic_environment(World const& world, Report& report) {
  int const extents[] = {world.size}, offsets[] = {1, 2};
  auto const rounds = [&] {
    MPI_Comm comm = MPI_COMM_NULL;
    Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
    int const sent[] = {world.rank, 100 + world.rank};
    int received[2] = {-1, -1}, number = -1;
    if (Rondo_Iso_neighborhood_create_torus(world.comm, 1, extents, 2, offsets, &comm) != MPI_SUCCESS) return -1;
    Rondo_Iso_neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &request);
    Rondo_Iso_request_rounds(request, &number);
    Rondo_Iso_start(&request);
    Rondo_Iso_request_free(&request);
    MPI_Comm_free(&comm);
    for (int i = 0; i < 2; ++i) {
      int const source = (world.rank + 2 * world.size - offsets[i]) % world.size;
      report.expect(received[i] == 100 * i + source, "a block by RONDO_ISO_ALGORITHM");
    }
    return number;
  };
  if (world.size < 3) return;
  for (auto const& [algorithm, expected] : {std::pair{"posted", 1}, {"straightforward", 2}, {"fastest", -1}}) {
    with_environment(world, "RONDO_ISO_ALGORITHM", algorithm, [&, right = expected, name = algorithm] {
      int const number = rounds();
      report.expect(number == right, fmt::format("RONDO_ISO_ALGORITHM={}: {} rounds", name, number));
    });
  }
}

enum class Wrong { too_long, too_short, negative, no_type };

/// What rank 0 gets wrong; a rank that is told nothing has all blocks right.
void one_is_wrong(World const& world, char const* algorithm, Wrong wrong, int calls_before, Report& report) {
  AlgorithmInfo const info(algorithm);
  int code = MPI_SUCCESS;
  MPI_Comm comm = next_four(world, info.handle(), &code);
  bool const culprit = world.rank == 0;
  for (int call = 0; call <= calls_before + 1; ++call) {
    bool const now = call == calls_before;
    int count = 2;
    if (now && culprit)
      count = wrong == Wrong::too_long ? 3 : wrong == Wrong::too_short ? 1 : wrong == Wrong::negative ? -1 : 2;
    MPI_Datatype const type = now && culprit && wrong == Wrong::no_type ? MPI_DATATYPE_NULL : MPI_INT;
    std::vector<int> sent(12, world.rank), received(12, -1);
    code = Rondo_Neighbor_alltoall(sent.data(), count, type, received.data(), 2, MPI_INT, comm);
    std::string const what = fmt::format("{}, wrong in way {}, call {}", algorithm, static_cast<int>(wrong), call);
    if (!now) report.expect_code(code, MPI_SUCCESS, what);
    if (now && culprit && wrong == Wrong::negative) report.expect_code(code, MPI_ERR_COUNT, what);
    if (now && culprit && wrong == Wrong::no_type) report.expect_code(code, MPI_ERR_TYPE, what);
    bool hears = false;
    for (int i = 0; i < 4; ++i) {
      int const source = (world.rank + 4 * world.size - i - 1) % world.size;
      hears = hears || source == 0;
      bool const right = received[static_cast<std::size_t>(2 * i)] == source &&
                         received[static_cast<std::size_t>(2 * i + 1)] == source;
      report.expect(code != MPI_SUCCESS || right, what + ": told nothing of a wrong block");
    }
    if (now && hears) report.expect(code != MPI_SUCCESS, what + ": who hears from the culprit is told");
  }
  MPI_Comm_free(&comm);
}

void wrong_sizes(World const& world, Report& report) {
  int number = 0;
  for (char const* const algorithm : {"naive", "torus", "common_neighbors", "auto"}) {
    for (Wrong const wrong : {Wrong::too_long, Wrong::too_short, Wrong::negative, Wrong::no_type}) {
      // The first call is one in which ranks agree, the third one follows them.
      for (int const calls_before : {0, 2}) {
        if (world.effort == Effort::sampled && ++number % 5 != 0) continue;
        one_is_wrong(world, algorithm, wrong, calls_before, report);
      }
    }
  }
}

/// Sizes that differ from rank to rank are nobody's fault in the v and w forms.
void sizes_of_each_rank(World const& world, Report& report) {
  for (char const* const algorithm : {"torus", "common_neighbors", "auto"}) {
    AlgorithmInfo const info(algorithm);
    int code = MPI_SUCCESS;
    MPI_Comm comm = next_four(world, info.handle(), &code);
    std::array<int, 4> sends{}, receives{}, displacements{0, 8, 16, 24};
    sends.fill(world.rank % 3 + 1);
    std::vector<int> sent(32, world.rank);
    for (int i = 0; i < 4; ++i) {
      receives[static_cast<std::size_t>(i)] = (world.rank + 4 * world.size - i - 1) % world.size % 3 + 1;
    }
    auto const expect = [&](int result, std::vector<int> const& received, char const* form) {
      std::string const what = fmt::format("{}, {}", algorithm, form);
      report.expect_code(result, MPI_SUCCESS, what);
      for (int i = 0; i < 32; ++i) {
        int const source = (world.rank + 4 * world.size - i / 8 - 1) % world.size;
        bool const inside = i % 8 < receives[static_cast<std::size_t>(i / 8)];
        report.expect(received[static_cast<std::size_t>(i)] == (inside ? source : -1), what + ": a block");
      }
    };
    std::vector<int> received(32, -1);
    code = Rondo_Neighbor_alltoallv(sent.data(), sends.data(), displacements.data(), MPI_INT, received.data(),
                                    receives.data(), displacements.data(), MPI_INT, comm);
    expect(code, received, "blocking");
    received.assign(32, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    Rondo_Neighbor_alltoallv_init(sent.data(), sends.data(), displacements.data(), MPI_INT, received.data(),
                                  receives.data(), displacements.data(), MPI_INT, comm, MPI_INFO_NULL, &request);
    Rondo_Start(&request);
    code = Rondo_Wait(&request, MPI_STATUS_IGNORE);
    Rondo_Request_free(&request);
    expect(code, received, "persistent");
    MPI_Comm_free(&comm);
  }
}

}  // namespace

std::vector<TestCase> choice_cases() {
  return {{"names_of_algorithms", wrong_names_of_algorithms},
          {"algorithms_of_the_environment", environment},
          {"isomorphic_algorithm_of_the_environment", isomorphic_environment},
          {"wrong_sizes_are_told_by_every_algorithm", wrong_sizes},
          {"sizes_of_each_rank", sizes_of_each_rank}};
}

}  // namespace rondo::mpi::testing
