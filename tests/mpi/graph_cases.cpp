// What the neighborhood collectives deliver, byte for byte, gaps included.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "mpi/graph_exchange.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

void compare(Exchange mine, Exchange const& reference, MPI_Comm comm, Form form, std::string const& what,
             Report& report) {
  report.expect_code(call_rondo(mine, form, comm), MPI_SUCCESS, what);
  report.expect(mine.receive.buffer == reference.receive.buffer, what + ": other bytes");
}

std::string named(std::string const& where, Variant variant, Form form) {
  return fmt::format("{}, variant {}, form {}", where, static_cast<int>(variant), static_cast<int>(form));
}

bool has_repeated(Digraph const& graph) {
  std::set<std::pair<int, int>> seen;
  return std::any_of(graph.edges.begin(), graph.edges.end(),
                     [&](Digraph::Edge const& edge) { return !seen.emplace(edge.source, edge.target).second; });
}

/// All variants in one form each, which the salt changes, by each algorithm; the platform does each once.
void on_graph(World const& world, Digraph const& graph, GraphShape shape, Types const& types, int salt,
              Report& report) {
  std::string const where = fmt::format("graph {}", salt);
  Exchange const any = exchange(Variant::alltoall, graph, world.rank, types, salt);
  MPI_Comm platform = platform_graph(any, world.comm);
  MPI_Comm rondo[] = {rondo_graph(world.comm, any, "naive", report),
                      rondo_graph(world.comm, any, "common_neighbors", report)};
  int combination = salt;
  for (Variant const variant : neighbor_variants) {
    Form const form = forms[combination++ % 3];
    Exchange const given = exchange(variant, graph, world.rank, types, salt);
    Exchange reference = given;
    call_platform(reference, shape, has_repeated(graph), form, platform);
    for (MPI_Comm const comm : rondo) {
      compare(given, reference, comm, form, named(where, variant, form), report);
    }
  }
  for (MPI_Comm* comm : {&platform, &rondo[0], &rondo[1]}) MPI_Comm_free(comm);
}

/// 200 on five numbers of ranks, by two algorithms.
void random_digraphs(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  int const graphs = world.effort == Effort::sampled ? 8 : world.effort == Effort::full ? 40 : 200;
  for (int seed = 0; seed < graphs; ++seed) {
    // Ranks combine blocks of an all-to-all where no edge is repeated.
    Edges const edges = seed % 2 == 0 ? Edges::any : Edges::distinct;
    Digraph const graph =
        random_digraph(world.size, 0.1 + 0.4 * (seed % 5), false, edges, static_cast<std::uint64_t>(seed));
    on_graph(world, graph, GraphShape::graph, types, seed, report);
  }
}

void symmetric_graphs(World const& world, Report& report) {
  Types const types(Types::Family::records);
  int const graphs = world.effort == Effort::sampled ? 2 : 6;
  for (int seed = 0; seed < graphs; ++seed) {
    Digraph const graph =
        random_digraph(world.size, 0.1 * seed, true, Edges::any, static_cast<std::uint64_t>(100 + seed));
    on_graph(world, graph, GraphShape::symmetric_graph, types, seed, report);
  }
}

/// The neighbors of MPI's text, by arithmetic on coordinates.
std::vector<int> grid_neighbors(Torus const& torus, std::vector<int> const& periods, int rank) {
  std::vector<int> result;
  for (int j = 0; j < torus.dimensions(); ++j) {
    for (int const direction : {-1, 1}) {
      std::vector<int> place = torus.coordinates(Rank(rank));
      int& coordinate = place[static_cast<std::size_t>(j)];
      coordinate += direction;
      bool const outside = coordinate < 0 || coordinate >= torus.extent(j);
      result.push_back(outside && periods[static_cast<std::size_t>(j)] == 0 ? MPI_PROC_NULL : torus.rank(place).value);
    }
  }
  return result;
}

/// By an algorithm that the salt changes.
void on_grid(World const& world, Torus const& torus, std::vector<int> const& periods, Types const& types, int salt,
             Report& report) {
  static constexpr char const* algorithms[] = {"torus", "auto", "common_neighbors", "naive"};
  char const* const algorithm = algorithms[salt % 4];
  std::string const where = fmt::format("grid {}, periods {}, {}", torus.extents(), periods, algorithm);
  MPI_Comm platform = platform_grid(torus.extents(), periods, world.comm), rondo = MPI_COMM_NULL;
  bool repeated_edges = false;
  for (std::size_t j = 0; j < periods.size(); ++j) repeated_edges |= periods[j] != 0 && torus.extents()[j] < 3;
  report.expect_code(
      Rondo_Cart_create(world.comm, torus.dimensions(), torus.extents().data(), periods.data(), 0, &rondo), MPI_SUCCESS,
      where + ": create");
  AlgorithmInfo const info(algorithm);
  report.expect_code(Rondo_Comm_set_info(rondo, info.handle()), MPI_SUCCESS, where + ": info");
  std::vector<int> const neighbors = grid_neighbors(torus, periods, world.rank);
  for (Variant const variant : neighbor_variants) {
    Exchange mine = exchange(variant, neighbors, neighbors, world.rank, types, salt);
    // What leaves in the negative direction arrives from the positive one.
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      mine.target_tags.push_back(static_cast<int>(k));
      mine.source_tags.push_back(static_cast<int>(k ^ 1));
    }
    Form const form = forms[salt++ % 3];
    Exchange reference = mine;
    call_platform(reference, GraphShape::grid, repeated_edges, form, platform);
    compare(std::move(mine), reference, rondo, form, named(where, variant, form), report);
  }
  MPI_Comm_free(&platform);
  MPI_Comm_free(&rondo);
}

void grids(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  int salt = 0;
  for (Torus const& torus : all_tori(world.size)) {
    int const kinds = 1 << torus.dimensions();
    for (int kind = 0; kind < kinds; ++kind) {
      ++salt;
      if (world.effort == Effort::sampled && salt % 9 != 0) continue;
      std::vector<int> periods;
      for (int j = 0; j < torus.dimensions(); ++j) periods.push_back(kind >> j & 1);
      on_grid(world, torus, periods, types, salt, report);
    }
  }
}

}  // namespace

std::vector<TestCase> graph_cases() {
  return {{"neighbor_collectives_on_random_digraphs", random_digraphs},
          {"neighbor_collectives_on_graphs_with_both_directions", symmetric_graphs},
          {"neighbor_collectives_on_grids_of_any_periods", grids}};
}

}  // namespace rondo::mpi::testing
