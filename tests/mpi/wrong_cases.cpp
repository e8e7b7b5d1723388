// One rank is wrong where the others cannot know it before: rooted collectives of graphs, inter-communicators. It is
// told, nobody waits for ever, and the next collective on the communicator is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <numeric>

#include "mpi/cases.hpp"
#include "rondo/collectives.h"

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
        return Rondo_Bcast(received.data(), count, MPI_INT, root, graph);
      case Kind::gather:
        return Rondo_Gather(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, root, graph);
      case Kind::scatter:
        return Rondo_Scatter(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, root, graph);
      case Kind::reduce:
        break;
    }
    return Rondo_Reduce(sent.data(), received.data(), count, MPI_INT, MPI_SUM, root, graph);
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
  report.expect_code(Rondo_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, inter), MPI_SUCCESS, "Allgather");
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
      int const code = Rondo_Allgather(sent.data(), me ? wrong.count : 1, me ? wrong.type : MPI_INT, received.data(), 1,
                                       MPI_INT, inter);
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
  // Wrong in one group alone: the leader, whose own arguments are right, tells the other one.
  if (world.size >= 4) {
    bool const culprit = world.rank % 2 == 0 && rank == size - 1;
    expect(culprit ? size : 0, world.comm, 1 - world.rank % 2, 3, MPI_ERR_RANK,
           "no such local leader at one rank alone");
    expect(culprit ? size - 1 : 0, world.comm, 1 - world.rank % 2, 3, MPI_ERR_NOT_SAME, "two leaders in one group");
  }
  if (world.size >= 5) {
    bool const culprit = world.rank % 2 == 0 && rank == size - 1;
    expect(culprit ? 1 : 0, world.comm, 1 - world.rank % 2, 3, MPI_ERR_NOT_SAME, "another leader at one rank alone");
  }
  MPI_Comm_free(&local);
  inter = even_and_odd(world);
  expect_allgather(world, inter, report);
  MPI_Comm_free(&inter);
}

#ifdef SMPI_H
/// The root is rank 0 of the even ranks; one rank passes a wrong root: the root itself, another rank of its
/// group, or one of the other group. At least one rank of the root's group must pass MPI_PROC_NULL: otherwise nothing
/// tells the groups apart, and all ranks get MPI_ERR_ROOT.
void wrong_roots_of_two_groups(World const& world, Report& report) {
  if (world.size < 5) return;
  MPI_Comm inter = even_and_odd(world);
  int remote = 0;
  Rondo_Comm_remote_size(inter, &remote);
  for (int const culprit : {0, 2, 1}) {
    for (int const wrong : {99, -77}) {
      int const right = world.rank % 2 == 1 ? 0 : world.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
      int value = world.rank;
      std::vector<int> all(static_cast<std::size_t>(remote), -1);
      int code = Rondo_Gather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, world.rank == culprit ? wrong : right, inter);
      bool const hears = world.rank == 0 && culprit == 1;
      int const expected = world.rank == culprit ? MPI_ERR_ROOT : hears ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
      report.expect_code(code, expected, fmt::format("Gather, root {} at rank {}", wrong, culprit));
      code = Rondo_Gather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, right, inter);
      report.expect_code(code, MPI_SUCCESS, "Gather with a root");
      report.expect(world.rank != 0 || all.back() == 2 * remote - 1, "what the root gets");
    }
  }
  MPI_Comm_free(&inter);
}
#else
// Others may wait.
void wrong_roots_of_two_groups(World const&, Report&) {}
#endif

/// One rank has no place for its request; the others get what it has for them all the same.
void requests_without_a_place(World const& world, Report& report) {
  MPI_Comm graph = complete_graph(world);
  bool const me = world.rank == world.size - 1;
  int value = world.rank;
  std::vector<int> got(static_cast<std::size_t>(world.size - 1), -1);
  MPI_Request request = MPI_REQUEST_NULL;
  int const code =
      Rondo_Ineighbor_allgather(&value, 1, MPI_INT, got.data(), 1, MPI_INT, graph, me ? nullptr : &request);
  report.expect_code(code, me ? MPI_ERR_ARG : MPI_SUCCESS, "Ineighbor_allgather without a request");
  if (!me) Rondo_Wait(&request, MPI_STATUS_IGNORE);
  int const sum = std::accumulate(got.begin(), got.end(), 0);
  report.expect(sum == world.size * (world.size - 1) / 2 - world.rank, "what all ranks get");
  MPI_Comm_free(&graph);
}

/// Each is told to the rank that is wrong; the next sum is right.
void wrong_reductions(World const& world, Report& report) {
  MPI_Comm graph = complete_graph(world);
  int const right = world.size * (world.size - 1) / 2 - world.rank;
  auto const expect = [&](int code, int expected, char const* what) {
    report.expect_code(code, expected, what);
    int value = world.rank, sum = 0;
    report.expect_code(Rondo_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, graph), MPI_SUCCESS, what);
    report.expect(sum == right || world.size == 1, fmt::format("{}: then {} instead of {}", what, sum, right));
  };
  bool const me = world.rank == world.size - 1;
  int value = world.rank, sum = 0;
  double real = 1, reals = 0;
  expect(Rondo_Allreduce(&value, me ? nullptr : &sum, 1, MPI_INT, MPI_SUM, graph), me ? MPI_ERR_BUFFER : MPI_SUCCESS,
         "nowhere to put it");
  expect(Rondo_Allreduce(&value, &sum, 1, MPI_INT, me ? MPI_OP_NULL : MPI_SUM, graph), me ? MPI_ERR_OP : MPI_SUCCESS,
         "no operation");
  expect(Rondo_Reduce(&value, me ? nullptr : &sum, 1, MPI_INT, MPI_SUM, world.size - 1, graph),
         me ? MPI_ERR_BUFFER : MPI_SUCCESS, "nowhere to put it at the root");
#ifdef SMPI_H
  // The class is SMPI's; MPICH's depends on what it has been built to check.
  expect(Rondo_Allreduce(&real, &reals, 1, MPI_DOUBLE, me ? MPI_BAND : MPI_SUM, graph), me ? MPI_ERR_OP : MPI_SUCCESS,
         "bits of a double");
  expect(Rondo_Reduce(&real, &reals, 1, MPI_DOUBLE, MPI_BAND, 0, graph), MPI_ERR_OP, "bits of a double at a root");
#else
  (void)real, (void)reals;
#endif
  MPI_Comm_free(&graph);
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
  report.expect_code(Rondo_Graph_create(inter, 0, nullptr, nullptr, 0, &made), MPI_ERR_COMM, "Graph_create");
  report.expect_code(Rondo_Comm_split(inter, world.rank == 0 ? -1 : 0, 0, &made), MPI_ERR_ARG, "a wrong color");
  report.expect_code(Rondo_Comm_create(inter, world.rank == 0 ? MPI_GROUP_NULL : MPI_GROUP_EMPTY, &made), MPI_ERR_GROUP,
                     "no group");
  report.expect_code(Rondo_Cart_name(inter, 1, RONDO_ROWMAJOR, order, period, &size), MPI_ERR_COMM, "Cart_name");
  expect_allgather(world, inter, report);
  MPI_Comm_free(&inter);
}

/// Arguments of Rondo_Cart_create.
struct GridAsked {
  int dimensions;
  std::vector<int> extents, periods;

  int create(MPI_Comm comm, MPI_Comm* grid) const {
    auto const list = [](std::vector<int> const& values) { return values.empty() ? nullptr : values.data(); };
    return Rondo_Cart_create(comm, dimensions, list(extents), list(periods), 0, grid);
  }
};

struct WrongGrid {
  char const* what;
  GridAsked asked;
  int code;
};

std::vector<WrongGrid> wrong_grids_for(int p) {
  return {{"a negative number of dimensions", {-1, {p, 1}, {1, 0}}, MPI_ERR_DIMS},
          {"a negative extent", {2, {-p, 1}, {1, 0}}, MPI_ERR_DIMS},
          {"two negative extents", {2, {-p, -1}, {1, 0}}, MPI_ERR_DIMS},
          {"an extent of 0", {2, {p, 0}, {1, 0}}, MPI_ERR_DIMS},
          {"more places than ranks", {2, {p, 2}, {1, 0}}, MPI_ERR_DIMS},
          {"more places than an integer counts", {2, {INT_MAX, INT_MAX}, {1, 0}}, MPI_ERR_DIMS},
          {"2^64 places, which wrap to none", {4, {1 << 16, 1 << 16, 1 << 16, 1 << 16}, {1, 0, 0, 0}}, MPI_ERR_DIMS},
          {"no extents", {2, {}, {1, 0}}, MPI_ERR_ARG},
          {"no periods", {2, {p, 1}, {}}, MPI_ERR_ARG},
          {"other extents", {2, {1, p}, {1, 0}}, MPI_ERR_NOT_SAME},
          {"fewer places", {2, {std::max(p - 1, 1), 1}, {1, 0}}, MPI_ERR_NOT_SAME},
          {"other periods", {2, {p, 1}, {0, 0}}, MPI_ERR_NOT_SAME},
          {"one dimension", {1, {p}, {1}}, MPI_ERR_NOT_SAME},
          {"no dimension", {0, {}, {}}, MPI_ERR_NOT_SAME},
          {"a dimension more", {3, {p, 1, 1}, {1, 0, 0}}, MPI_ERR_NOT_SAME}};
}

/// One rank asks for another grid than the others, or all ask for a wrong one: every rank is told, and no rank waits.
void wrong_grids(World const& world, Report& report) {
  GridAsked const right{2, {world.size, 1}, {1, 0}};
  MPI_Comm grid = MPI_COMM_NULL;
  for (WrongGrid const& wrong : wrong_grids_for(world.size)) {
    bool const differs = wrong.code == MPI_ERR_NOT_SAME;
    for (int const culprit : {0, world.size / 2, world.size - 1}) {
      if (differs && world.size == 1) continue;  // from whom?
      grid = world.comm;
      GridAsked const& mine = world.rank == culprit ? wrong.asked : right;
      report.expect_code(mine.create(world.comm, &grid), wrong.code, fmt::format("{} at rank {}", wrong.what, culprit));
      report.expect(grid == MPI_COMM_NULL, "no communicator after an error");
    }
    if (!differs) report.expect_code(wrong.asked.create(world.comm, &grid), wrong.code, wrong.what);
  }
  report.expect_code(right.create(world.comm, &grid), MPI_SUCCESS, "a grid after all of that");
  std::array<int, 4> received{-1, -1, -1, -1};
  report.expect_code(Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received.data(), 1, MPI_INT, grid), MPI_SUCCESS,
                     "allgather on it");
  int const p = world.size, before = (world.rank + p - 1) % p, behind = (world.rank + 1) % p;
  report.expect(received == std::array{before, behind, -1, -1}, "the neighbors on it");
  MPI_Comm_free(&grid);
}

void wrong_parts_of_grids(World const& world, Report& report) {
  MPI_Comm grid = MPI_COMM_NULL, part = MPI_COMM_NULL;
  GridAsked{2, {world.size, 1}, {1, 0}}.create(world.comm, &grid);
  int const rows[] = {1, 0}, columns[] = {0, 1}, rows_in_other_words[] = {-7, 0};
  bool const culprit = world.rank == world.size - 1;
  report.expect_code(Rondo_Cart_sub(grid, culprit ? nullptr : rows, &part), MPI_ERR_ARG, "a part without a list");
  if (world.size > 1) {
    report.expect_code(Rondo_Cart_sub(grid, culprit ? columns : rows, &part), MPI_ERR_NOT_SAME, "two different parts");
    report.expect(part == MPI_COMM_NULL, "no communicator after an error");
  }
  report.expect_code(Rondo_Cart_sub(grid, culprit ? rows_in_other_words : rows, &part), MPI_SUCCESS, "a part");
  int size = 0;
  MPI_Comm_size(part, &size);
  report.expect(size == world.size, "of all rows");
  MPI_Comm_free(&part);
  MPI_Comm_free(&grid);
}

void depths_beyond_the_grid(World const& world, Report& report) {
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int extents[] = {world.size, 1, 1}, open[] = {0, 0, 0}, closed[] = {1, 1, 1}, size = 0, count = -1;
  for (int const metric : {RONDO_MANHATTAN_DISTANCE, RONDO_CHEBYCHEV_DISTANCE}) {
    Rondo_Cart_name(named, 3, RONDO_ROWMAJOR, extents, open, &size);
    report.expect_code(Rondo_Cart_neighbors_count(named, world.rank, metric, 1, INT_MAX, &count), MPI_SUCCESS,
                       "the deepest");
    report.expect(count == world.size - 1, "all other ranks of an open grid are neighbors");
    Rondo_Cart_name(named, 3, RONDO_ROWMAJOR, extents, closed, &size);
    report.expect_code(Rondo_Cart_neighbors_count(named, world.rank, metric, 1, INT_MAX, &count), MPI_ERR_COUNT,
                       "more neighbors than can be counted");
  }
  MPI_Comm_free(&named);
}

}  // namespace

std::vector<TestCase> wrong_cases() {
  return {{"wrong_roots_in_a_graph", wrong_roots},
          {"wrong_roots_of_two_groups", wrong_roots_of_two_groups},
          {"wrong_reductions_on_a_graph", wrong_reductions},
          {"requests_without_a_place", requests_without_a_place},
          {"wrong_block_at_one_rank_of_two_groups", wrong_block_at_one_rank},
          {"wrong_leaders_of_two_groups", wrong_leaders},
          {"no_topology_on_inter_communicators", not_on_inter_communicators},
          {"wrong_grids_are_refused_at_all_ranks", wrong_grids},
          {"wrong_parts_of_grids_are_refused_at_all_ranks", wrong_parts_of_grids},
          {"depths_beyond_the_grid", depths_beyond_the_grid}};
}

}  // namespace rondo::mpi::testing
