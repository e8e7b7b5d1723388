#include "mpi/isomorphic/comm.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "mpi/runtime/agreement.hpp"
#include "mpi/runtime/attached.hpp"
#include "mpi/runtime/communicator_kind.hpp"
#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

Algorithm algorithm_of_environment() {
  char const* const name = std::getenv("RONDO_ISO_ALGORITHM");
  return name == nullptr || *name == '\0' ? Algorithm::torus : algorithm_named(name);
}

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

/// Any integer will do as a coordinate: modulo the extent, or as one that is just outside the mesh.
int within(int coordinate, int extent, Boundary boundary) {
  return boundary == Boundary::periodic ? coordinate % extent : std::clamp(coordinate, -extent, extent);
}

Neighborhood neighborhood_on(Torus const& torus, Boundary boundary, int s, int const* coordinates) {
  if (s < 0) throw MpiFailure(MPI_ERR_COUNT);
  auto const d = static_cast<std::size_t>(torus.dimensions());
  if (coordinates == nullptr && s > 0 && d > 0) throw MpiFailure(MPI_ERR_ARG);
  std::vector<std::vector<int>> offsets(static_cast<std::size_t>(s), std::vector<int>(d));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      offsets[i][j] = within(coordinates[i * d + j], torus.extents()[j], boundary);
    }
  }
  return {torus.dimensions(), offsets};
}

Fingerprint fingerprint(Torus const& torus, Boundary boundary, int s, int const* coordinates) {
  Fingerprint result;
  result.add(static_cast<std::int64_t>(boundary));
  result.add(torus.dimensions());
  for (int const extent : torus.extents()) result.add(extent);
  result.add(s);
  auto const integers = static_cast<std::size_t>(s) * static_cast<std::size_t>(torus.dimensions());
  for (std::size_t i = 0; i < integers; ++i) result.add(coordinates[i]);
  return result;
}

/// What this rank makes of its arguments; its vote tells whether there is a result.
std::optional<IsoComm> read(MPI_Comm comm, GridOf const& grid_of, int s, int const* coordinates, Vote& vote) {
  try {
    Grid const grid = grid_of(comm);
    Torus const torus = torus_of(comm, grid.extents);
    IsoComm result{nullptr, torus, grid.boundary, neighborhood_on(torus, grid.boundary, s, coordinates),
                   algorithm_of_environment()};
    check(MPI_Comm_rank(comm, &result.rank.value));
    vote.said = fingerprint(torus, grid.boundary, s, coordinates);
    return result;
  } catch (MpiFailure const& failure) {
    vote.code = failure.code();
  } catch (InputError const&) {
    vote.code = MPI_ERR_ARG;
  } catch (std::bad_alloc const&) {
    vote.code = MPI_ERR_NO_MEM;
  }
  return std::nullopt;
}

}  // namespace

Algorithm algorithm_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Algorithm>, 4> known{
      {{"straightforward", Algorithm::straightforward},
       {"posted", Algorithm::posted},
       {"torus", Algorithm::torus},
       {"direct", Algorithm::direct}}};
  for (auto const& [word, algorithm] : known) {
    if (word == name) return algorithm;
  }
  throw MpiFailure(MPI_ERR_ARG);
}

int IsoComm::next_tag() {
  int const tag = requests;
  requests = requests == largest_tag(comm->handle()) ? 0 : requests + 1;
  return tag;
}

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
