// Makes Cartesian communicators by the MPI library, and attaches their topology.

#include "mpi_library/graph/cart_comm.hpp"

#include <cstddef>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/graph/cartesian_graph.hpp"
#include "mpi_library/graph/process_topology.hpp"

namespace rondo::mpi {
namespace {

/// The arguments of MPI_Cart_get.
struct CartesianGrid {
  std::vector<int> extents, periods, coordinates;
};

/// Asks the MPI library for the grid of a Cartesian communicator. Throws MpiFailure for any other communicator.
CartesianGrid grid_of(MPI_Comm comm) {
  int dimensions = 0;
  check(PMPI_Cartdim_get(comm, &dimensions));
  auto const d = static_cast<std::size_t>(dimensions);
  CartesianGrid grid{std::vector<int>(d), std::vector<int>(d), std::vector<int>(d)};
  check(PMPI_Cart_get(comm, dimensions, grid.extents.data(), grid.periods.data(), grid.coordinates.data()));
  return grid;
}

/// The grid as a naming of ranks in row-major order.
CartesianNaming naming_of_grid(MPI_Comm comm) {
  CartesianGrid const grid = grid_of(comm);
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  return {grid.extents, std::vector<bool>(grid.periods.begin(), grid.periods.end()), CartesianNaming::Order::row_major,
          ranks};
}

/// Collective. The topology of a Cartesian communicator, with its grid.
std::shared_ptr<ProcessTopology const> grid_topology(MPI_Comm comm) {
  auto topology = std::make_shared<ProcessTopology>(cartesian_topology(comm));
  OwnComm const own(comm);
  topology->grid = cartesian_graph(own.handle(), naming_of_grid(comm), *topology);
  return topology;
}

/// The error class of a grid that is wrong or has more places than ranks; MPI_SUCCESS for a right one.
int grid_error(int ranks, int dimensions, int const* extents, int const* periods) {
  if (dimensions < 0) return MPI_ERR_DIMS;
  if (dimensions > 0 && (extents == nullptr || periods == nullptr)) return MPI_ERR_ARG;
  int places = 1;
  for (int j = 0; j < dimensions; ++j) {
    // A division is used because the product of the caller's numbers may be too large for an integer.
    if (extents[j] <= 0 || extents[j] > ranks / places) return MPI_ERR_DIMS;
    places *= extents[j];
  }
  return MPI_SUCCESS;
}

/// The vote of this rank about its arguments.
Vote vote_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  Vote vote;
  vote.code = grid_error(ranks, dimensions, extents, periods);
  if (vote.code != MPI_SUCCESS) return vote;
  vote.arguments.add(dimensions);
  for (int j = 0; j < dimensions; ++j) {
    vote.arguments.add(extents[j]);
    vote.arguments.add(periods[j] != 0 ? 1 : 0);
  }
  return vote;
}

/// The vote of this rank about the dimensions that remain.
Vote vote_on_part(std::size_t dimensions, int const* remaining) {
  Vote vote;
  if (remaining == nullptr && dimensions > 0) vote.code = MPI_ERR_ARG;
  if (vote.code != MPI_SUCCESS) return vote;
  for (std::size_t j = 0; j < dimensions; ++j) vote.arguments.add(remaining[j] != 0 ? 1 : 0);
  return vote;
}

}  // namespace

/// Ranks are not reordered, so that offsets and ranks stay related as the program states.
MPI_Comm create_cartesian(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  expect_intra(comm);
  check(agree(comm, vote_on_grid(comm, dimensions, extents, periods)));
  MPI_Comm result = MPI_COMM_NULL;
  check(PMPI_Cart_create(comm, dimensions, extents, periods, 0, &result));
  if (result != MPI_COMM_NULL) attach_topology(result, grid_topology(result), MPI_INFO_NULL);
  return result;
}

int rank_on_grid(MPI_Comm comm, int dimensions, int const* extents, int const* periods) {
  expect_intra(comm);
  int ranks = 0, rank = 0;
  check(MPI_Comm_size(comm, &ranks));
  check(MPI_Comm_rank(comm, &rank));
  check(grid_error(ranks, dimensions, extents, periods));
  int places = 1;
  for (int j = 0; j < dimensions; ++j) places *= extents[j];
  return rank < places ? rank : MPI_UNDEFINED;
}

/// The coordinates in the remaining dimensions number the ranks of a part; the other coordinates say which part it is.
MPI_Comm cartesian_part(MPI_Comm comm, int const* remaining) {
  CartesianGrid const grid = grid_of(comm);
  check(agree(comm, vote_on_part(grid.extents.size(), remaining)));
  std::vector<int> extents, periods;
  int color = 0, key = 0;
  for (std::size_t j = 0; j < grid.extents.size(); ++j) {
    int& number = remaining[j] != 0 ? key : color;
    number = number * grid.extents[j] + grid.coordinates[j];
    if (remaining[j] == 0) continue;
    extents.push_back(grid.extents[j]);
    periods.push_back(grid.periods[j]);
  }
  // Without a dimension there is a single place, that of rank 0, as in MPI_Cart_create.
  bool const left_over = extents.empty() && color != 0;
  MPI_Comm ranks = MPI_COMM_NULL;
  check(PMPI_Comm_split(comm, left_over ? MPI_UNDEFINED : color, key, &ranks));
  if (left_over) return MPI_COMM_NULL;
  MPI_Comm const result = create_cartesian(ranks, static_cast<int>(extents.size()), extents.data(), periods.data());
  check(MPI_Comm_free(&ranks));
  return result;
}

void carry_on(MPI_Comm original, MPI_Comm duplicate, NewComms& comms) {
  auto const found = find_attached_topology(original);
  if (found != nullptr) attach_same_topology(duplicate, *found, comms);
}

void carry_on(MPI_Comm original, MPI_Comm duplicate, MPI_Info info) {
  auto const found = find_attached_topology(original);
  if (found != nullptr) attach_topology(duplicate, found->topology, info);
}

std::optional<CartesianNaming> cartesian_naming(MPI_Comm comm) {
  auto const home = find_attached_topology(comm);
  if (home == nullptr || home->topology->kind != ProcessTopology::Kind::cartesian) return std::nullopt;
  return naming_of_grid(comm);
}

}  // namespace rondo::mpi
