// Datatypes whose extent is negative, or smaller than what an element spans: each element lies before the one that it
// follows, or among its bytes.

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "mpi/graph_exchange.hpp"
#include "rondo/collectives.h"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

using Ints = std::vector<int>;

MPI_Datatype with_extent(MPI_Datatype type, MPI_Aint extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type, 0, extent, &result);
  if (type != MPI_INT) MPI_Type_free(&type);
  return result;
}

MPI_Datatype in_a_row(int number, MPI_Datatype type) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(number, type, &result);
  if (type != MPI_INT) MPI_Type_free(&type);
  return result;
}

MPI_Datatype spaced(int number, MPI_Aint stride) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(number, 1, stride, MPI_INT, &result);
  return result;
}

struct Layout {
  char const* name;
  MPI_Datatype (*make)();
  int count;
  Ints places;  ///< of the integers of `count` elements, from that of the first
};

constexpr MPI_Aint one = sizeof(int);

Layout const& layout(std::size_t which) {
  static std::array<Layout, 5> const all{
      {{"backwards", [] { return with_extent(MPI_INT, -one); }, 3, {0, -1, -2}},
       {"pairs backwards", [] { return with_extent(in_a_row(2, MPI_INT), -3 * one); }, 2, {0, 1, -3, -2}},
       // SMPI takes the extent of these two for negative; MPI does not.
       {"a negative stride", [] { return spaced(3, -2 * one); }, 1, {0, -2, -4}},
       {"a row of backward ones", [] { return in_a_row(3, with_extent(MPI_INT, -2 * one)); }, 1, {0, -2, -4}},
       {"columns", [] { return with_extent(spaced(3, 4 * one), one); }, 2, {0, 4, 8, 1, 5, 9}}}};
  return all.at(which);
}

template <std::size_t which>
void add(void* left, void* right, int*, MPI_Datatype*) {
  for (int const place : layout(which).places) static_cast<int*>(right)[place] += static_cast<int*>(left)[place];
}

constexpr std::array<MPI_User_function*, 5> additions{add<0>, add<1>, add<2>, add<3>, add<4>};

/// All other ranks are neighbors.
Exchange complete(World const& world) {
  Exchange result;
  for (int rank = 0; rank < world.size; ++rank) {
    if (rank != world.rank) result.targets.push_back(rank);
  }
  result.sources = result.targets;
  return result;
}

constexpr int middle = 12;

Ints values(int rank) {
  Ints result(2 * middle);
  std::iota(result.begin(), result.end(), 100 * rank);
  return result;
}

/// Sums of all other ranks in the places of the layout; what lies between is left alone.
Ints sums(Layout const& of, World const& world) {
  Ints result(2 * middle, -1);
  for (int const place : of.places) {
    auto const at = static_cast<std::size_t>(middle + place);
    result[at] = 0;
    for (int rank = 0; rank < world.size; ++rank) result[at] += rank == world.rank ? 0 : values(rank)[at];
  }
  return result;
}

void reduced(World const& world, std::size_t which, MPI_Comm graph, Report& report) {
  Layout const& of = layout(which);
  MPI_Datatype type = of.make();
  MPI_Type_commit(&type);
  MPI_Op sum = MPI_OP_NULL;
  MPI_Op_create(additions[which], 1, &sum);
  Ints sent = values(world.rank);
  Ints const nothing(2 * middle, -1);
  Ints received = nothing;
  int code = Rondo_Allreduce(sent.data() + middle, received.data() + middle, of.count, type, sum, graph);
  report.expect_code(code, MPI_SUCCESS, fmt::format("Allreduce of {}", of.name));
  report.expect(received == sums(of, world), fmt::format("Allreduce of {}: other values", of.name));
  received = nothing;
  code = Rondo_Reduce(sent.data() + middle, received.data() + middle, of.count, type, sum, 0, graph);
  report.expect_code(code, MPI_SUCCESS, fmt::format("Reduce of {}", of.name));
  report.expect(received == (world.rank == 0 ? sums(of, world) : nothing), fmt::format("Reduce of {}", of.name));
  MPI_Op_free(&sum);
  MPI_Type_free(&type);
}

void reductions(World const& world, Report& report) {
  if (world.size == 1) return;
  MPI_Comm graph = rondo_graph(world.comm, complete(world), "naive", report);
  for (std::size_t which = 0; which < additions.size(); ++which) reduced(world, which, graph, report);
  MPI_Comm_free(&graph);
}

/// Element j of a rank's data lies j places before the first: block k begins with element 2k.
void blocks(World const& world, Report& report) {
  Exchange const graph = complete(world);
  MPI_Datatype type = with_extent(MPI_INT, -one);
  MPI_Type_commit(&type);
  std::size_t const last = 2 * graph.targets.size();
  for (char const* algorithm : {"naive", "common_neighbors"}) {
    MPI_Comm comm = rondo_graph(world.comm, graph, algorithm, report);
    Ints sent(last + 1, -1), received(last + 1, -1), expected(last + 1, -1);
    for (std::size_t j = 0; j < last; ++j) {
      int const other = graph.targets[j / 2], element = static_cast<int>(j % 2);
      sent[last - j] = 1000 * world.rank + 10 * other + element;
      expected[last - j] = 1000 * other + 10 * world.rank + element;
    }
    int const code = Rondo_Neighbor_alltoall(&sent[last], 2, type, &received[last], 2, type, comm);
    report.expect_code(code, MPI_SUCCESS, fmt::format("Neighbor_alltoall, {}", algorithm));
    report.expect(received == expected, fmt::format("Neighbor_alltoall, {}: other values", algorithm));
    MPI_Comm_free(&comm);
  }
  MPI_Type_free(&type);
}

}  // namespace

std::vector<TestCase> extent_cases() {
  return {{"reductions_of_elements_that_lie_backwards_or_among_each_other", reductions},
          {"neighbor_collectives_of_elements_that_lie_backwards", blocks}};
}

}  // namespace rondo::mpi::testing
