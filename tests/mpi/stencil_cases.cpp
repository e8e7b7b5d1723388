// Neighborhood collectives on Cartesian graphs: all ranks have the same neighbors on a named grid, each lists them in
// an order of its own.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.hpp"
#include "mpi/graph_exchange.hpp"
#include "rondo/collectives.h"

namespace rondo::mpi::testing {
namespace {

struct Stencil {
  char const* name;
  std::vector<std::vector<int>> (*offsets)(int dimensions);
};

/// All with coordinates from `low` to 1.
std::vector<std::vector<int>> box(int dimensions, int low) {
  std::vector<std::vector<int>> result{{}};
  for (int j = 0; j < dimensions; ++j) {
    std::vector<std::vector<int>> const shorter = std::exchange(result, {});
    for (std::vector<int> const& each : shorter) {
      for (int c = low; c <= 1; ++c) {
        result.push_back(each);
        result.back().push_back(c);
      }
    }
  }
  return result;
}

constexpr Stencil stencils[] = {
    {"9 points", [](int d) { return box(d, -1); }},
    {"one corner", [](int d) { return box(d, 0); }},
    {"far and repeated",
     [](int d) {
       std::vector<int> near(static_cast<std::size_t>(d), 1), far(near);
       far.front() = 3;
       return std::vector<std::vector<int>>{near, far, near, std::vector<int>(near.size(), -1)};
     }},
};

/// The grid and the neighborhood; offsets in the order of the extents.
struct Scene {
  std::vector<int> extents, periods;
  int order;
  std::vector<std::vector<int>> offsets;
};

/// A random order of this rank's own, in which repeated neighbors keep theirs.
void shuffle(std::vector<int>& edges, std::vector<int> const& neighbors, Random& random) {
  for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[random.below(i)]);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      auto const at = [&](std::size_t k) { return neighbors[static_cast<std::size_t>(edges[k])]; };
      if (at(i) == at(j) && edges[j] < edges[i]) std::swap(edges[i], edges[j]);
    }
  }
}

/// Edge number p * stride + i is that from rank p to its i-th neighbor; the stride is a multiple of 4, so that blocks
/// of any size, which depend on the number modulo 4, have the same at all ranks.
Digraph graph_of(Scene const& scene, MPI_Comm named, World const& world) {
  int const stride = (static_cast<int>(scene.offsets.size()) + 3) / 4 * 4;
  auto const ranks = static_cast<std::size_t>(world.size);
  Digraph graph;
  graph.edges.resize(ranks * static_cast<std::size_t>(stride));
  graph.outgoing.resize(ranks);
  graph.incoming.resize(ranks);
  std::vector<int> sources(graph.edges.size()), targets(graph.edges.size());
  for (int rank = 0; rank < world.size; ++rank) {
    for (std::size_t i = 0; i < scene.offsets.size(); ++i) {
      std::vector<int> offset = scene.offsets[i];
      int target = MPI_PROC_NULL;
      Rondo_Cart_relative_rank(named, rank, offset.data(), &target);
      if (target == MPI_PROC_NULL) continue;
      int const edge = rank * stride + static_cast<int>(i);
      auto const e = static_cast<std::size_t>(edge);
      graph.edges[e] = {rank, target};
      sources[e] = rank;
      targets[e] = target;
      graph.outgoing[static_cast<std::size_t>(rank)].push_back(edge);
      graph.incoming[static_cast<std::size_t>(target)].push_back(edge);
    }
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Random random(rank);
    shuffle(graph.outgoing[rank], targets, random);
    shuffle(graph.incoming[rank], sources, random);
  }
  return graph;
}

void on_scene(World const& world, Scene scene, std::string const& where, int salt, Report& report) {
  Types const types(salt % 2 == 0 ? Types::Family::ints : Types::Family::records);
  MPI_Comm named = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &named);
  int size = 0;
  Rondo_Cart_name(named, static_cast<int>(scene.extents.size()), scene.order, scene.extents.data(),
                  scene.periods.data(), &size);
  Digraph const graph = graph_of(scene, named, world);
  Exchange const any = exchange(Variant::alltoall, graph, world.rank, types, salt);
  static constexpr char const* algorithms[] = {"torus", "common_neighbors", "auto"};
  std::array<MPI_Comm, 3> comms{};
  for (std::size_t a = 0; a < comms.size(); ++a) comms[a] = rondo_graph(named, any, algorithms[a], report);
  for (Variant const variant : neighbor_variants) {
    Exchange const given = exchange(variant, graph, world.rank, types, salt);
    Exchange reference = given;
    exchange_by_messages(reference, world.comm);
    for (std::size_t a = 0; a < comms.size(); ++a) {
      Form const form = forms[salt++ % 3];
      Exchange mine = given;
      std::string const what = fmt::format("{}, {}, variant {}, form {}", where, algorithms[a],
                                           static_cast<int>(variant), static_cast<int>(form));
      report.expect_code(call_rondo(mine, form, comms[a]), MPI_SUCCESS, what);
      report.expect(mine.receive.buffer == reference.receive.buffer, what + ": other bytes");
    }
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  MPI_Comm_free(&named);
}

/// All extents, closed, open or both, row- or column-major.
void stencils_on_grids(World const& world, Report& report) {
  int salt = 0;
  for (Torus const& torus : all_tori(world.size)) {
    for (int closed = 0; closed < 3; ++closed) {
      for (Stencil const& stencil : stencils) {
        ++salt;
        if (world.effort == Effort::sampled && salt % 17 != 0) continue;
        Scene scene{
            torus.extents(), {}, salt % 2 == 0 ? RONDO_ROWMAJOR : RONDO_COLMAJOR, stencil.offsets(torus.dimensions())};
        for (int j = 0; j < torus.dimensions(); ++j) scene.periods.push_back(closed == 2 ? j % 2 : closed);
        std::string const where =
            fmt::format("{} on {}, periods {}, order {}", stencil.name, scene.extents, scene.periods, scene.order);
        on_scene(world, scene, where, salt, report);
      }
    }
  }
}

}  // namespace

std::vector<TestCase> stencil_cases() { return {{"neighbor_collectives_on_cartesian_graphs", stencils_on_grids}}; }

}  // namespace rondo::mpi::testing
