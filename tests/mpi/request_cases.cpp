// Requests: started again, several active at once, in different order at different ranks, freed in any order.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "mpi/cases.hpp"
#include "mpi/exchange.hpp"
#include "rondo/topology.h"

namespace rondo::mpi::testing {
namespace {

/// Isomorphic communicators on a ring, freed with this object.
class RingComm {
 public:
  RingComm(World const& world, Neighborhood const& neighborhood, char const* algorithm = "torus")
      : torus({world.size}), offsets(neighborhood) {
    Rondo_Iso_neighborhood_create_torus(world.comm, 1, &world.size, offsets.size(), flat(offsets).data(), &comm);
    Rondo_Iso_algorithm_set(comm, algorithm);
    Rondo_Iso_option_set(comm, "shortest_wrap", "true");
  }
  ~RingComm() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  RingComm(RingComm const&) = delete;
  RingComm& operator=(RingComm const&) = delete;

  Torus const torus;
  Neighborhood const offsets;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// A request, what it exchanges, and what it must have received in the end.
struct Pending {
  Exchange mine;
  std::vector<std::byte> expected;
  Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
};

void refill(Pending& pending, RingComm const& on, int rank, int salt) {
  fill(pending.mine, rank, salt);
  Exchange reference = pending.mine;
  exchange_by_platform(reference, on.comm);
  pending.expected = reference.receive.buffer;
}

/// One request of each variant.
std::vector<Pending> make(RingComm const& on, Types const& types, int rank, int salt, Report& report) {
  std::vector<Pending> result;
  result.reserve(std::size(variants));
  for (Variant const variant : variants) {
    Pending& made = result.emplace_back(Pending{exchange(variant, on.torus, on.offsets, Rank(rank), types, salt), {}});
    report.expect_code(init(made.mine, on.comm, &made.request), MPI_SUCCESS, "init");
    refill(made, on, rank, salt + static_cast<int>(variant));
  }
  return result;
}

void expect_received(Pending const& pending, Report& report) {
  report.expect(pending.mine.receive.buffer == pending.expected,
                fmt::format("variant {}: other bytes", static_cast<int>(pending.mine.variant)));
}

void started_again(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  RingComm const ring(world, Neighborhood(1, {{1}, {-2}, {0}, {3}}));
  std::vector<Pending> all = make(ring, types, world.rank, 1, report);
  for (int time = 0; time < 3; ++time) {
    for (Pending& pending : all) {
      refill(pending, ring, world.rank, 5 * time);
      report.expect_code(Rondo_Iso_start(&pending.request), MPI_SUCCESS, "start");
      expect_received(pending, report);
    }
  }
  for (Pending& pending : all) Rondo_Iso_request_free(&pending.request);
}

/// Every second rank starts and completes them backwards; the requests are of two communicators.
void active_at_once(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  RingComm const ring(world, Neighborhood(1, {{1}, {-2}, {0}, {3}}));
  RingComm const other(world, Neighborhood(1, {{2}, {1}, {1}, {-1}}), "direct");
  std::vector<Pending> all = make(ring, types, world.rank, 2, report);
  for (Pending& more : make(other, types, world.rank, 3, report)) all.push_back(std::move(more));
  std::vector<Pending*> order;
  for (Pending& pending : all) order.push_back(&pending);
  if (world.rank % 2 == 1) std::reverse(order.begin(), order.end());
  for (Pending* pending : order) report.expect_code(Rondo_Iso_istart(&pending->request), MPI_SUCCESS, "istart");
  if (world.rank % 3 == 0) std::rotate(order.begin(), order.begin() + 5, order.end());
  for (Pending* pending : order) {
    report.expect_code(Rondo_Iso_wait(&pending->request), MPI_SUCCESS, "wait");
    expect_received(*pending, report);
  }
  std::rotate(order.begin(), order.begin() + world.rank % 7, order.end());
  for (Pending* pending : order) {
    report.expect_code(Rondo_Iso_request_free(&pending->request), MPI_SUCCESS, "free");
    report.expect(pending->request == RONDO_ISO_REQUEST_NULL, "a freed request is the null request");
  }
}

/// Overwrites what calls before have left on the stack.
[[gnu::noinline]] void overwrite_stack() {
  unsigned char volatile bytes[16384];
  for (unsigned char volatile& byte : bytes) byte = 0xa5;
}

/// Waiting for a cancelled request must not disturb the next wait (mpi/runtime/wait_any.cpp).
void waited_for_after_a_cancelled_receive(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  RingComm const ring(world, Neighborhood(1, {{1}, {-2}, {3}}));
  std::vector<Pending> all = make(ring, types, world.rank, 6, report);
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &own);
  for (Pending& pending : all) Rondo_Iso_istart(&pending.request);
  int nothing = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, 0, own, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  overwrite_stack();
  for (Pending& pending : all) {
    report.expect_code(Rondo_Iso_wait(&pending.request), MPI_SUCCESS, "wait");
    expect_received(pending, report);
    Rondo_Iso_request_free(&pending.request);
  }
  MPI_Comm_free(&own);
}

/// The same in MPI_Waitsome and MPI_Testany, for messages of the MPI library alone.
void of_messages_complete_after_a_cancelled_receive(World const& world, Report& report) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(world.comm, &own);
  for (bool const waits : {true, false}) {
    int nothing = 0, got = 0;
    int const sent = 7 + world.rank;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, 0, own, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request requests[2];
    MPI_Irecv(&got, 1, MPI_INT, world.rank, 1, own, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, world.rank, 1, own, &requests[1]);
    overwrite_stack();
    for (int left = 2; left > 0;) {
      int done = 0, index = 0, indices[2] = {};
      int const code = waits ? Rondo_Waitsome(2, requests, &done, indices, MPI_STATUSES_IGNORE)
                             : Rondo_Testany(2, requests, &index, &done, MPI_STATUS_IGNORE);
      report.expect_code(code, MPI_SUCCESS, waits ? "Waitsome" : "Testany");
      if (code != MPI_SUCCESS) break;
      left -= done;
    }
    report.expect(got == sent, waits ? "received by Waitsome" : "received by Testany");
  }
  MPI_Comm_free(&own);
}

void tested(World const& world, Report& report) {
  Types const types(Types::Family::records);
  RingComm const ring(world, Neighborhood(1, {{1}, {2}, {-1}}));
  std::vector<Pending> all = make(ring, types, world.rank, 4, report);
  for (Pending& pending : all) Rondo_Iso_istart(&pending.request);
  for (Pending& pending : all) {
    int done = 0;
    while (done == 0) {
      int const code = Rondo_Iso_test(&pending.request, &done);
      report.expect_code(code, MPI_SUCCESS, "test");
      if (code != MPI_SUCCESS) break;
    }
    expect_received(pending, report);
  }
  for (Pending& pending : all) Rondo_Iso_request_free(&pending.request);
}

void outlive_communicator_and_types(World const& world, Report& report) {
  Pending pending{};
  {
    Types const types(Types::Family::ints);
    RingComm const ring(world, Neighborhood(1, {{1}, {-1}, {0}}));
    pending.mine = exchange(Variant::alltoallw, ring.torus, ring.offsets, Rank(world.rank), types, 5);
    init(pending.mine, ring.comm, &pending.request);
    refill(pending, ring, world.rank, 6);
  }
  report.expect_code(Rondo_Iso_start(&pending.request), MPI_SUCCESS, "start");
  expect_received(pending, report);
  Rondo_Iso_request_free(&pending.request);
}

/// The caller's receive from anyone with any tag is posted before, and gets the caller's message.
void callers_messages(World const& world, Report& report) {
  Types const types(Types::Family::ints);
  RingComm const ring(world, Neighborhood(1, {{1}, {1}, {2}}), "posted");
  std::vector<Pending> all = make(ring, types, world.rank, 7, report);
  int got = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring.comm, &request);
  for (Pending& pending : all) {
    Rondo_Iso_start(&pending.request);
    expect_received(pending, report);
  }
  int const target = ring.torus.shift(Rank(world.rank), 0, 1).value;
  MPI_Send(&world.rank, 1, MPI_INT, target, 0, ring.comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  report.expect(got == ring.torus.shift(Rank(world.rank), 0, -1).value, "another message than the caller's");
  for (Pending& pending : all) Rondo_Iso_request_free(&pending.request);
}

/// On a ring of at least 8 ranks, {1, 2, 3, 1 - p, p + 3} are equivalent to {1, 2, 3, 1, 3}: 3 hops, 3 different
/// coordinates and 5 neighbors, hence so many rounds. Smaller rings get neighborhoods with nearer neighbors.
void round_numbers(World const& world, Report& report) {
  int const p = world.size;
  auto const rounds = [&](char const* algorithm, Neighborhood const& offsets) {
    RingComm const ring(world, offsets, algorithm);
    Rondo_Iso_request request = RONDO_ISO_REQUEST_NULL;
    std::vector<char> const data(16);
    std::vector<char> into(16);
    Rondo_Iso_neighbor_alltoall_init(data.data(), 1, MPI_CHAR, into.data(), 1, MPI_CHAR, ring.comm, &request);
    int result = -1;
    Rondo_Iso_request_rounds(request, &result);
    Rondo_Iso_request_free(&request);
    return result;
  };
  auto const expect = [&](char const* algorithm, Neighborhood const& offsets, int expected) {
    int const got = rounds(algorithm, offsets);
    report.expect(got == expected, fmt::format("{} takes {} rounds, not {}", algorithm, got, expected));
  };
  expect("torus", Neighborhood(1, {}), 0);
  expect("torus", Neighborhood(1, {{0}, {p}, {-3 * p}}), 0);
  if (p < 2) return;
  Neighborhood const next(1, {{1}, {1 - p}, {1}});
  expect("torus", next, 1);
  expect("direct", next, 1);
  expect("straightforward", next, 3);
  expect("posted", next, 1);
  if (p < 8) return;
  Neighborhood const three(1, {{1}, {2}, {3}, {1 - p}, {p + 3}});
  expect("torus", three, 3);
  expect("direct", three, 3);
  expect("straightforward", three, 5);
}

}  // namespace

std::vector<TestCase> request_cases() {
  // Item [Traeff16, Listing 2; Iso_start; Iso_request_free]: holds.
  return {{"are_started_again_with_new_data", started_again},
          // Item [Traeff16, Iso_wait]: holds.
          {"are_active_at_once_in_any_order", active_at_once},
          {"are_waited_for_after_a_cancelled_receive", waited_for_after_a_cancelled_receive},
          {"of_messages_complete_after_a_cancelled_receive", of_messages_complete_after_a_cancelled_receive},
          {"are_tested_to_their_end", tested},
          {"outlive_their_communicator_and_datatypes", outlive_communicator_and_types},
          {"leave_the_callers_messages_alone", callers_messages},
          {"take_the_rounds_of_their_algorithm", round_numbers}};
}

}  // namespace rondo::mpi::testing
