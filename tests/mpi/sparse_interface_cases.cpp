// Sparse exchanges through the C interface: its calls in order and out of order, and its configuration.

#include <fmt/format.h>

#include <cstring>

#include "mpi/cases.hpp"
#include "mpi/sparse_traffic.hpp"
#include "rondo/sparse_exchange.h"

namespace rondo::mpi::testing {
namespace {

/// Ranks may be actors of one process: what one says is read before another can.
std::string said;
void listen(char const* text) { said = text; }

void expect_error(Report& report, std::string const& text) {
  report.expect(said.find(text) != std::string::npos, fmt::format("expected \"{}\", got \"{}\"", text, said));
  said.clear();
}

void expect_silence(Report& report, char const* where) {
  report.expect(said.empty(), fmt::format("{}: {}", where, said));
  said.clear();
}

void the_nine_functions(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  Rondo_comm_init(world.comm);
  report.expect(Rondo_comm_rank() == world.rank && Rondo_comm_size() == world.size, "rank and size");
  for (int round = 0; round < 3; ++round) {
    int const to = (world.rank + round) % world.size;
    double const value = world.rank + 0.5;
    // Several records travel in one message.
    RONDO_COMM_PACK(round, to);
    RONDO_COMM_PACK(value, to);
    RONDO_COMM_PACK(round, to);
    RONDO_COMM_PACK(value, to);
    Rondo_comm_exch();
    int const from = (world.rank + world.size - round % world.size) % world.size;
    int records = 0;
    while (Rondo_comm_recv() != 0) {
      int got = -1;
      double other = -1;
      RONDO_COMM_UNPACK(got);
      RONDO_COMM_UNPACK(other);
      report.expect(Rondo_comm_from() == from && got == round && other == from + 0.5, "a record");
      ++records;
    }
    report.expect(records == 2, fmt::format("comm_recv is true for each record, not each message: {}", records));
  }
  Rondo_comm_finalize();
  expect_silence(report, "right calls");
}

void another_communicator_after_finalize(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(world.comm, world.rank % 2, -world.rank, &half);
  int half_rank = -1, half_size = -1;
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_size(half, &half_size);
  for (int time = 0; time < 2; ++time) {
    Rondo_comm_configure("algorithm", time == 0 ? "nbx_tagged" : "personalized");
    Rondo_comm_init(half);
    // The communicator that was given may go at once.
    if (time == 1) MPI_Comm_free(&half);
    report.expect(Rondo_comm_rank() == half_rank && Rondo_comm_size() == half_size, "rank and size of the half");
    int most = -1;
    MPI_Allreduce(&half_rank, &most, 1, MPI_INT, MPI_MAX, Rondo_comm_mpi());
    report.expect(most == half_size - 1, "the communicator of the half");
    int const to = half_size - 1 - half_rank;
    RONDO_COMM_PACK(world.rank, to);
    Rondo_comm_exch();
    while (Rondo_comm_recv() != 0) {
      int got = -1;
      RONDO_COMM_UNPACK(got);
      report.expect(got % 2 == world.rank % 2 && Rondo_comm_from() == to, "a message of the own half");
    }
    Rondo_comm_finalize();
    Rondo_comm_init(world.comm);
    report.expect(Rondo_comm_rank() == world.rank && Rondo_comm_size() == world.size, "rank and size of the whole");
    Rondo_comm_finalize();
  }
  Rondo_comm_configure("algorithm", "nbx");
  expect_silence(report, "right calls");
}

void wrong_calls_name_call_and_state_at_once(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  int value = 3;
  RONDO_COMM_PACK(value, 0);
  expect_error(report, fmt::format("comm_pack in state UNINIT at rank {}: expected in state IDLE or PACK or UNPACK or "
                                   "BOTHPACK",
                                   world.rank));
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state UNINIT");
  report.expect(Rondo_comm_recv() == 0, "comm_recv after an error");
  expect_error(report, "comm_recv in state UNINIT");
  report.expect(Rondo_comm_rank() == -1 && Rondo_comm_size() == -1 && Rondo_comm_from() == -1, "-1 after an error");
  expect_error(report, "comm_from in state UNINIT");
  report.expect(Rondo_comm_mpi() == MPI_COMM_NULL, "no communicator after an error");
  expect_error(report, "comm_mpi in state UNINIT");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state UNINIT");
  Rondo_comm_init(MPI_COMM_NULL);
  expect_error(report, "comm_init: expected a communicator, got MPI_COMM_NULL");

  Rondo_comm_init(world.comm);
  Rondo_comm_init(world.comm);
  expect_error(report, fmt::format("comm_init in state IDLE at rank {}: expected in state UNINIT", world.rank));
  Rondo_comm_recv();
  expect_error(report, "comm_recv in state IDLE");
  RONDO_COMM_UNPACK(value);
  expect_error(report, "comm_unpack in state IDLE");
  Rondo_comm_from();
  expect_error(report, "comm_from in state IDLE");
  Rondo_comm_configure("algorithm", "nbx");
  expect_error(report, "comm_configure: expected in state UNINIT, called in state IDLE");
  RONDO_COMM_PACK(value, world.size);
  expect_error(report, fmt::format("comm_pack in state IDLE at rank {}: expected a rank from 0 to {}, got {}",
                                   world.rank, world.size - 1, world.size));
  Rondo_comm_pack(nullptr, 4, 0);
  expect_error(report, "comm_pack in state IDLE at rank");

  RONDO_COMM_PACK(value, world.rank);
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state PACK");
  Rondo_comm_recv();
  expect_error(report, "comm_recv in state PACK");
  Rondo_comm_exch();
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state UNPACK");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state UNPACK");
  double larger = 0;
  Rondo_comm_recv();
  RONDO_COMM_UNPACK(larger);
  expect_error(report, fmt::format("comm_unpack in state UNPACK at rank {}: expected at most 4 bytes, which are left "
                                   "of the message from rank {}, got 8",
                                   world.rank, world.rank));
  RONDO_COMM_UNPACK(value);
  report.expect(value == 3 && Rondo_comm_from() == world.rank, "wrong calls have changed nothing");
  RONDO_COMM_UNPACK(value);
  expect_error(report, "expected at most 0 bytes");
  RONDO_COMM_PACK(value, world.rank);
  Rondo_comm_exch();
  expect_error(report, "comm_exch in state BOTHPACK");
  report.expect(Rondo_comm_recv() == 0, "the end of the exchange");
  Rondo_comm_finalize();
  expect_error(report, "comm_finalize in state PACK");
  Rondo_comm_exch();
  while (Rondo_comm_recv() != 0) RONDO_COMM_UNPACK(value);
  Rondo_comm_finalize();
  expect_silence(report, "the last exchange");
}

void configuration_says_what_it_accepts(World const&, Report& report) {
  Rondo_comm_on_error(listen);
  Rondo_comm_configure("algoritm", "nbx");
  expect_error(report, "comm_configure: unknown key \"algoritm\"; accepted: \"algorithm\", \"delivery\"");
  Rondo_comm_configure("algorithm", "alltoall");
  expect_error(report,
               "algorithm: expected one of \"nbx\", \"nbx_tagged\", \"personalized\", "
               "\"personalized_rooted\", got \"alltoall\"");
  Rondo_comm_configure("waited_bytes", "0");
  expect_error(report, "waited_bytes: expected an integer of at least 1, got \"0\"");
  Rondo_comm_configure(nullptr, "nbx");
  expect_error(report, "expected a key and a value");
}

void ranks_configured_differently_are_told(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  struct Case {
    char const *key, *other, *common;
  };
  for (Case const& c : {Case{"algorithm", "nbx_tagged", "nbx"}, Case{"barrier", "tree", "dissemination"},
                        Case{"completion", "wait", "poll"}}) {
    bool const differs = world.size > 1;
    if (world.rank == world.size - 1 && differs) Rondo_comm_configure(c.key, c.other);
    Rondo_comm_init(world.comm);
    if (differs) {
      expect_error(report, "comm_init: expected the same algorithm, barrier, completion and waited_bytes");
      report.expect(Rondo_comm_size() == -1, "UNINIT after an error");
      expect_error(report, "comm_size in state UNINIT");
    } else {
      Rondo_comm_finalize();
    }
    Rondo_comm_configure(c.key, c.common);
  }
  Rondo_comm_init(world.comm);
  Rondo_comm_finalize();
  expect_silence(report, "the same again");
}

/// 1,000 bytes packed one by one, an empty message, and delivery as they come.
void messages_grow_and_may_be_empty(World const& world, Report& report) {
  Rondo_comm_on_error(listen);
  for (char const* completion : {"poll", "wait"}) {
    Rondo_comm_configure("delivery", "arrival");
    Rondo_comm_configure("completion", completion);
    Rondo_comm_configure("waited_bytes", "600");
    Rondo_comm_init(world.comm);
    int const to = world.size - 1;
    for (int i = 0; i < 1000; ++i) {
      auto const byte = static_cast<unsigned char>(i + world.rank);
      RONDO_COMM_PACK(byte, to);
    }
    Rondo_comm_pack(nullptr, 0, 0);
    Rondo_comm_exch();
    std::vector<int> got(static_cast<std::size_t>(world.size)), announced(got.size());
    while (Rondo_comm_recv() != 0) {
      unsigned char byte = 0;
      if (world.rank != to) {
        ++announced[static_cast<std::size_t>(Rondo_comm_from())];
        continue;
      }
      RONDO_COMM_UNPACK(byte);
      int const from = Rondo_comm_from();
      int& count = got[static_cast<std::size_t>(from)];
      report.expect(byte == static_cast<unsigned char>(count++ + from), "a byte in its place");
    }
    for (int const count : got) report.expect(count == (world.rank == to ? 1000 : 0), fmt::format("{} bytes", count));
    for (int const times : announced) {
      report.expect(times == (world.rank == 0 && to != 0 ? 1 : 0), fmt::format("an empty message {} times", times));
    }
    Rondo_comm_finalize();
  }
  Rondo_comm_configure("delivery", "sorted");
  Rondo_comm_configure("completion", "poll");
  Rondo_comm_configure("waited_bytes", "16384");
  expect_silence(report, "right calls");
}

}  // namespace

std::vector<TestCase> sparse_interface_cases() {
  // Item [Ibanez15, comm_rank; comm_size; comm_pack; comm_exch; comm_unpack; comm_from]: holds.
  // Item [Ibanez15, comm_recv]: holds in part: true while data are left, not once a message.
  return {{"the_nine_functions", the_nine_functions},
          // Item [Ibanez15, comm_init; comm_finalize]: holds.
          {"another_communicator_after_finalize", another_communicator_after_finalize},
          {"wrong_calls_name_call_and_state_at_once", wrong_calls_name_call_and_state_at_once},
          {"configuration_says_what_it_accepts", configuration_says_what_it_accepts},
          {"ranks_configured_differently_are_told", ranks_configured_differently_are_told},
          {"messages_grow_and_may_be_empty", messages_grow_and_may_be_empty}};
}

}  // namespace rondo::mpi::testing
