// Errors: one rank is wrong, and every rank is told. After each error the communicator serves as before.

#include <fmt/format.h>

#include "mpi/cases.hpp"
#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {
namespace {

/// Arguments of Iso_neighborhood_create_torus.
struct Create {
  std::vector<int> extents;
  int s;
  std::vector<int> offsets;
};

void expect_create(World const& world, Create const& mine, int expected, char const* what, Report& report) {
  MPI_Comm isocomm = world.comm;
  int const* offsets = mine.offsets.empty() ? nullptr : mine.offsets.data();
  int const code = Rondo_Iso_neighborhood_create_torus(world.comm, static_cast<int>(mine.extents.size()),
                                                       mine.extents.data(), mine.s, offsets, &isocomm);
  report.expect_code(code, expected, fmt::format("create with {}", what));
  report.expect((isocomm == MPI_COMM_NULL) == (expected != MPI_SUCCESS), "no communicator after an error");
  if (isocomm != MPI_COMM_NULL) MPI_Comm_free(&isocomm);
}

void wrong_neighborhoods(World const& world, Report& report) {
  int const p = world.size;
  Create const right{{p, 1}, 3, {1, 0, 2, 0, -1, 0}};
  struct Wrong {
    char const* what;
    Create create;
    int code;
  };
  std::vector<Wrong> const all{
      {"another offset", {{p, 1}, 3, {1, 0, 2, 0, -2, 0}}, MPI_ERR_NOT_SAME},
      {"another order", {{p, 1}, 3, {2, 0, 1, 0, -1, 0}}, MPI_ERR_NOT_SAME},
      {"a shorter list", {{p, 1}, 2, {1, 0, 2, 0}}, MPI_ERR_NOT_SAME},
      {"other extents", {{1, p}, 3, {1, 0, 2, 0, -1, 0}}, MPI_ERR_NOT_SAME},
      {"other dimensions", {{p}, 6, {1, 0, 2, 0, -1, 0}}, MPI_ERR_NOT_SAME},
      {"too large a torus", {{p, 2}, 3, {1, 0, 2, 0, -1, 0}}, MPI_ERR_DIMS},
      {"an extent of 0", {{p, 0}, 3, {1, 0, 2, 0, -1, 0}}, MPI_ERR_DIMS},
      {"no list", {{p, 1}, 3, {}}, MPI_ERR_ARG},
      {"a negative length", {{p, 1}, -3, {1, 0, 2, 0, -1, 0}}, MPI_ERR_COUNT},
  };
  for (int culprit = 0; culprit<world.size; culprit += world.size> 1 ? world.size - 1 : 1) {
    for (Wrong const& wrong : all) {
      // Alone, a rank cannot differ from others.
      bool const fine = world.size == 1 && wrong.code == MPI_ERR_NOT_SAME;
      Create const& mine = world.rank == culprit ? wrong.create : right;
      expect_create(world, mine, fine ? MPI_SUCCESS : wrong.code, wrong.what, report);
    }
  }
  expect_create(world, right, MPI_SUCCESS, "nothing wrong", report);
}

void nowhere_to_put_it(World const& world, Report& report) {
  int const extents[] = {world.size}, offset[] = {1};
  int const culprit = world.size - 1;
  MPI_Comm isocomm = MPI_COMM_NULL;
  int const code = Rondo_Iso_neighborhood_create_torus(world.comm, 1, extents, 1, offset,
                                                       world.rank == culprit ? nullptr : &isocomm);
  report.expect_code(code, MPI_ERR_ARG, "create without a place for the communicator at one rank");
  report.expect_code(Rondo_Iso_neighborhood_create_torus(world.comm, 1, extents, 1, offset, &isocomm), MPI_SUCCESS,
                     "create");
  int sent = 0, received = 0;
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  report.expect_code(Rondo_Iso_neighbor_alltoall_init(&sent, 1, MPI_INT, &received, 1, MPI_INT, isocomm,
                                                      world.rank == culprit ? nullptr : &request),
                     MPI_ERR_ARG, "init without a place for the request at one rank");
  report.expect(request == RONDO_ISO_REQUEST_NULL, "no request after an error");
  MPI_Comm_free(&isocomm);
}

/// A neighborhood of two on a ring, and the arguments of an alltoallv.
struct Ring {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<int> send{2, 1}, receive{2, 1};
  std::vector<MPI_Aint> displacements{0, 2};
  std::vector<int> data{1, 2, 3}, into{0, 0, 0};
  MPI_Datatype type = MPI_INT;

  explicit Ring(World const& world) {
    int const offsets[] = {1, 2};
    Rondo_Iso_neighborhood_create_torus(world.comm, 1, &world.size, 2, offsets, &comm);
  }
  int init(Rondo_Iso_request* request) {
    return Rondo_Iso_neighbor_alltoallv_init(data.data(), send.data(), displacements.data(), type, into.data(),
                                             receive.data(), displacements.data(), type, comm, request);
  }
};

template <typename Spoil>
void expect_init(World const& world, int expected, char const* what, Spoil const& spoil, Report& report) {
  Ring ring(world);
  bool const fine = world.size == 1 && expected == MPI_ERR_NOT_SAME;
  if (world.rank == world.size / 2) spoil(ring);
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  report.expect_code(ring.init(&request), fine ? MPI_SUCCESS : expected, fmt::format("init with {}", what));
  report.expect((request == RONDO_ISO_REQUEST_NULL) == !fine, "no request after an error");
  if (fine) Rondo_Iso_request_free(&request);
  MPI_Comm_free(&ring.comm);
}

void wrong_blocks(World const& world, Report& report) {
  auto const expect = [&](int code, char const* what, auto const& spoil) {
    expect_init(world, code, what, spoil, report);
  };
  expect(MPI_ERR_NOT_SAME, "other sizes", [](Ring& ring) { ring.send = ring.receive = {1, 1}; });
  expect(MPI_ERR_NOT_SAME, "sizes in another order", [](Ring& ring) { ring.send = ring.receive = {1, 2}; });
  expect(MPI_ERR_NOT_SAME, "another algorithm", [](Ring& ring) { Rondo_Iso_algorithm_set(ring.comm, "direct"); });
  expect(MPI_ERR_COUNT, "a block that is received shorter", [](Ring& ring) { ring.receive = {1, 1}; });
  expect(MPI_ERR_COUNT, "a negative count", [](Ring& ring) { ring.send = {-1, 1}; });
  expect(MPI_ERR_TYPE, "no datatype", [](Ring& ring) { ring.type = MPI_DATATYPE_NULL; });
}

void after_an_error(World const& world, Report& report) {
  Ring ring(world);
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  if (world.rank == 0) ring.receive = {1, 1};
  report.expect_code(ring.init(&request), MPI_ERR_COUNT, "init");
  ring.receive = ring.send;
  ring.data.assign(3, world.rank);
  report.expect_code(ring.init(&request), MPI_SUCCESS, "init after an error");
  report.expect_code(Rondo_Iso_start(&request), MPI_SUCCESS, "start after an error");
  Torus const torus({world.size});
  int const one = torus.shift(Rank(world.rank), 0, -1).value;
  int const two = torus.shift(Rank(world.rank), 0, -2).value;
  report.expect(ring.into == std::vector<int>{one, one, two}, "the blocks of the ranks behind");
  Rondo_Iso_request_free(&request);
  MPI_Comm_free(&ring.comm);
}

void wrong_collectives(World const& world, Report& report) {
  if (world.size == 1) return;
  Ring ring(world);
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  char in[2] = {};
  char out[2] = {};
  int const code = world.rank == 0
                       ? Rondo_Iso_neighbor_allgather_init(in, 1, MPI_CHAR, out, 1, MPI_CHAR, ring.comm, &request)
                       : Rondo_Iso_neighbor_alltoall_init(in, 1, MPI_CHAR, out, 1, MPI_CHAR, ring.comm, &request);
  report.expect_code(code, MPI_ERR_NOT_SAME, "an allgather among all-to-alls");
  MPI_Comm_free(&ring.comm);
}

void wrong_communicators(World const& world, Report& report) {
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  MPI_Comm isocomm = MPI_COMM_NULL;
  char in = 0;
  char out = 0;
  int const offset = 1;
  report.expect_code(Rondo_Iso_neighbor_alltoall_init(&in, 1, MPI_CHAR, &out, 1, MPI_CHAR, world.comm, &request),
                     MPI_ERR_TOPOLOGY, "init on a communicator without neighborhood");
  report.expect_code(Rondo_Iso_neighbor_alltoall_init(&in, 1, MPI_CHAR, &out, 1, MPI_CHAR, MPI_COMM_NULL, &request),
                     MPI_ERR_COMM, "init on no communicator");
  report.expect_code(Rondo_Iso_neighborhood_create(MPI_COMM_NULL, 1, &offset, &isocomm), MPI_ERR_COMM,
                     "create on no communicator");
  report.expect_code(Rondo_Iso_neighborhood_create(world.comm, 1, &offset, &isocomm), MPI_ERR_TOPOLOGY,
                     "create on a communicator that is not Cartesian");
  int const extents[] = {world.size, 1};
  int const periodic[] = {1, 0};
  int const offsets[] = {1, 0};
  MPI_Comm strip = MPI_COMM_NULL;
  MPI_Cart_create(world.comm, 2, extents, periodic, 0, &strip);
  report.expect_code(Rondo_Iso_neighborhood_create(strip, 1, offsets, &isocomm), MPI_ERR_TOPOLOGY,
                     "create on dimensions of both kinds");
  MPI_Comm_free(&strip);
}

void wrong_requests(World const& world, Report& report) {
  Ring ring(world);
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  report.expect_code(Rondo_Iso_start(&request), MPI_ERR_REQUEST, "start of the null request");
  report.expect_code(Rondo_Iso_request_free(&request), MPI_ERR_REQUEST, "free of the null request");
  report.expect_code(Rondo_Iso_algorithm_set(ring.comm, "fastest"), MPI_ERR_ARG, "an unknown algorithm");
  ring.init(&request);
  report.expect_code(Rondo_Iso_wait(&request), MPI_SUCCESS, "wait for an inactive request");
  Rondo_Iso_istart(&request);
  if (world.size > 1) {
    report.expect_code(Rondo_Iso_istart(&request), MPI_ERR_REQUEST, "start of an active request");
    report.expect_code(Rondo_Iso_request_free(&request), MPI_ERR_REQUEST, "free of an active request");
  }
  report.expect_code(Rondo_Iso_wait(&request), MPI_SUCCESS, "wait");
  report.expect_code(Rondo_Iso_request_free(&request), MPI_SUCCESS, "free");
  MPI_Comm_free(&ring.comm);
}

}  // namespace

std::vector<TestCase> error_cases() {
  return {{"tell_every_rank_of_a_wrong_neighborhood_at_one", wrong_neighborhoods},
          {"tell_every_rank_that_one_has_no_place_for_the_result", nowhere_to_put_it},
          {"tell_every_rank_of_wrong_blocks_at_one", wrong_blocks},
          {"tell_every_rank_of_another_collective_at_one", wrong_collectives},
          {"work_after_an_error", after_an_error},
          {"refuse_communicators_without_neighborhood", wrong_communicators},
          {"refuse_requests_in_the_wrong_state", wrong_requests}};
}

}  // namespace rondo::mpi::testing
