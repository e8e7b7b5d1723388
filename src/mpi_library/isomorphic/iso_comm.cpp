// All ranks must state the same grid and the same offsets in the same order; one reduction over a fingerprint checks
// that. For a request all ranks agree on the sizes, and each one generates the same schedule, so that nothing but the
// data is sent later.

#include "mpi_library/isomorphic/iso_comm.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "topology/torus.hpp"

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
  int const ranks = size_of(comm);
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
    mine.rank = Rank(rank_in(comm));
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

namespace {

/// The slots of the blocks that a rank sends and receives.
struct Described {
  std::vector<Slot> send, receive;
};

/// Throws MpiFailure unless each received block has the size of the sent one with the same index; an allgather sends
/// only one.
void check_sizes(Described const& blocks) {
  for (std::size_t i = 0; i < blocks.receive.size(); ++i) {
    Slot const& sent = blocks.send[blocks.send.size() == 1 ? 0 : i];
    if (sent.bytes != blocks.receive[i].bytes) throw MpiFailure(MPI_ERR_COUNT);
  }
}

/// The problem of a request on the communicator. `sizes` are those of each neighbor's block, or the one that an
/// allgather sends.
problem::Isomorphic problem_of(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  bool const alltoall = collective == NeighborCollective::alltoall;
  problem::BlockSizes of_blocks(sizes.empty() ? Bytes(0) : sizes.front());
  if (alltoall) of_blocks.each = sizes;
  return {.collective = collective,
          .torus = home.torus,
          .neighborhood = home.neighborhood,
          .sizes = std::move(of_blocks),
          .algorithm = home.options.algorithm,
          .dimension_order = {alltoall ? home.options.alltoall_order : home.options.allgather_order},
          .shortest_wrap = home.options.shortest_wrap,
          .boundary = home.boundary};
}

/// Throws MpiFailure if the algorithm does not carry out this collective, or cannot do so on open dimensions.
void check_algorithm(IsoComm const& home, NeighborCollective collective) {
  auto const knows = [&](std::vector<problem::IsomorphicAlgorithm> const& known) {
    return std::find(known.begin(), known.end(), home.options.algorithm) != known.end();
  };
  if (!knows(isomorphic_algorithms(collective))) throw MpiFailure(MPI_ERR_ARG);
  if (home.boundary != Boundary::periodic && !knows(mesh_algorithms(collective))) throw MpiFailure(MPI_ERR_TOPOLOGY);
}

/// Reads the arguments of this rank. The result is valid only if its vote has no error.
Described read(IsoComm const& home, NeighborCollective collective, Blocks const& send, Blocks const& receive,
               Vote& vote) {
  Described result;
  vote.code = guarded([&] {
    result = {slots(send), slots(receive)};
    expect_memory(send, result.send);
    expect_memory(receive, result.receive);
    check_sizes(result);
    vote.arguments.add(static_cast<std::int64_t>(collective));
    check_algorithm(home, collective);
    IsoOptions const& options = home.options;
    for (auto const word : {static_cast<int>(options.algorithm), static_cast<int>(options.alltoall_order),
                            static_cast<int>(options.allgather_order), options.shortest_wrap ? 1 : 0}) {
      vote.arguments.add(word);
    }
    for (Slot const& slot : result.send) vote.arguments.add(slot.bytes.value);
  });
  return result;
}

/// The neighbors that lie outside the mesh, from which no block comes.
std::vector<int> without_source(IsoComm const& home) {
  std::vector<int> result;
  for (int i = 0; i < home.neighborhood.size(); ++i) {
    if (!subtract(home.torus, home.boundary, home.rank, home.neighborhood[i])) result.push_back(i);
  }
  return result;
}

}  // namespace

Schedule schedule_of_all(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  return generate::isomorphic_of_all(problem_of(home, collective, sizes));
}

/// On a torus all ranks have one program; on a mesh each rank computes its own from it.
Schedule own_schedule(IsoComm const& home, NeighborCollective collective, std::vector<Bytes> const& sizes) {
  Schedule schedule = schedule_of_all(home, collective, sizes);
  if (home.boundary != Boundary::periodic) {
    schedule.programs = {generate::isomorphic_on_mesh(schedule, home.neighborhood, home.rank, home.boundary)};
  }
  return schedule;
}

void refuse_request(IsoComm const& home, int code) {
  Vote vote;
  vote.code = code;
  check(agree(home.comm->handle(), vote));
}

/// All ranks vote on sizes and options before the schedule is made.
std::unique_ptr<IsoRequest> make_request(std::shared_ptr<IsoComm> const& home, NeighborCollective collective,
                                         Blocks const& send, Blocks const& receive) {
  Vote vote;
  Described described = read(*home, collective, send, receive, vote);
  check(agree(home->comm->handle(), vote));
  int const tag = home->next_tag();
  std::vector<Bytes> sizes;
  for (Slot const& slot : described.send) sizes.push_back(slot.bytes);
  Schedule const schedule = own_schedule(*home, collective, sizes);
  std::vector<int> const unowed = home->boundary != Boundary::periodic ? without_source(*home) : std::vector<int>();
  SlotTable table(schedule.program(home->rank).layout(), std::move(described.send), std::move(described.receive),
                  unowed);
  return std::unique_ptr<IsoRequest>(
      new IsoRequest{home, {schedule, home->rank, std::move(table), home->comm->handle(), tag}});
}

}  // namespace rondo::mpi
