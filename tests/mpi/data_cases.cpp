// What arrives: every byte of the receive buffers, gaps included, as the platform's own means deliver it.

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "mpi/cases.hpp"
#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {
namespace {

struct NamedAlgorithm {
  char const* name;
  bool in_alltoall = true, on_open = true;
};
constexpr NamedAlgorithm algorithms[] = {{"straightforward"},
                                         {"posted"},
                                         {"torus"},
                                         {"direct"},
                                         {"basis"},
                                         {.name = "parity", .on_open = false},
                                         {.name = "steiner", .in_alltoall = false}};

/// What the interface answers to a request by the algorithm.
int answer(NamedAlgorithm const& algorithm, Variant variant, Boundary const& boundary) {
  if (!is_allgather(variant) && !algorithm.in_alltoall) return MPI_ERR_ARG;
  return algorithm.on_open || boundary == Boundary::periodic ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
}

std::vector<Neighborhood> neighborhoods(int d, int ranks) {
  std::vector<int> const zero(static_cast<std::size_t>(d), 0);
  auto const along = [&](int dimension, int distance) {
    std::vector<int> offset = zero;
    offset[static_cast<std::size_t>(dimension % d)] = distance;
    return offset;
  };
  std::vector<int> const ones(static_cast<std::size_t>(d), 1);
  std::vector<int> const far(static_cast<std::size_t>(d), -2 * ranks - 1);
  return {
      Neighborhood(d, {}),
      moore(d, 1),
      // The same neighbor over and over, the rank itself, offsets past the extents, the same place on several ways.
      Neighborhood(d, {ones, zero, ones, along(0, ranks), along(0, ranks + 1), far, along(1, -1), zero}),
      Neighborhood(d, {along(0, 3), along(0, 1), along(1, 2), along(2, -3), along(0, 2), along(0, -5)}),
  };
}

Neighborhood random_neighborhood(Random& random, int d) {
  std::vector<std::vector<int>> offsets(random.below(10));
  for (auto& offset : offsets) {
    for (int j = 0; j < d; ++j) offset.push_back(static_cast<int>(random.between(-4, 4)));
  }
  return {d, offsets};
}

void compare(Exchange& mine, MPI_Comm isocomm, int expected, std::string const& what, Report& report) {
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  report.expect_code(init(mine, isocomm, &request), expected, what + ": init");
  if (request == RONDO_ISO_REQUEST_NULL) return;
  report.expect_code(Rondo_Iso_start(&request), MPI_SUCCESS, what + ": start");
  Exchange reference = mine;
  std::fill(reference.receive.buffer.begin(), reference.receive.buffer.end(), std::byte{255});
  exchange_by_platform(reference, isocomm);
  report.expect(mine.receive.buffer == reference.receive.buffer, what + ": other bytes");
  report.expect_code(Rondo_Iso_request_free(&request), MPI_SUCCESS, what + ": free");
}

/// All variants under all algorithms, with and without the shortest way around; sampled, one of these combinations,
/// another one for another salt. Frees `isocomm`.
void compare_all(World const& world, MPI_Comm isocomm, Torus const& torus, Boundary const& boundary,
                 Neighborhood const& neighborhood, Types const& types, int salt, Report& report) {
  int combination = 0;
  for (NamedAlgorithm const& algorithm : algorithms) {
    report.expect_code(Rondo_Iso_algorithm_set(isocomm, algorithm.name), MPI_SUCCESS, "Iso_algorithm_set");
    char const* const wrap = (salt + combination / 6) % 2 == 0 ? "true" : "false";
    report.expect_code(Rondo_Iso_option_set(isocomm, "shortest_wrap", wrap), MPI_SUCCESS, "Iso_option_set");
    for (Variant const variant : variants) {
      ++combination;
      if (world.effort == Effort::sampled && combination % 42 != salt % 42) continue;
      Exchange mine = exchange(variant, torus, neighborhood, Rank(world.rank), types, salt + combination, boundary);
      auto const what =
          fmt::format("{}, {}, variant {}", name(torus, neighborhood), algorithm.name, static_cast<int>(variant));
      compare(mine, isocomm, answer(algorithm, variant, boundary), what, report);
    }
  }
  MPI_Comm_free(&isocomm);
}

void compare_all(World const& world, Torus const& torus, Neighborhood const& neighborhood, Types const& types, int salt,
                 Report& report) {
  MPI_Comm isocomm = MPI_COMM_NULL;
  int const created = Rondo_Iso_neighborhood_create_torus(world.comm, torus.dimensions(), torus.extents().data(),
                                                          neighborhood.size(), flat(neighborhood).data(), &isocomm);
  report.expect_code(created, MPI_SUCCESS, name(torus, neighborhood) + ": create");
  if (isocomm == MPI_COMM_NULL) return;
  compare_all(world, isocomm, torus, Boundary::periodic, neighborhood, types, salt, report);
}

/// On a Cartesian communicator of this torus or mesh.
void compare_cartesian(World const& world, Torus const& torus, Boundary const& boundary,
                       Neighborhood const& neighborhood, Types const& types, int salt, Report& report) {
  std::vector<int> periodic;
  for (std::size_t j = 0; j < torus.extents().size(); ++j) periodic.push_back(boundary.closes(j) ? 1 : 0);
  MPI_Comm cartcomm = MPI_COMM_NULL;
  MPI_Cart_create(world.comm, torus.dimensions(), torus.extents().data(), periodic.data(), 0, &cartcomm);
  MPI_Comm isocomm = MPI_COMM_NULL;
  int const created = Rondo_Iso_neighborhood_create(cartcomm, neighborhood.size(), flat(neighborhood).data(), &isocomm);
  report.expect_code(created, MPI_SUCCESS, name(torus, neighborhood) + ": create on a Cartesian communicator");
  MPI_Comm_free(&cartcomm);
  if (isocomm == MPI_COMM_NULL) return;
  int dimensions = 0;
  MPI_Cartdim_get(isocomm, &dimensions);
  report.expect(dimensions == torus.dimensions(), "the isomorphic communicator is Cartesian too");
  compare_all(world, isocomm, torus, boundary, neighborhood, types, salt, report);
}

void every_torus(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  int salt = 0;
  std::vector<Torus> const tori = all_tori(world.size);
  // On more processes than the usual four, some.
  for (std::size_t i = 0; i < tori.size(); i += world.effort == Effort::sampled && world.size > 4 ? 3 : 1) {
    for (Neighborhood const& neighborhood : neighborhoods(tori[i].dimensions(), world.size)) {
      compare_all(world, tori[i], neighborhood, types, ++salt, report);
    }
  }
}

void random_neighborhoods(World const& world, Report& report) {
  Types const types(Types::Family::records);
  Random random(7);
  std::vector<Torus> const tori = all_tori(world.size);
  for (int salt = 0; salt < (world.effort == Effort::full ? 20 : 5); ++salt) {
    Torus const& torus = tori[random.below(tori.size())];
    compare_all(world, torus, random_neighborhood(random, torus.dimensions()), types, salt, report);
  }
}

/// Two halves work at the same time, on tori and neighborhoods of their own.
void splits(World const& world, Report& report) {
  MPI_Comm half = MPI_COMM_NULL;
  int const color = world.rank % 2;
  MPI_Comm_split(world.comm, color, -world.rank, &half);
  World part{half, 0, 0, world.effort};
  MPI_Comm_rank(half, &part.rank);
  MPI_Comm_size(half, &part.size);
  Types const types(Types::Family::ints);
  Torus const torus({part.size});
  compare_all(part, torus, color == 0 ? moore(1, 1) : Neighborhood(1, {{2}, {1}, {0}, {-3}}), types, color, report);
  MPI_Comm_free(&half);
}

void cartesian(World const& world, Report& report) {
  Types const types(Types::Family::records);
  std::vector<Torus> const tori = all_tori(world.size);
  Torus const& torus = tori[tori.size() / 2];
  compare_cartesian(world, torus, Boundary::periodic, moore(torus.dimensions(), 1), types, 3, report);
}

/// Blocks pass through receive slots in which nothing may be left at the end.
void meshes(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  std::vector<Torus> const tori = all_tori(world.size);
  int salt = 0;
  for (std::size_t i = 0; i < tori.size(); i += world.effort == Effort::full ? 1 : 3) {
    for (Neighborhood const& neighborhood : neighborhoods(tori[i].dimensions(), world.size)) {
      compare_cartesian(world, tori[i], Boundary::open, neighborhood, types, ++salt, report);
    }
  }
}

/// Some dimensions close, others do not.
void pipes(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  std::vector<Torus> const tori = all_tori(world.size);
  int salt = 11;
  for (std::size_t i = 0; i < tori.size(); i += world.effort == Effort::full ? 1 : 3) {
    std::vector<bool> closed(tori[i].extents().size());
    for (std::size_t j = 0; j < closed.size(); ++j) closed[j] = (i + j) % 2 == 0;
    for (Neighborhood const& neighborhood : neighborhoods(tori[i].dimensions(), world.size)) {
      salt += 5;
      compare_cartesian(world, tori[i], Boundary::closed_in(closed), neighborhood, types, salt, report);
    }
  }
}

}  // namespace

std::vector<TestCase> data_cases() {
  return {{"deliver_what_the_platform_delivers_on_every_torus", every_torus},
          // Item [Traeff16, Listing 3; Iso_neighbor_alltoall_init; Iso_neighbor_allgather_init;
          // Iso_neighbor_alltoallv_init; Iso_neighbor_allgatherv_init; Iso_neighbor_alltoallw_init;
          // Iso_neighbor_allgatherw_init]: holds.
          {"deliver_random_neighborhoods_of_records", random_neighborhoods},
          {"work_on_split_communicators_at_the_same_time", splits},
          // Item [Traeff16, Listing 1; Iso_neighborhood_create]: holds.
          {"work_on_a_cartesian_communicator", cartesian},
          {"leave_blocks_from_outside_a_mesh_alone", meshes},
          {"work_where_some_dimensions_close_and_others_do_not", pipes}};
}

}  // namespace rondo::mpi::testing
