// The C interface of Cartesian naming (rondo/topology.h) [Traeff21, Section 3], and of communicators that inherit a
// part of a graph. Every function checks its arguments, makes one call and returns an error class.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/runtime/own_comm.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/graph/cart_naming.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/graph_comm.hpp"
#include "mpi_library/interface/communicators.hpp"
#include "mpi_library/intergroup/inter_comm.hpp"
#include "rondo/collectives.h"

namespace {

using namespace rondo::mpi;
using Naming = CartesianNaming;

template <typename... Pointers>
void expect_room(Pointers... pointers) {
  if (((pointers == nullptr) || ...)) throw MpiFailure(MPI_ERR_ARG);
}

std::shared_ptr<Naming> naming_of(MPI_Comm cart) { return Attached<Naming>::of(cart); }

void expect_rank(MPI_Comm cart, int rank) {
  if (rank < 0 || rank >= size_of(cart)) throw MpiFailure(MPI_ERR_RANK);
}

std::span<int const> vector_at(Naming const& naming, int const* list, int i) {
  auto const d = static_cast<std::size_t>(naming.dimensions());
  return {list + static_cast<std::size_t>(i) * d, d};
}

void copy_or_nobody(std::optional<Vector> const& vector, Naming const& naming, int* into) {
  Vector const nobody(static_cast<std::size_t>(naming.dimensions()), MPI_PROC_NULL);
  std::copy_n((vector ? *vector : nobody).begin(), nobody.size(), into);
}

/// Throws MpiFailure for wrong arguments, with the codes of MPI_Cart_create.
std::shared_ptr<Naming> named(MPI_Comm comm, int d, int dimorder, int const* order, int const* period) {
  if (d < 0) throw MpiFailure(MPI_ERR_DIMS);
  if (d > 0) expect_room(order, period);
  if (dimorder != RONDO_ROWMAJOR && dimorder != RONDO_COLMAJOR) throw MpiFailure(MPI_ERR_ARG);
  int const ranks = size_of(comm);
  try {
    return std::make_shared<Naming>(Vector(order, order + d), std::vector<bool>(period, period + d),
                                    dimorder == RONDO_ROWMAJOR ? Naming::Order::row_major : Naming::Order::column_major,
                                    ranks);
  } catch (rondo::InputError const&) {
    throw MpiFailure(MPI_ERR_DIMS);
  }
}

Metric metric_of(int metric) {
  if (metric == RONDO_MANHATTAN_DISTANCE) return Metric::manhattan;
  if (metric == RONDO_CHEBYCHEV_DISTANCE) return Metric::chebyshev;
  throw MpiFailure(MPI_ERR_ARG);
}

/// The offsets of a stencil around a rank.
std::vector<Vector> stencil(MPI_Comm cart, int rank, int metric, int shadow, int depth) {
  auto const naming = naming_of(cart);
  expect_rank(cart, rank);
  if (shadow < 0 || depth < 0) throw MpiFailure(MPI_ERR_ARG);
  return naming->neighbors(rank, metric_of(metric), shadow, depth);
}

/// Makes a communicator of some of the ranks, which carries their part of the graph.
template <typename Create>
int part_of(MPI_Comm comm, MPI_Comm* newcomm, Create const& create) {
  return guarded([&] {
    expect_room(newcomm);
    *newcomm = MPI_COMM_NULL;
    expect_intra(comm);
    MPI_Comm part = MPI_COMM_NULL;
    check(create(&part));
    carry_subgraph(part, comm);
    *newcomm = part;
  });
}

/// Calls `make` for an inter-communicator of Rondo; returns nothing for any other communicator.
template <typename Make>
std::optional<int> between_groups(MPI_Comm comm, MPI_Comm* result, Make const& make) {
  if (!is_inter(comm)) return std::nullopt;
  return give(result, [&] { return make(*inter_comm(comm)); });
}

}  // namespace

/// These functions are documented in include/rondo; errors become return codes, since no exception may pass into C.
int Rondo_Comm_base(MPI_Comm comm, MPI_Comm* basecomm) {
  return guarded([&] {
    expect_room(basecomm);
    *basecomm = MPI_COMM_NULL;
    *basecomm = fully_connected(comm);
  });
}

/// On an inter-communicator both groups are split by the same colors.
int Rondo_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  if (auto const made = between_groups(
          comm, newcomm, [&](InterComm const& inter) { return split_inter_comm(comm, inter, color, key); })) {
    return *made;
  }
  return part_of(comm, newcomm, [&](MPI_Comm* part) { return PMPI_Comm_split(comm, color, key, part); });
}

int Rondo_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  return part_of(comm, newcomm,
                 [&](MPI_Comm* part) { return PMPI_Comm_split_type(comm, split_type, key, info, part); });
}

int Rondo_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  if (auto const made = between_groups(
          comm, newcomm, [&](InterComm const& inter) { return create_in_inter_comm(comm, inter, group); })) {
    return *made;
  }
  return part_of(comm, newcomm, [&](MPI_Comm* part) { return PMPI_Comm_create(comm, group, part); });
}

int Rondo_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return part_of(comm, newcomm, [&](MPI_Comm* part) { return PMPI_Comm_create_group(comm, group, tag, part); });
}

int Rondo_Cart_name(MPI_Comm comm, int d, int dimorder, int order[], int period[], int* size) {
  return guarded([&] {
    expect_room(size);
    expect_intra(comm);
    auto naming = named(comm, d, dimorder, order, period);
    *size = naming->size();
    Attached<Naming>::attach(comm, std::move(naming));
  });
}

int Rondo_Cart_test(MPI_Comm cart, int* flag, int* d, int* size) {
  return guarded([&] {
    expect_room(flag, d, size);
    auto const naming = Attached<Naming>::if_any(cart);
    *flag = naming != nullptr ? 1 : 0;
    if (naming == nullptr) return;
    *d = naming->dimensions();
    *size = naming->size();
  });
}

int Rondo_Cart_get(MPI_Comm cart, int* dimorder, int maxd, int order[], int period[]) {
  return guarded([&] {
    expect_room(dimorder);
    auto const naming = naming_of(cart);
    *dimorder = naming->order() == Naming::Order::row_major ? RONDO_ROWMAJOR : RONDO_COLMAJOR;
    int const told = std::min(maxd, naming->dimensions());
    if (told > 0) expect_room(order, period);
    for (int j = 0; j < told; ++j) {
      order[j] = naming->extents()[static_cast<std::size_t>(j)];
      period[j] = naming->closed(j) ? 1 : 0;
    }
  });
}

int Rondo_Cart_rank(MPI_Comm cart, int coordinates[], int* rank) {
  return Rondo_Cart_allranks(cart, 1, coordinates, rank);
}

int Rondo_Cart_coordinates(MPI_Comm cart, int rank, int coordinates[]) {
  return guarded([&] {
    auto const naming = naming_of(cart);
    expect_rank(cart, rank);
    if (naming->dimensions() > 0) expect_room(coordinates);
    copy_or_nobody(naming->coordinates(rank), *naming, coordinates);
  });
}

int Rondo_Cart_relative_rank(MPI_Comm cart, int source, int relative[], int* dest) {
  return Rondo_Cart_allranks_relative(cart, source, 1, relative, dest);
}

int Rondo_Cart_relative_coordinates(MPI_Comm cart, int source, int dest, int relative[]) {
  return guarded([&] {
    auto const naming = naming_of(cart);
    expect_rank(cart, source);
    expect_rank(cart, dest);
    if (naming->dimensions() > 0) expect_room(relative);
    copy_or_nobody(naming->offset(source, dest), *naming, relative);
  });
}

int Rondo_Cart_relative_shift(MPI_Comm cart, int rank, int relative[], int* inrank, int* outrank) {
  return guarded([&] {
    expect_room(inrank, outrank);
    auto const naming = naming_of(cart);
    expect_rank(cart, rank);
    if (naming->dimensions() > 0) expect_room(relative);
    auto const offset = vector_at(*naming, relative, 0);
    *inrank = naming->relative_rank(rank, offset, -1).value_or(MPI_PROC_NULL);
    *outrank = naming->relative_rank(rank, offset).value_or(MPI_PROC_NULL);
  });
}

int Rondo_Cart_allranks(MPI_Comm cart, int n, int coordinates[], int ranks[]) {
  return guarded([&] {
    auto const naming = naming_of(cart);
    if (n < 0) throw MpiFailure(MPI_ERR_COUNT);
    if (n > 0) expect_room(ranks);
    if (n > 0 && naming->dimensions() > 0) expect_room(coordinates);
    for (int i = 0; i < n; ++i) {
      auto const place = vector_at(*naming, coordinates, i);
      ranks[i] = naming->rank({place.begin(), place.end()}).value_or(MPI_PROC_NULL);
    }
  });
}

int Rondo_Cart_allranks_relative(MPI_Comm cart, int source, int n, int relatives[], int ranks[]) {
  return guarded([&] {
    auto const naming = naming_of(cart);
    expect_rank(cart, source);
    if (n < 0) throw MpiFailure(MPI_ERR_COUNT);
    if (n > 0) expect_room(ranks);
    if (n > 0 && naming->dimensions() > 0) expect_room(relatives);
    for (int i = 0; i < n; ++i) {
      ranks[i] = naming->relative_rank(source, vector_at(*naming, relatives, i)).value_or(MPI_PROC_NULL);
    }
  });
}

/// The chosen dimensions select the part; the others number its ranks.
int Rondo_Cart_create_sub(MPI_Comm cart, int dimension[], MPI_Comm* subcart) {
  return guarded([&] {
    expect_room(subcart);
    *subcart = MPI_COMM_NULL;
    auto const naming = naming_of(cart);
    if (naming->dimensions() > 0) expect_room(dimension);
    int const self = rank_in(cart);
    auto const place = naming->coordinates(self);
    int color = place ? 0 : MPI_UNDEFINED;
    for (std::size_t j = 0; place && j < place->size(); ++j) {
      if (dimension[j] != 0) color = color * naming->extents()[j] + (*place)[j];
    }
    check(PMPI_Comm_split(cart, color, self, subcart));
  });
}

int Rondo_Cart_neighbors_count(MPI_Comm cart, int rank, int metric, int shadow, int depth, int* size) {
  return guarded([&] {
    expect_room(size);
    *size = static_cast<int>(stencil(cart, rank, metric, shadow, depth).size());
  });
}

int Rondo_Cart_neighbors(MPI_Comm cart, int rank, int metric, int shadow, int depth, int maxsize, int neighbors[]) {
  return guarded([&] {
    auto const offsets = stencil(cart, rank, metric, shadow, depth);
    if (maxsize < 0) throw MpiFailure(MPI_ERR_COUNT);
    std::size_t const told = std::min(offsets.size(), static_cast<std::size_t>(maxsize));
    if (told > 0 && !offsets.front().empty()) expect_room(neighbors);
    for (std::size_t i = 0; i < told; ++i) neighbors = std::copy(offsets[i].begin(), offsets[i].end(), neighbors);
  });
}

int Rondo_Cart_isomorphic(MPI_Comm cart, int t, int targets[], int* flag) {
  return guarded([&] {
    auto const naming = naming_of(cart);
    if (t > 0) expect_room(targets);
    bool const same = is_isomorphic(cart, *naming, {targets, static_cast<std::size_t>(std::max(t, 0))});
    expect_room(flag);
    *flag = same ? 1 : 0;
  });
}
