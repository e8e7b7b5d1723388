// Makes isomorphic communicators. All ranks must state the same grid and the same offsets in the same order; one
// reduction over a fingerprint checks that.

#include "mpi_library/isomorphic/comm.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/communicator_kind.hpp"
#include "mpi_library/calls/guarded.hpp"

namespace rondo::mpi {

namespace {

/// The algorithm may come from the environment, so that programs need not be changed.
IsoOptions options_of_environment() {
  IsoOptions result;
  char const* const name = std::getenv("RONDO_ISO_ALGORITHM");
  if (name != nullptr && *name != '\0') result.set("algorithm", name);
  return result;
}

/// The torus of all ranks. Throws MpiFailure if the extents are invalid or have another product.
Torus torus_of(MPI_Comm comm, std::vector<int> const& extents) {
  int ranks = 0;
  check(MPI_Comm_size(comm, &ranks));
  try {
    Torus torus(extents);
    if (torus.size() == ranks) return torus;
  } catch (InputError const&) {
  }
  throw MpiFailure(MPI_ERR_DIMS);
}

/// A coordinate that schedules can hold. On an open dimension a large one is replaced by one just outside the grid; on
/// a closed one by its remainder modulo the extent, if it is larger than a neighborhood may hold. All others stay as
/// they are, as in scenarios.
int within(int coordinate, int extent, bool closes) {
  if (!closes) return std::clamp(coordinate, -extent, extent);
  constexpr int largest = Neighborhood::largest_coordinate;
  return coordinate < -largest || coordinate > largest ? coordinate % extent : coordinate;
}

/// The offsets as vectors. Large coordinates are reduced to equivalent ones, which schedules can hold.
Neighborhood neighborhood_on(Torus const& torus, Boundary const& boundary, int s, int const* coordinates) {
  if (s < 0) throw MpiFailure(MPI_ERR_COUNT);
  auto const d = static_cast<std::size_t>(torus.dimensions());
  if (coordinates == nullptr && s > 0 && d > 0) throw MpiFailure(MPI_ERR_ARG);
  std::vector<std::vector<int>> offsets(static_cast<std::size_t>(s), std::vector<int>(d));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      offsets[i][j] = within(coordinates[i * d + j], torus.extents()[j], boundary.closes(j));
    }
  }
  return {torus.dimensions(), offsets};
}

/// What all ranks must have stated alike: the torus, its boundary and the neighborhood.
Fingerprint fingerprint(Torus const& torus, Boundary const& boundary, int s, int const* coordinates) {
  Fingerprint result;
  result.add(torus.dimensions());
  for (std::size_t j = 0; j < torus.extents().size(); ++j) {
    result.add(torus.extents()[j]);
    result.add(boundary.closes(j) ? 1 : 0);
  }
  result.add(s);
  auto const integers = static_cast<std::size_t>(s) * static_cast<std::size_t>(torus.dimensions());
  for (std::size_t i = 0; i < integers; ++i) result.add(coordinates[i]);
  return result;
}

}  // namespace

void expect_list_fits(int s, int d) {
  if (std::int64_t{std::max(s, 1)} * std::max(d, 1) > Neighborhood::most_coordinates) throw MpiFailure(MPI_ERR_COUNT);
}

namespace {

/// Reads the arguments of this rank. There is a result only if its vote has no error.
std::optional<IsoComm> read(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates, Vote& vote) {
  std::optional<IsoComm> result;
  auto const read_arguments = [&] {
    Grid const grid = grid_of(comm);
    Torus const torus = torus_of(comm, grid.extents);
    expect_list_fits(s, torus.dimensions());
    IsoComm mine{nullptr, torus, grid.boundary, neighborhood_on(torus, grid.boundary, s, coordinates),
                 options_of_environment()};
    check(MPI_Comm_rank(comm, &mine.rank.value));
    vote.arguments = fingerprint(torus, grid.boundary, s, coordinates);
    result = std::move(mine);
  };
  vote.code = guarded(read_arguments, MPI_ERR_ARG);
  return result;
}

/// The value of a name. Throws MpiFailure for a name that has none.
template <typename Enum>
Enum value_named(std::string_view name) {
  std::optional<Enum> const value = value_of<Enum>(name);
  if (!value) throw MpiFailure(MPI_ERR_ARG);
  return *value;
}

bool truth_named(std::string_view name) {
  if (name != "true" && name != "false") throw MpiFailure(MPI_ERR_ARG);
  return name == "true";
}

}  // namespace

/// Throws MpiFailure for an unknown option or name.
void IsoOptions::set(std::string_view option, std::string_view value) {
  if (option == "algorithm") {
    algorithm = value_named<problem::IsomorphicAlgorithm>(value);
  } else if (option == "dimension_order") {
    alltoall_order = allgather_order = value_named<problem::OrderRule>(value);
  } else if (option == "shortest_wrap") {
    shortest_wrap = truth_named(value);
  } else {
    throw MpiFailure(MPI_ERR_ARG);
  }
}

int IsoComm::next_tag() {
  int const tag = requests;
  requests = requests == largest_tag(comm->handle()) ? 0 : requests + 1;
  return tag;
}

/// All ranks vote on the neighborhood; the state becomes an attribute of a duplicate.
MPI_Comm create_iso_comm(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates) {
  expect_intra(comm);
  auto own = std::make_unique<OwnComm>(comm);
  Vote vote;
  std::optional<IsoComm> content = read(own->handle(), grid_of, s, coordinates, vote);
  check(agree(own->handle(), vote));
  MPI_Comm result = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &result));
  content->comm = std::move(own);
  Attached<IsoComm>::attach(result, std::make_shared<IsoComm>(std::move(*content)));
  return result;
}

std::shared_ptr<IsoComm> iso_comm(MPI_Comm comm) { return Attached<IsoComm>::of(comm); }

}  // namespace rondo::mpi
