// Cartesian naming [Traeff21, Section 3] against an enumeration of all points, and what becomes of graphs in new
// communicators.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "mpi/cases.hpp"
#include "rondo/collectives.h"

namespace rondo::mpi::testing {
namespace {

using Point = std::vector<int>;

/// The points of a grid in the order in which they are counted, the fastest dimension first.
std::vector<Point> counted(Point const& extents, int dimorder) {
  std::vector<Point> points;
  Point point(extents.size(), 0);
  for (;;) {
    points.push_back(point);
    std::size_t k = 0;
    for (; k < extents.size(); ++k) {
      std::size_t const j = dimorder == RONDO_ROWMAJOR ? extents.size() - 1 - k : k;
      if (++point[j] < extents[j]) break;
      point[j] = 0;
    }
    if (k == extents.size()) return points;
  }
}

struct Grid {
  Point extents, periods;
  int dimorder, ranks;
  std::vector<Point> points;

  /// The number of the point, or MPI_PROC_NULL; looks at all of them.
  int rank(Point place) const {
    for (std::size_t j = 0; j < extents.size(); ++j) {
      while (periods[j] != 0 && place[j] < 0) place[j] += extents[j];
      while (periods[j] != 0 && place[j] >= extents[j]) place[j] -= extents[j];
    }
    auto const found = std::find(points.begin(), points.end(), place);
    auto const number = static_cast<int>(found - points.begin());
    return found != points.end() && number < ranks ? number : MPI_PROC_NULL;
  }
  Point sum(int rank, Point const& offset, int sign) const {
    Point place = points[static_cast<std::size_t>(rank)];
    for (std::size_t j = 0; j < place.size(); ++j) place[j] += sign * offset[j];
    return place;
  }
  int named() const { return std::min(ranks, static_cast<int>(points.size())); }
};

int length(Point const& offset, int metric) {
  int sum = 0, largest = 0;
  for (int const coordinate : offset) {
    sum += std::abs(coordinate);
    largest = std::max(largest, std::abs(coordinate));
  }
  return metric == RONDO_MANHATTAN_DISTANCE ? sum : largest;
}

/// All offsets of the cube, in lexicographic order.
std::vector<Point> cube(std::size_t d, int depth) {
  std::vector<Point> result{{}};
  for (std::size_t j = 0; j < d; ++j) {
    std::vector<Point> longer;
    for (Point const& each : result) {
      for (int step = -depth; step <= depth; ++step) {
        longer.push_back(each);
        longer.back().push_back(step);
      }
    }
    result = longer;
  }
  return result;
}

void check_points(MPI_Comm cart, Grid const& grid, std::string const& what, Report& report) {
  auto const d = grid.extents.size();
  for (int rank = 0; rank < grid.ranks; ++rank) {
    Point place(d, -7);
    report.expect_code(Rondo_Cart_coordinates(cart, rank, place.data()), MPI_SUCCESS, what + ": Cart_coordinates");
    Point const expected = rank < grid.named() ? grid.points[static_cast<std::size_t>(rank)] : Point(d, MPI_PROC_NULL);
    report.expect(place == expected, what + ": the coordinates of a rank");
  }
  for (Point const& place : cube(d, 2)) {
    Point given = place;
    int rank = -7;
    Rondo_Cart_rank(cart, given.data(), &rank);
    report.expect(rank == grid.rank(place), what + ": the rank of a point");
  }
}

void check_offsets(MPI_Comm cart, Grid const& grid, std::string const& what, Report& report) {
  auto const d = grid.extents.size();
  for (int rank = 0; rank < grid.named(); ++rank) {
    for (Point offset : cube(d, 2)) {
      int to = -7, in = -7, out = -7;
      Rondo_Cart_relative_rank(cart, rank, offset.data(), &to);
      Rondo_Cart_relative_shift(cart, rank, offset.data(), &in, &out);
      report.expect(to == grid.rank(grid.sum(rank, offset, 1)) && out == to, what + ": the rank at an offset");
      report.expect(in == grid.rank(grid.sum(rank, offset, -1)), what + ": the rank from which a shift comes");
    }
    for (int other = 0; other < grid.named(); ++other) {
      Point offset(d, -7);
      Rondo_Cart_relative_coordinates(cart, rank, other, offset.data());
      report.expect(grid.rank(grid.sum(rank, offset, 1)) == other, what + ": the offset between two ranks");
      bool shortest = true;
      for (std::size_t j = 0; j < d; ++j) {
        shortest = shortest &&
                   (grid.periods[j] == 0 || (2 * offset[j] <= grid.extents[j] && -2 * offset[j] < grid.extents[j]));
      }
      report.expect(shortest, what + ": it is the shortest one");
    }
  }
}

void check_stencils(MPI_Comm cart, Grid const& grid, int rank, std::string const& what, Report& report) {
  auto const d = grid.extents.size();
  for (int const metric : {RONDO_MANHATTAN_DISTANCE, RONDO_CHEBYCHEV_DISTANCE}) {
    for (int depth = 0; depth <= 3; ++depth) {
      for (int shadow = 0; shadow <= depth; ++shadow) {
        std::vector<int> expected, ranks;
        for (Point const& offset : cube(d, depth)) {
          int const away = length(offset, metric), to = grid.rank(grid.sum(rank, offset, 1));
          if (away < shadow || away > depth || to == MPI_PROC_NULL) continue;
          expected.insert(expected.end(), offset.begin(), offset.end());
          ranks.push_back(to);
        }
        auto const where = fmt::format("{}, rank {}, metric {}, {} to {}", what, rank, metric, shadow, depth);
        int count = -7;
        Rondo_Cart_neighbors_count(cart, rank, metric, shadow, depth, &count);
        report.expect(count == static_cast<int>(ranks.size()), where + ": the number of neighbors");
        std::vector<int> offsets(ranks.size() * d), found(ranks.size());
        Rondo_Cart_neighbors(cart, rank, metric, shadow, depth, static_cast<int>(ranks.size()), offsets.data());
        report.expect(offsets == expected, where + ": the neighbors");
        Rondo_Cart_allranks_relative(cart, rank, static_cast<int>(ranks.size()), offsets.data(), found.data());
        report.expect(found == ranks, where + ": their ranks");
      }
    }
  }
}

void named_grid(World const& world, Point extents, int kind, Report& report) {
  Grid grid{extents, {}, (kind & 1) == 0 ? RONDO_ROWMAJOR : RONDO_COLMAJOR, world.size, {}};
  for (std::size_t j = 0; j < extents.size(); ++j) grid.periods.push_back(kind >> (j + 1) & 1);
  grid.points = counted(extents, grid.dimorder);
  auto const what = fmt::format("grid {}, periods {}, order {}", grid.extents, grid.periods, grid.dimorder);
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &cart);
  int flag = -7, d = -7, size = -7;
  Rondo_Cart_test(cart, &flag, &d, &size);
  report.expect(flag == 0 && d == -7, "no name at first");
  auto const dimensions = static_cast<int>(extents.size());
  report.expect_code(Rondo_Cart_name(cart, dimensions, grid.dimorder, extents.data(), grid.periods.data(), &size),
                     MPI_SUCCESS, what + ": Cart_name");
  report.expect(size == static_cast<int>(grid.points.size()), what + ": the size");
  Rondo_Cart_test(cart, &flag, &d, &size);
  report.expect(flag == 1 && d == dimensions && size == static_cast<int>(grid.points.size()), what + ": Cart_test");
  Point order(extents.size()), period(extents.size());
  int dimorder = -7;
  Rondo_Cart_get(cart, &dimorder, dimensions, order.data(), period.data());
  report.expect(dimorder == grid.dimorder && order == extents && period == grid.periods, what + ": Cart_get");
  check_points(cart, grid, what, report);
  check_offsets(cart, grid, what, report);
  check_stencils(cart, grid, 0, what, report);
  check_stencils(cart, grid, grid.named() - 1, what, report);
  MPI_Comm_free(&cart);
}

/// Some grids are larger than the communicator, some smaller.
void naming(World const& world, Report& report) {
  int salt = 0;
  for (Point const& extents : std::vector<Point>{{1}, {4}, {7}, {2, 3}, {3, 1}, {2, 2, 2}}) {
    for (int kind = 0; kind < 2 << extents.size(); ++kind) {
      if (world.effort == Effort::full || ++salt % 7 == 0) named_grid(world, extents, kind, report);
    }
  }
}

void wrong_names(World const& world, Report& report) {
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &cart);
  std::array<int, 2> extents{1, world.size}, periods{0, 0}, none{0, 3}, place{0, 0};
  int size = 0, rank = 0;
  report.expect_code(Rondo_Cart_rank(cart, place.data(), &rank), MPI_ERR_TOPOLOGY, "a rank without a name");
  report.expect_code(Rondo_Cart_name(cart, 2, 3, extents.data(), periods.data(), &size), MPI_ERR_ARG, "no such order");
  report.expect_code(Rondo_Cart_name(cart, 2, RONDO_ROWMAJOR, none.data(), periods.data(), &size), MPI_ERR_DIMS,
                     "an extent of 0");
  report.expect_code(Rondo_Cart_name(cart, -1, RONDO_ROWMAJOR, extents.data(), periods.data(), &size), MPI_ERR_DIMS,
                     "no d");
  report.expect_code(Rondo_Cart_name(cart, 2, RONDO_ROWMAJOR, extents.data(), periods.data(), nullptr), MPI_ERR_ARG,
                     "no size");
  report.expect_code(Rondo_Cart_name(cart, 2, RONDO_ROWMAJOR, extents.data(), periods.data(), &size), MPI_SUCCESS,
                     "a name");
  report.expect_code(Rondo_Cart_coordinates(cart, world.size, place.data()), MPI_ERR_RANK, "no such rank");
  report.expect_code(Rondo_Cart_relative_rank(cart, -1, place.data(), &rank), MPI_ERR_RANK, "no such source");
  report.expect_code(Rondo_Cart_neighbors_count(cart, 0, 3, 1, 1, &size), MPI_ERR_ARG, "no such metric");
  report.expect_code(Rondo_Cart_neighbors_count(cart, 0, RONDO_MANHATTAN_DISTANCE, 1, -1, &size), MPI_ERR_ARG,
                     "no depth");
  MPI_Comm_free(&cart);
}

/// Rows and columns of a grid of two columns.
void parts_by_name(World const& world, Report& report) {
  std::array<int, 2> extents{std::max(world.size / 2, 1), std::min(world.size, 2)}, periods{1, 1}, excluded{1, 0};
  int const named = extents[0] * extents[1];
  int size = 0;
  MPI_Comm cart = MPI_COMM_NULL, row = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &cart);
  Rondo_Cart_name(cart, 2, RONDO_ROWMAJOR, extents.data(), periods.data(), &size);
  report.expect_code(Rondo_Cart_create_sub(cart, excluded.data(), &row), MPI_SUCCESS, "Cart_create_sub");
  report.expect((row == MPI_COMM_NULL) == (world.rank >= named), "only ranks with a name are in a part");
  if (row != MPI_COMM_NULL) {
    int rank = -1, ranks = -1, flag = -1, d = 0;
    MPI_Comm_rank(row, &rank);
    MPI_Comm_size(row, &ranks);
    Rondo_Cart_test(row, &flag, &d, &size);
    report.expect(rank == world.rank % extents[1] && ranks == extents[1] && flag == 0, "a row, without a name");
    MPI_Comm_free(&row);
  }
  MPI_Comm_free(&cart);
}

void isomorphic_graphs(World const& world, Report& report) {
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &cart);
  for (int const period : {0, 1}) {
    std::array<int, 1> extent{world.size}, periods{period};
    int size = 0, count = 0, flag = -1;
    Rondo_Cart_name(cart, 1, RONDO_ROWMAJOR, extent.data(), periods.data(), &size);
    Rondo_Cart_neighbors_count(cart, world.rank, RONDO_MANHATTAN_DISTANCE, 1, 2, &count);
    std::vector<int> offsets(static_cast<std::size_t>(count)), ranks(offsets.size());
    Rondo_Cart_neighbors(cart, world.rank, RONDO_MANHATTAN_DISTANCE, 1, 2, count, offsets.data());
    Rondo_Cart_allranks_relative(cart, world.rank, count, offsets.data(), ranks.data());
    std::reverse(ranks.begin(), ranks.end());
    report.expect_code(Rondo_Cart_isomorphic(cart, count, ranks.data(), &flag), MPI_SUCCESS, "Cart_isomorphic");
    report.expect(flag == 1, fmt::format("a stencil is isomorphic, period {}", period));
    int const fewer = world.rank == 0 && count > 0 ? count - 1 : count;
    Rondo_Cart_isomorphic(cart, fewer, ranks.data(), &flag);
    // On a line of two ranks the graph stays isomorphic: the other rank's one neighbor lies behind it, an offset that
    // leads rank 0 off the line.
    report.expect(world.size <= 2 || flag == 0, "one neighbor less at rank 0");
    int to_first = 0;
    Rondo_Cart_isomorphic(cart, 1, &to_first, &flag);
    report.expect(flag == (world.size == 1 ? 1 : 0), "all to rank 0");
  }
  MPI_Comm_free(&cart);
}

/// A graph with a weighted edge from every rank to each other rank.
MPI_Comm weighted_graph(World const& world) {
  std::vector<int> others, weights, back;
  for (int rank = 0; rank < world.size; ++rank) {
    if (rank == world.rank) continue;
    others.push_back(rank);
    weights.push_back(10 * world.rank + rank);
    back.push_back(10 * rank + world.rank);
  }
  auto const degree = static_cast<int>(others.size());
  MPI_Comm graph = MPI_COMM_NULL;
  auto const given = [](std::vector<int> const& list) { return list.empty() ? MPI_WEIGHTS_EMPTY : list.data(); };
  Rondo_Dist_graph_create_adjacent(world.comm, degree, others.data(), given(back), degree, others.data(),
                                   given(weights), MPI_INFO_NULL, 0, &graph);
  return graph;
}

/// What a part of it is.
void expect_subgraph(World const& world, MPI_Comm part, char const* how, Report& report) {
  int size = 0, in = -1, out = -1, weighted = -1;
  MPI_Comm_size(part, &size);
  report.expect_code(Rondo_Dist_graph_neighbors_count(part, &in, &out, &weighted), MPI_SUCCESS, how);
  report.expect(in == size - 1 && out == size - 1 && weighted == 1,
                fmt::format("{}: the edges between its ranks", how));
  std::vector<int> sources(static_cast<std::size_t>(in)), marks(sources.size()), targets(sources.size()),
      received(sources.size());
  Rondo_Dist_graph_neighbors(part, in, sources.data(), marks.data(), out, targets.data(), MPI_UNWEIGHTED);
  Rondo_Neighbor_allgather(&world.rank, 1, MPI_INT, received.data(), 1, MPI_INT, part);
  for (std::size_t i = 0; i < received.size(); ++i) {
    report.expect(marks[i] == 10 * received[i] + world.rank, fmt::format("{}: an edge keeps its weight", how));
    report.expect(i == 0 || received[i - 1] < received[i], fmt::format("{}: and the edges their order", how));
  }
}

/// Splits a graph into two parts, in each of which the ranks are in reverse order.
void subgraphs(World const& world, Report& report) {
  MPI_Comm graph = weighted_graph(world), part = MPI_COMM_NULL, base = MPI_COMM_NULL;
  report.expect_code(Rondo_Comm_split(graph, world.rank % 2, -world.rank, &part), MPI_SUCCESS, "Comm_split");
  expect_subgraph(world, part, "Comm_split", report);
  int size = 0;
  MPI_Comm_size(part, &size);
  report.expect_code(Rondo_Comm_base(part, &base), MPI_SUCCESS, "Comm_base");
  int type = -1, ranks = -1;
  Rondo_Topo_test(base, &type);
  MPI_Comm_size(base, &ranks);
  report.expect(type == MPI_UNDEFINED && ranks == size, "the base is fully connected");
  for (MPI_Comm* comm : {&graph, &part, &base}) MPI_Comm_free(comm);
}

/// The group of the even ranks in descending order.
MPI_Group even_ranks(MPI_Comm comm, int size) {
  MPI_Group all = MPI_GROUP_NULL, result = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  std::vector<int> even;
  for (int rank = (size - 1) / 2 * 2; rank >= 0; rank -= 2) even.push_back(rank);
  MPI_Group_incl(all, static_cast<int>(even.size()), even.data(), &result);
  MPI_Group_free(&all);
  return result;
}

void subgraphs_of_groups(World const& world, Report& report) {
  MPI_Comm graph = weighted_graph(world), part = MPI_COMM_NULL;
  MPI_Group group = even_ranks(graph, world.size);
  bool const in_it = world.rank % 2 == 0;
  report.expect_code(Rondo_Comm_create(graph, group, &part), MPI_SUCCESS, "Comm_create");
  report.expect((part != MPI_COMM_NULL) == in_it, "Comm_create: a communicator for the ranks of the group alone");
  if (in_it) expect_subgraph(world, part, "Comm_create", report);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  if (in_it) {
    report.expect_code(Rondo_Comm_create_group(graph, group, 7, &part), MPI_SUCCESS, "Comm_create_group");
    expect_subgraph(world, part, "Comm_create_group", report);
    MPI_Comm_free(&part);
  }
  MPI_Group_free(&group);
  report.expect_code(Rondo_Comm_split_type(graph, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part), MPI_SUCCESS,
                     "Comm_split_type");
  expect_subgraph(world, part, "Comm_split_type", report);
  MPI_Comm_free(&part);
  report.expect_code(Rondo_Comm_create(MPI_COMM_NULL, MPI_GROUP_EMPTY, &part), MPI_ERR_COMM, "Comm_create of none");
  MPI_Comm_free(&graph);
}

}  // namespace

std::vector<TestCase> naming_cases() {
  // Item [Traeff21, Listing 3; Listing 4; Listing 6; Cart_name; Cart_test; Cart_get; Cart_rank; Cart_coordinates;
  // Cart_relative_rank; Cart_relative_coordinates; Cart_relative_shift; Cart_allranks; Cart_allranks_relative;
  // Cart_neighbors_count; Cart_neighbors]: holds.
  return {{"names_of_ranks_and_stencils_against_all_points", naming},
          {"wrong_names", wrong_names},
          // Item [Traeff21, Listing 5; Cart_create_sub]: holds.
          {"parts_of_named_communicators", parts_by_name},
          // Item [Traeff21, check of neighborhoods]: holds.
          {"isomorphic_graphs_are_found", isomorphic_graphs},
          // Item [Traeff21, Listing 1; Comm_base; splitting]: holds.
          {"parts_of_graphs_are_subgraphs", subgraphs},
          // Item [Traeff21, splitting]: holds.
          {"groups_of_graphs_are_subgraphs", subgraphs_of_groups}};
}

}  // namespace rondo::mpi::testing
