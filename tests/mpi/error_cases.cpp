// Errors: one rank is wrong, and every rank is told. After each error the communicator serves as before.

#include <fmt/format.h>

#include <array>
#include <climits>

#include "mpi/cases.hpp"
#include "mpi/exchange.hpp"

namespace rondo::mpi::testing {
namespace {

/// Arguments of Rondo_Iso_neighborhood_create_torus.
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
      {"a list longer than any may be", {{p, 1}, INT_MAX, {1, 0, 2, 0, -1, 0}}, MPI_ERR_COUNT},
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
  // Nothing of so many extents is read.
  int const one_extent = p, dimensions = world.rank == 0 ? 100'000'000 : 1, offset = 1;
  MPI_Comm none = MPI_COMM_NULL;
  report.expect_code(Rondo_Iso_neighborhood_create_torus(world.comm, dimensions, &one_extent, 1, &offset, &none),
                     MPI_ERR_COUNT, "create with more dimensions than any torus has");
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
  bool sends_nothing = false, receives_nowhere = false;

  explicit Ring(World const& world) {
    int const offsets[] = {1, 2};
    Rondo_Iso_neighborhood_create_torus(world.comm, 1, &world.size, 2, offsets, &comm);
  }
  int init(Rondo_Iso_request* request) {
    return Rondo_Iso_neighbor_alltoallv_init(sends_nothing ? nullptr : data.data(), send.data(), displacements.data(),
                                             type, receives_nowhere ? nullptr : into.data(), receive.data(),
                                             displacements.data(), type, comm, request);
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
  expect(MPI_ERR_BUFFER, "no send buffer", [](Ring& ring) { ring.sends_nothing = true; });
  expect(MPI_ERR_BUFFER, "no receive buffer", [](Ring& ring) { ring.receives_nowhere = true; });
}

using InitRegular = int (*)(void const*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, Rondo_Iso_request*);

void no_buffers(World const& world, Report& report) {
  Ring ring(world);
  std::array<int, 2> data{};
  for (InitRegular const init :
       {InitRegular(Rondo_Iso_neighbor_alltoall_init), InitRegular(Rondo_Iso_neighbor_allgather_init)}) {
    Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
    bool const culprit = world.rank == world.size - 1;
    report.expect_code(init(culprit ? nullptr : data.data(), 1, MPI_INT, data.data(), 1, MPI_INT, ring.comm, &request),
                       MPI_ERR_BUFFER, "init without a send buffer at one rank");
    report.expect_code(init(data.data(), 1, MPI_INT, culprit ? nullptr : data.data(), 1, MPI_INT, ring.comm, &request),
                       MPI_ERR_BUFFER, "init without a receive buffer at one rank");
    report.expect(request == RONDO_ISO_REQUEST_NULL, "no request after an error");
    report.expect_code(init(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, ring.comm, &request), MPI_SUCCESS,
                       "init of blocks without a byte");
    Rondo_Iso_request_free(&request);
  }
  MPI_Comm_free(&ring.comm);
}

/// MPI_BOTTOM is a null pointer in some libraries.
void absolute_addresses(World const& world, Report& report) {
  Ring ring(world);
  int sent = world.rank, received[2] = {-1, -1};
  std::array<MPI_Aint, 3> address{};
  MPI_Get_address(&sent, &address[0]);
  MPI_Get_address(&received[0], &address[1]);
  MPI_Get_address(&received[1], &address[2]);
  MPI_Aint const from[] = {address[0], address[0]}, into[] = {address[1], address[2]};
  int const counts[] = {1, 1};
  MPI_Datatype const types[] = {MPI_INT, MPI_INT};
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  report.expect_code(Rondo_Iso_neighbor_alltoallw_init(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, into, types,
                                                       ring.comm, &request),
                     MPI_SUCCESS, "init with absolute addresses");
  report.expect_code(Rondo_Iso_start(&request), MPI_SUCCESS, "start with absolute addresses");
  Torus const torus({world.size});
  report.expect(received[0] == torus.shift(Rank(world.rank), 0, -1).value, "the block of the rank before");
  report.expect(received[1] == torus.shift(Rank(world.rank), 0, -2).value, "the block of the rank before that");
  Rondo_Iso_request_free(&request);
  MPI_Comm_free(&ring.comm);
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
}

/// Names algorithms that cannot carry out a collective, or not on a dimension that is not periodic; sets unknown
/// options and values, and values that differ between ranks.
void wrong_options(World const& world, Report& report) {
  int const extents[] = {world.size, 1};
  int const periodic[] = {1, 0};
  int const offsets[] = {1, 0};
  MPI_Comm strip = MPI_COMM_NULL, isocomm = MPI_COMM_NULL;
  MPI_Cart_create(world.comm, 2, extents, periodic, 0, &strip);
  report.expect_code(Rondo_Iso_neighborhood_create(strip, 1, offsets, &isocomm), MPI_SUCCESS, "create on both kinds");
  char in = 0, out = 0;
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
  auto const alltoall = [&] {
    return Rondo_Iso_neighbor_alltoall_init(&in, 1, MPI_CHAR, &out, 1, MPI_CHAR, isocomm, &request);
  };
  Rondo_Iso_algorithm_set(isocomm, "parity");
  report.expect_code(alltoall(), MPI_ERR_TOPOLOGY, "parity where a dimension is not periodic");
  report.expect_code(Rondo_Iso_neighbor_allgather_init(&in, 1, MPI_CHAR, &out, 1, MPI_CHAR, isocomm, &request),
                     MPI_ERR_TOPOLOGY, "parity in an allgather where a dimension is not periodic");
  Rondo_Iso_algorithm_set(isocomm, "steiner");
  report.expect_code(alltoall(), MPI_ERR_ARG, "steiner in an all-to-all");
  Rondo_Iso_algorithm_set(isocomm, "torus");
  report.expect_code(Rondo_Iso_option_set(isocomm, "shortest_way", "true"), MPI_ERR_ARG, "an unknown option");
  report.expect_code(Rondo_Iso_option_set(isocomm, "shortest_wrap", "yes"), MPI_ERR_ARG, "an unknown value");
  report.expect_code(Rondo_Iso_option_set(isocomm, "dimension_order", nullptr), MPI_ERR_ARG, "no value");
  if (world.size > 1) {
    Rondo_Iso_option_set(isocomm, "shortest_wrap", world.rank == 0 ? "true" : "false");
    report.expect_code(alltoall(), MPI_ERR_NOT_SAME, "different ways around");
    Rondo_Iso_option_set(isocomm, "shortest_wrap", "true");
    Rondo_Iso_option_set(isocomm, "dimension_order", world.rank == 0 ? "best" : "paper");
    report.expect_code(alltoall(), MPI_ERR_NOT_SAME, "different orders of dimensions");
  }
  MPI_Comm_free(&isocomm);
  MPI_Comm_free(&strip);
}

/// Offsets more than once around a ring of 3, by the rounds that lead there: as in a scenario they are followed as they
/// are given unless the shortest way is asked for.
void ways_around(World const& world, Report& report) {
  MPI_Comm isocomm = MPI_COMM_NULL;
  int const p = world.size, offsets[] = {2 * p + 1, -p - 1, p};
  Rondo_Iso_neighborhood_create_torus(world.comm, 1, &world.size, 3, offsets, &isocomm);
  int in[] = {0, 0, 0}, out[] = {0, 0, 0};
  auto const expect_rounds = [&](int expected, char const* wrap) {
    Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
    report.expect_code(Rondo_Iso_neighbor_alltoall_init(in, 1, MPI_INT, out, 1, MPI_INT, isocomm, &request),
                       MPI_SUCCESS, "init");
    int rounds = -1;
    Rondo_Iso_request_rounds(request, &rounds);
    report.expect(rounds == expected, fmt::format("{} rounds, not {}, shortest_wrap {}", rounds, expected, wrap));
    Rondo_Iso_request_free(&request);
  };
  // What leads back to the rank itself is a copy. Ahead 2p + 1 and back p + 1 hops; else 1 and, past two ranks, -1.
  expect_rounds(p == 1 ? 0 : 3 * p + 2, "by default");
  Rondo_Iso_option_set(isocomm, "shortest_wrap", "true");
  expect_rounds(p == 1 ? 0 : p == 2 ? 1 : 2, "true");
  MPI_Comm_free(&isocomm);
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
  // Item [Traeff16, Listing 1]: holds.
  return {{"tell_every_rank_of_a_wrong_neighborhood_at_one", wrong_neighborhoods},
          {"tell_every_rank_that_one_has_no_place_for_the_result", nowhere_to_put_it},
          {"tell_every_rank_of_wrong_blocks_at_one", wrong_blocks},
          {"tell_every_rank_that_one_has_no_buffer", no_buffers},
          {"take_blocks_at_absolute_addresses", absolute_addresses},
          {"tell_every_rank_of_another_collective_at_one", wrong_collectives},
          {"work_after_an_error", after_an_error},
          {"refuse_communicators_without_neighborhood", wrong_communicators},
          {"refuse_options_that_do_not_fit", wrong_options},
          {"follow_offsets_around_the_torus_as_they_are_given", ways_around},
          {"refuse_requests_in_the_wrong_state", wrong_requests}};
}

}  // namespace rondo::mpi::testing
