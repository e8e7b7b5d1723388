// Programs of sparse exchanges: independent sets, colorings, bisections; and that wrong results are noticed.

#include <fmt/format.h>

#include <algorithm>

#include "mpi/cases.hpp"
#include "mpi/exchange/independent_set.hpp"
#include "mpi/exchange/point_bisection.hpp"
#include "mpi/exchange/point_cut.hpp"
#include "topology/graph_generators.hpp"
#include "topology/point_cloud.hpp"

namespace rondo::mpi::testing {
namespace {

using Algorithm = ExchangeAlgorithm;

std::vector<SparseExchange::Options> ways(World const& world) {
  std::vector<SparseExchange::Options> all;
  for (Algorithm const algorithm : {Algorithm::nbx, Algorithm::nbx_tagged, Algorithm::personalized}) {
    SparseExchange::Options options;
    options.exchange.rules.algorithm = algorithm;
    options.exchange.completion = Completion::wait;
    all.push_back(options);
    if (world.effort == Effort::sampled) break;
  }
  return all;
}

Random random_of(World const& world, std::uint64_t seed) {
  return Random(seed * 1000 + static_cast<std::uint64_t>(world.rank));
}

/// Graphs that every rank makes alike: without edges, a complete one, a path, meshes.
std::vector<ProcessGraph> graphs(World const& world) {
  std::vector<Edge> path, complete;
  for (int a = 0; a < world.size; ++a) {
    if (a + 1 < world.size) path.push_back({Rank(a), Rank(a + 1)});
    for (int b = 0; b < a; ++b) complete.push_back({Rank(a), Rank(b)});
  }
  if (world.effort == Effort::sampled) return {symmetric({world.size, path})};
  std::vector<ProcessGraph> all{ProcessGraph(world.size, {}), symmetric({world.size, complete}),
                                symmetric({world.size, path})};
  int const meshes = 10;
  for (int seed = 1; seed <= meshes; ++seed) {
    all.push_back(geometric(world.size, 3, static_cast<std::uint64_t>(seed)));
  }
  return all;
}

void sets_are_independent_and_maximal(World const& world, Report& report) {
  for (auto const& options : ways(world)) {
    SparseExchange exchange(world.comm, options);
    for (ProcessGraph const& graph : graphs(world)) {
      auto const neighbors = graph.distinct_targets(Rank(world.rank));
      Reductions ranks(world.comm);
      Vertex const vertex{exchange, ranks, neighbors, 3};
      Random random = random_of(world, 1);
      IndependentSet const set = independent_set(vertex, true, random);
      std::string const wrong = fault_in_set(vertex, set.member);
      report.expect(wrong.empty(), wrong);
      report.expect(set.rounds >= 1, "a round at least");
      if (neighbors.empty()) report.expect(set.member, "a rank without neighbors is in the set");
    }
  }
}

/// On a path, ranks 2, 5, 8, ... take no part, so that each other rank has at most one neighbor left.
void only_some_may_take_part(World const& world, Report& report) {
  SparseExchange exchange(world.comm);
  std::vector<Rank> neighbors;
  if (world.rank > 0) neighbors.emplace_back(world.rank - 1);
  if (world.rank + 1 < world.size) neighbors.emplace_back(world.rank + 1);
  Reductions ranks(world.comm);
  Vertex const vertex{exchange, ranks, neighbors};
  Random random = random_of(world, 2);
  bool const takes_part = world.rank % 3 != 2;
  IndependentSet const set = independent_set(vertex, takes_part, random);
  int const mine = set.member ? 1 : 0;
  std::vector<int> all(static_cast<std::size_t>(world.size));
  MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, world.comm);
  if (!takes_part) return report.expect(!set.member, "who takes no part is no member");
  int const first = world.rank / 3 * 3;
  int members = all[static_cast<std::size_t>(first)];
  if (first + 1 < world.size) members += all[static_cast<std::size_t>(first + 1)];
  report.expect(members == 1, "one member of each pair that is left");
}

void colors_differ_between_neighbors(World const& world, Report& report) {
  for (auto const& options : ways(world)) {
    SparseExchange exchange(world.comm, options);
    for (ProcessGraph const& graph : graphs(world)) {
      auto const neighbors = graph.distinct_targets(Rank(world.rank));
      Reductions ranks(world.comm);
      Vertex const vertex{exchange, ranks, neighbors, 8};
      Random random = random_of(world, 3);
      Coloring const colored = coloring(vertex, random);
      std::string const wrong = fault_in_coloring(vertex, colored.color);
      report.expect(wrong.empty(), wrong);
      // Every color before its own is a neighbor's.
      report.expect(colored.color <= std::ssize(neighbors), "as many neighbors as colors before its own");
      int most = -1;
      MPI_Allreduce(&colored.color, &most, 1, MPI_INT, MPI_MAX, world.comm);
      report.expect(colored.colors == most + 1, fmt::format("{} colors, not {}", most + 1, colored.colors));
      bool const complete = graph.edges() == std::int64_t{world.size} * (world.size - 1);
      if (complete) report.expect(colored.colors == world.size, "a complete graph takes a color a rank");
      if (graph.edges() == 0) report.expect(colored.colors == 1, "a graph without edges takes one color");
    }
  }
}

/// How many ranks find something wrong.
int finders(World const& world, std::string const& wrong) {
  int const mine = wrong.empty() ? 0 : 1;
  int all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, world.comm);
  return all;
}

void wrong_sets_and_colorings_are_noticed(World const& world, Report& report) {
  if (world.size < 2) return;
  SparseExchange exchange(world.comm);
  std::vector<Rank> others;
  for (int rank = 0; rank < world.size; ++rank) {
    if (rank != world.rank) others.emplace_back(rank);
  }
  Reductions ranks(world.comm);
  Vertex const vertex{exchange, ranks, others};
  int const p = world.size;
  report.expect(finders(world, fault_in_set(vertex, world.rank == 0)) == 0, "one of all is right");
  report.expect(finders(world, fault_in_set(vertex, world.rank < 2)) == 2, "two neighbors in the set");
  report.expect(finders(world, fault_in_set(vertex, false)) == p, "an empty set is not maximal");
  report.expect(finders(world, fault_in_coloring(vertex, world.rank)) == 0, "all different is right");
  report.expect(finders(world, fault_in_coloring(vertex, std::max(world.rank, 1))) == p,
                "two of one color, and for the others none of color 0");
  report.expect(finders(world, fault_in_coloring(vertex, world.rank == p - 1 ? p : world.rank)) == 1,
                "a color that is left out");
  report.expect(finders(world, fault_in_coloring(vertex, world.rank - 1)) >= 1, "a rank without color");
}

std::vector<PointCloud> clouds(World const& world) {
  std::int64_t const p = world.size;
  std::vector<PointCloud> all;
  if (world.effort == Effort::sampled) return {{p - 1}, {10 * p + 3, CloudShape::clustered, {1, 3, 1}, 0.5, 9}};
  for (std::int64_t const points : {std::int64_t{0}, std::int64_t{1}, p - 1, p, p + 1, 10 * p + 3}) {
    all.push_back({points, CloudShape::uniform, {4, 2, 1}, 0.5, 7});
    all.push_back({points, CloudShape::coincident, {1, 1, 1}, 1, 8});
    all.push_back({points, CloudShape::clustered, {1, 3, 1}, 0, 9});
  }
  return all;
}

void no_point_is_lost_or_doubled(World const& world, Report& report) {
  for (auto const& options : ways(world)) {
    SparseExchange homes(world.comm, options);
    Reductions ranks(world.comm);
    for (PointCloud const& cloud : clouds(world)) {
      auto const before = points_of(cloud, world.size)[static_cast<std::size_t>(world.rank)];
      Bisected const mine = bisect(world.comm, before, {options, 5});
      std::string const wrong = wrong_in_part(homes, ranks, before, mine.points);
      report.expect(wrong.empty(), fmt::format("{} points: {}", cloud.points, wrong));
      auto const size = std::ssize(mine.points);
      std::int64_t const quotient = cloud.points / world.size;
      report.expect(size == quotient || (size == quotient + 1 && cloud.points % world.size != 0),
                    "parts differ by one point at most");
    }
  }
}

/// Points on a line, far apart in one direction, come to lie in that order.
void a_line_is_cut_across(World const& world, Report& report) {
  constexpr int each = 6;
  std::vector<CloudPoint> mine;
  for (int i = 0; i < each; ++i) {
    // Dealt out so that every rank holds points from everywhere.
    int const place = i * world.size + world.rank;
    mine.push_back({{1e6 + place, 0.25 * (place % 2), 0}, world.rank, static_cast<std::uint32_t>(i)});
  }
  Bisected const part = bisect(world.comm, mine, {});
  std::vector<int> places;
  for (CloudPoint const& point : part.points) {
    places.push_back(static_cast<int>(point.index) * world.size + point.home);
  }
  int const least = places.empty() ? -1 : *std::min_element(places.begin(), places.end());
  int const most = places.empty() ? -1 : *std::max_element(places.begin(), places.end());
  report.expect(std::ssize(places) == each && most - least == each - 1, "neighbors on the line stay together");
}

void cuts_have_exactly_as_many_points_as_asked_for(World const& world, Report& report) {
  for (PointCloud const& cloud : clouds(world)) {
    auto const mine = points_of(cloud, world.size)[static_cast<std::size_t>(world.rank)];
    Reductions ranks(world.comm);
    for (std::int64_t in = 0; in <= cloud.points; in += std::max<std::int64_t>(cloud.points / 5, 1)) {
      Cut const cut = median_cut(ranks, mine, in, cloud.points);
      std::int64_t here = 0, all = 0;
      for (CloudPoint const& point : mine) here += cut.has(point) ? 1 : 0;
      MPI_Allreduce(&here, &all, 1, MPI_INT64_T, MPI_SUM, world.comm);
      report.expect(all == in, fmt::format("{} of {} points in, not {}", all, cloud.points, in));
    }
  }
}

void wrong_parts_are_noticed(World const& world, Report& report) {
  SparseExchange exchange(world.comm);
  Reductions ranks(world.comm);
  std::vector<CloudPoint> before;
  for (std::uint32_t i = 0; i < 4; ++i) before.push_back({{1.0 * i, 2, 3}, world.rank, i});
  bool const first = world.rank == 0;
  auto const wrong_with = [&](auto change) {
    auto part = before;
    if (first) change(part);
    return finders(world, wrong_in_part(exchange, ranks, before, part));
  };
  report.expect(wrong_with([](auto&) {}) == 0, "what was there before is right");
  report.expect(wrong_with([](auto& part) { part.pop_back(); }) == 1, "a lost point");
  report.expect(wrong_with([](auto& part) { part[1] = part[0]; }) == 1, "a doubled point, and one lost");
  report.expect(wrong_with([](auto& part) { part[2].at[1] += 1; }) == 1, "a changed point");
  report.expect(wrong_with([&](auto& part) { part[2].home = world.size; }) == 1, "a point of nobody");
  report.expect(wrong_with([](auto& part) { part[3].index = 9; }) == 1, "a point that never was");
}

void the_longest_axis_of_a_box_is_found(World const&, Report& report) {
  auto const along = [](std::array<double, 3> const& axis, std::size_t i) { return std::abs(axis[i]) > 1 - 1e-12; };
  report.expect(along(principal_axis({1, 0, 0, 4, 0, 9}), 2), "of a diagonal matrix");
  report.expect(along(principal_axis({0, 0, 0, 0, 0, 0}), 0), "of none");
  // 2 and 1 are the eigenvalues of (1,1,0) and (1,-1,0) in [[1.5, 0.5], [0.5, 1.5]].
  auto const diagonal = principal_axis({1.5, 0.5, 0, 1.5, 0, 1});
  report.expect(std::abs(diagonal[0] - diagonal[1]) < 1e-12 && std::abs(diagonal[2]) < 1e-12, "of a turned one");
}

void sums_and_scans_are_right_and_counted(World const& world, Report& report) {
  Reductions ranks(world.comm);
  std::int64_t const p = world.size, r = world.rank;
  std::array<double, 2> values{static_cast<double>(r), 0.5};
  ranks.sum(std::span<double>(values));
  report.expect(values[0] == static_cast<double>(p * (p - 1) / 2) && values[1] == 0.5 * static_cast<double>(p), "sums");
  report.expect(ranks.any(r == p - 1) && !ranks.any(false), "any");
  report.expect(ranks.sum_before(r + 1) == r * (r + 1) / 2, "the sum of those before");
  report.expect(ranks.calls() == 4, "calls");
  // 2(p - 1) a sum; rank r hands a scan on to r + 1, r + 2, r + 4, ... as far as there are such ranks.
  std::int64_t expected = 3 * 2 * (p - 1);
  for (std::int64_t distance = 1; distance < p; distance *= 2) expected += p - distance;
  std::int64_t const mine = ranks.messages();
  std::int64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, world.comm);
  report.expect(all == expected, fmt::format("{} messages, not {}", all, expected));
}

}  // namespace

std::vector<TestCase> program_cases() {
  return {{"sums_and_scans_are_right_and_counted", sums_and_scans_are_right_and_counted},
          // Item [Ibanez15, Listing 2]: holds.
          {"sets_are_independent_and_maximal", sets_are_independent_and_maximal},
          {"only_some_may_take_part", only_some_may_take_part},
          {"colors_differ_between_neighbors", colors_differ_between_neighbors},
          {"wrong_sets_and_colorings_are_noticed", wrong_sets_and_colorings_are_noticed},
          {"no_point_is_lost_or_doubled", no_point_is_lost_or_doubled},
          {"a_line_is_cut_across", a_line_is_cut_across},
          {"cuts_have_exactly_as_many_points_as_asked_for", cuts_have_exactly_as_many_points_as_asked_for},
          {"wrong_parts_are_noticed", wrong_parts_are_noticed},
          {"the_longest_axis_of_a_box_is_found", the_longest_axis_of_a_box_is_found}};
}

}  // namespace rondo::mpi::testing
