// One rank is wrong where the others cannot know it before: rooted collectives of graphs, inter-communicators. It is
// told, nobody waits for ever, and the next collective on the communicator is right.

#include <fmt/format.h>

#include <array>
#include <climits>
#include <numeric>

#include "mpi/cases.hpp"
#include "mpi/rondo_collectives.h"

namespace rondo::mpi::testing {
namespace {

/// Every rank a neighbor of all others, both ways.
MPI_Comm complete_graph(World const& world) {
  std::vector<int> others;
  for (int rank = 0; rank < world.size; ++rank) {
    if (rank != world.rank) others.push_back(rank);
  }
  auto const degree = static_cast<int>(others.size());
  MPI_Comm graph = MPI_COMM_NULL;
  Rondo_Dist_graph_create_adjacent(world.comm, degree, others.data(), MPI_UNWEIGHTED, degree, others.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  return graph;
}

/// Rooted collectives of `count` integers of value 10 + rank, with what they make of them.
struct Rooted {
  enum class Kind : std::uint8_t { bcast, gather, scatter, reduce };
  Kind kind;
  int count;

  bool to_root() const { return kind == Kind::gather || kind == Kind::reduce; }
  std::size_t places(World const& world) const {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(world.size);
  }
  int call(World const& world, int root, MPI_Comm graph, std::vector<int>& received) const {
    std::vector<int> sent(places(world), 10 + world.rank);
    received.assign(places(world), kind == Kind::bcast && world.rank == 0 ? 10 : -1);
    switch (kind) {
      case Kind::bcast:
        return Bcast(received.data(), count, MPI_INT, root, graph);
      case Kind::gather:
        return Gather(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, root, graph);
      case Kind::scatter:
        return Scatter(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, root, graph);
      case Kind::reduce:
        break;
    }
    return Reduce(sent.data(), received.data(), count, MPI_INT, MPI_SUM, root, graph);
  }
  /// The first place of root 0, and what all others have got.
  int expected(World const& world) const {
    bool const root = world.rank == 0;
    if (!to_root()) return kind == Kind::bcast || !root ? 10 : -1;
    if (!root || world.size == 1) return -1;
    return kind == Kind::gather ? 11 : (world.size - 1) * 10 + world.size * (world.size - 1) / 2;
  }
};

#ifdef SMPI_H
void one_has_no_root(World const& world, Rooted const& rooted, int culprit, Report& report) {
  MPI_Comm graph = complete_graph(world);
  std::vector<int> received;
  std::string const what =
      fmt::format("collective {} of {}, wrong root at {}", static_cast<int>(rooted.kind), rooted.count, culprit);
  int const code = rooted.call(world, world.rank == culprit ? world.size + 3 : 0, graph, received);
  bool const hears = rooted.to_root() ? world.rank == 0 && world.size > 1 : culprit == 0;
  if (world.rank == culprit)
    report.expect_code(code, MPI_ERR_ROOT, what);
  else
    report.expect_code(code, hears ? MPI_ERR_TRUNCATE : MPI_SUCCESS, what + ", at another rank");
  report.expect_code(rooted.call(world, 0, graph, received), MPI_SUCCESS, what + ", then without");
  report.expect(received.front() == rooted.expected(world),
                fmt::format("{}, then {} where {} was expected", what, received.front(), rooted.expected(world)));
  MPI_Comm_free(&graph);
}

void wrong_root_at_one_rank(World const& world, Rooted const& rooted, Report& report) {
  one_has_no_root(world, rooted, 0, report);
  if (world.size > 1) one_has_no_root(world, rooted, world.size - 1, report);
}
#else
// Others may wait.
void wrong_root_at_one_rank(World const&, Rooted const&, Report&) {}
#endif

void wrong_roots(World const& world, Report& report) {
  using Kind = Rooted::Kind;
  MPI_Comm graph = complete_graph(world);
  std::vector<int> received;
  for (Kind const kind : {Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce}) {
    // Some messages are sent at once, others wait for their receiver.
    for (int const count : {1, 40'000}) {
      Rooted const rooted{kind, count};
      wrong_root_at_one_rank(world, rooted, report);
      for (int const root : {-7, world.size}) {
        report.expect_code(rooted.call(world, root, graph, received), MPI_ERR_ROOT, "a wrong root at all ranks");
      }
      report.expect_code(rooted.call(world, 0, graph, received), MPI_SUCCESS, "then a right one");
      report.expect(received.front() == rooted.expected(world), "what a right root brings");
    }
  }
  MPI_Comm_free(&graph);
}

/// Even and odd ranks; null where there are no odd ones.
MPI_Comm even_and_odd(World const& world) {
  if (world.size == 1) return MPI_COMM_NULL;
  MPI_Comm local = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  MPI_Comm_split(world.comm, world.rank % 2, world.rank, &local);
  Rondo_Intercomm_create(local, 0, world.comm, 1 - world.rank % 2, 3, &inter);
  MPI_Comm_free(&local);
  return inter;
}

void expect_allgather(World const& world, MPI_Comm inter, Report& report) {
  int remote = 0, rank = world.rank;
  Rondo_Comm_remote_size(inter, &remote);
  std::vector<int> all(static_cast<std::size_t>(remote), -1);
  report.expect_code(Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, inter), MPI_SUCCESS, "Allgather");
  for (int i = 0; i < remote; ++i) {
    report.expect(all[static_cast<std::size_t>(i)] == 2 * i + 1 - world.rank % 2, "a block of the other group");
  }
}

void wrong_block_at_one_rank(World const& world, Report& report) {
  MPI_Comm inter = even_and_odd(world);
  if (inter == MPI_COMM_NULL) return;
  struct Wrong {
    int count;
    MPI_Datatype type;
    int code;
  };
  std::array const wrongs{Wrong{-1, MPI_INT, MPI_ERR_COUNT}, Wrong{1, MPI_DATATYPE_NULL, MPI_ERR_TYPE},
                          Wrong{INT_MAX, MPI_INT, MPI_ERR_COUNT}};
  for (int const culprit : {0, world.size - 1}) {
    for (Wrong const& wrong : wrongs) {
      std::vector<int> sent(1), received(static_cast<std::size_t>(world.size));
      bool const me = world.rank == culprit;
      int const code =
          Allgather(sent.data(), me ? wrong.count : 1, me ? wrong.type : MPI_INT, received.data(), 1, MPI_INT, inter);
      report.expect_code(code, wrong.code, fmt::format("Allgather, {} of a type at rank {}", wrong.count, culprit));
      expect_allgather(world, inter, report);
    }
  }
  MPI_Comm_free(&inter);
}

void wrong_leaders(World const& world, Report& report) {
  if (world.size == 1) return;
  MPI_Comm local = MPI_COMM_NULL, inter = MPI_COMM_WORLD;
  int size = 0, rank = 0;
  MPI_Comm_split(world.comm, world.rank % 2, world.rank, &local);
  MPI_Comm_size(local, &size);
  MPI_Comm_rank(local, &rank);
  auto const expect = [&](int leader, MPI_Comm peer, int remote, int tag, int code, char const* what) {
    report.expect_code(Rondo_Intercomm_create(local, leader, peer, remote, tag, &inter), code, what);
    report.expect(inter == MPI_COMM_NULL, "no communicator after an error");
  };
  // Where both leaders are wrong neither waits for the other.
  expect(0, world.comm, world.size + 9, 3, MPI_ERR_RANK, "no such remote leader");
  expect(0, MPI_COMM_NULL, 0, 3, MPI_ERR_COMM, "no peer communicator");
  expect(0, world.comm, 1 - world.rank % 2, -5, MPI_ERR_TAG, "a negative tag");
  expect(rank == size - 1 ? size : 0, world.comm, 1 - world.rank % 2, 3, MPI_ERR_RANK, "no such local leader at one");
  if (world.size >= 4) {
    expect(rank == size - 1 ? 1 : 0, world.comm, 1 - world.rank % 2, 3, size > 1 ? MPI_ERR_NOT_SAME : MPI_ERR_RANK,
           "another local leader at one");
  }
  MPI_Comm_free(&local);
  inter = even_and_odd(world);
  expect_allgather(world, inter, report);
  MPI_Comm_free(&inter);
}

void not_on_inter_communicators(World const& world, Report& report) {
  MPI_Comm inter = even_and_odd(world);
  if (inter == MPI_COMM_NULL) return;
  MPI_Comm made = MPI_COMM_NULL;
  int const extents[] = {1}, periods[] = {1};
  int order[] = {1}, period[] = {1}, size = 0;
  report.expect_code(Rondo_Cart_create(inter, 1, extents, periods, 0, &made), MPI_ERR_COMM, "Cart_create");
  report.expect_code(Rondo_Dist_graph_create_adjacent(inter, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED,
                                                      MPI_INFO_NULL, 0, &made),
                     MPI_ERR_COMM, "Dist_graph_create_adjacent");
  report.expect_code(
      Rondo_Dist_graph_create(inter, 0, nullptr, nullptr, nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
      MPI_ERR_COMM, "Dist_graph_create");
  report.expect_code(Rondo_Intercomm_create(inter, 0, world.comm, 0, 3, &made), MPI_ERR_COMM, "Intercomm_create");
  report.expect_code(Comm_split(inter, 0, 0, &made), MPI_ERR_COMM, "Comm_split");
  report.expect_code(Cart_name(inter, 1, ROWMAJOR, order, period, &size), MPI_ERR_COMM, "Cart_name");
  expect_allgather(world, inter, report);
  MPI_Comm_free(&inter);
}

void depths_beyond_the_grid(World const& world, Report& report) {
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int extents[] = {world.size, 1, 1}, open[] = {0, 0, 0}, closed[] = {1, 1, 1}, size = 0, count = -1;
  for (int const metric : {MANHATTAN_DISTANCE, CHEBYCHEV_DISTANCE}) {
    Cart_name(named, 3, ROWMAJOR, extents, open, &size);
    report.expect_code(Cart_neighbors_count(named, world.rank, metric, 1, INT_MAX, &count), MPI_SUCCESS, "the deepest");
    report.expect(count == world.size - 1, "all other ranks of an open grid are neighbors");
    Cart_name(named, 3, ROWMAJOR, extents, closed, &size);
    report.expect_code(Cart_neighbors_count(named, world.rank, metric, 1, INT_MAX, &count), MPI_ERR_COUNT,
                       "more neighbors than can be counted");
  }
  MPI_Comm_free(&named);
}

}  // namespace

std::vector<TestCase> wrong_cases() {
  return {{"wrong_roots_in_a_graph", wrong_roots},
          {"wrong_block_at_one_rank_of_two_groups", wrong_block_at_one_rank},
          {"wrong_leaders_of_two_groups", wrong_leaders},
          {"no_topology_on_inter_communicators", not_on_inter_communicators},
          {"depths_beyond_the_grid", depths_beyond_the_grid}};
}

}  // namespace rondo::mpi::testing
