// MPI programs, simulated: what each rank hands back, and how a program that does not end well is reported.

#include "engine/smpi/simulation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>

#include "base/error.hpp"
#include "schedules.hpp"

namespace rondo {
namespace {

using namespace testing;

int rank_in(MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  return rank;
}

void hand_back(int number, std::vector<std::byte>& result) {
  result.resize(sizeof number);
  std::memcpy(result.data(), &number, sizeof number);
}

int number_in(std::vector<std::byte> const& result) {
  int number = 0;
  EXPECT_EQ(result.size(), sizeof number);
  std::memcpy(&number, result.data(), sizeof number);
  return number;
}

ProgramRun simulated(int ranks, RankProgram const& program, Platform const& platform) {
  Outcome<ProgramRun> outcome = simulate_program(ranks, program, platform, {});
  EXPECT_EQ(outcome.error, "");
  return outcome.result.value_or(ProgramRun{});
}

Outcome<ProgramRun> failure_of(int ranks, RankProgram const& program, EngineOptions const& options = {}) {
  Outcome<ProgramRun> outcome = simulate_program(ranks, program, machine(ranks), options);
  EXPECT_FALSE(outcome.result);
  return outcome;
}

TEST(SmokeProgram, hands_back_what_each_rank_leaves_and_counts_its_messages_alone) {
  auto const to_the_next = [](MPI_Comm world, std::vector<std::byte>& result) {
    int const rank = rank_in(world), next = (rank + 1) % 4, before = (rank + 3) % 4;
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, before, 0, world, MPI_STATUS_IGNORE);
    hand_back(10 * got, result);
  };
  ProgramRun const run = simulated(4, to_the_next, machine(4));
  ASSERT_EQ(run.results.size(), 4U);
  for (std::size_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(number_in(run.results[rank]), 10 * static_cast<int>((rank + 3) % 4));
  EXPECT_EQ(run.timing.messages, 4);
  EXPECT_EQ(run.timing.bytes, 16_B);
  EXPECT_SECONDS(run.timing.makespan, 1_us + 4_B / 1_GBps);
  EXPECT_FALSE(run.timing.payload_verified);
}

TEST(SmokeProgram, ranks_may_leave_nothing_and_send_nothing) {
  ProgramRun const run = simulated(
      3, [](MPI_Comm, std::vector<std::byte>&) {}, machine(3));
  EXPECT_EQ(run.results, std::vector<std::vector<std::byte>>(3));
  EXPECT_EQ(run.timing.makespan, Seconds(0));
  EXPECT_EQ(run.timing.messages, 0);
}

TEST(SmokeProgram, receives_from_any_source_what_probes_find) {
  auto const gather = [](MPI_Comm world, std::vector<std::byte>& result) {
    int const rank = rank_in(world);
    if (rank != 0) {
      MPI_Send(&rank, 1, MPI_INT, 0, rank, world);
      return;
    }
    int sum = 0;
    for (int i = 1; i < 5; ++i) {
      MPI_Status status;
      int there = 0;
      if (i % 2 == 1) {
        while (there == 0) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &there, &status);
      } else {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
      }
      int got = 0;
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, status.MPI_TAG, world, &status);
      EXPECT_EQ(got, status.MPI_SOURCE);
      sum += got;
    }
    hand_back(sum, result);
  };
  ProgramRun const run = simulated(5, gather, machine(5));
  EXPECT_EQ(number_in(run.results[0]), 1 + 2 + 3 + 4);
  EXPECT_EQ(run.timing.messages, 4);
}

TEST(SmokeProgram, does_collectives_that_wait_and_that_do_not) {
  auto const sums = [](MPI_Comm world, std::vector<std::byte>& result) {
    int const rank = rank_in(world);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
    std::array<int, 6> const own{rank, rank, rank, rank, rank, rank};
    std::array<int, 6> all{};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(own.data(), 1, MPI_INT, all.data(), 1, MPI_INT, world, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int const each : all) sum += each;
    hand_back(sum, result);
  };
  ProgramRun const run = simulated(6, sums, machine(6));
  for (auto const& result : run.results) EXPECT_EQ(number_in(result), 30);
}

TEST(SmokeProgram, a_probe_that_finds_nothing_takes_the_machines_polling_cost) {
  auto const poll = [](MPI_Comm world, std::vector<std::byte>&) {
    int there = 0;
    for (int i = 0; i < 7; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 0, world, &there, MPI_STATUS_IGNORE);
  };
  Platform slow = machine(1);
  slow.poll = 3_us;
  EXPECT_SECONDS(simulated(1, poll, slow).timing.makespan, 7 * 3_us);
  EXPECT_SECONDS(simulated(1, poll, machine(1)).timing.makespan, 7 * Seconds(100e-9));
}

TEST(SmokeProgram, a_deadlock_names_the_ranks_that_wait) {
  auto const wait = [](MPI_Comm world, std::vector<std::byte>&) {
    int nothing = 0;
    if (rank_in(world) % 2 == 1) MPI_Recv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
  };
  Outcome<ProgramRun> const two = failure_of(4, wait);
  EXPECT_EQ(two.failure, Failure::deadlock);
  EXPECT_EQ(two.error, "deadlock: rank 1, rank 3 wait for ever");
  EXPECT_EQ(failure_of(2, wait).error, "deadlock: rank 1 waits for ever");
}

TEST(SmokeProgram, sends_are_not_buffered) {
  auto const both_send_first = [](MPI_Comm world, std::vector<std::byte>&) {
    int number = 0;
    int const other = 1 - rank_in(world);
    MPI_Send(&number, 1, MPI_INT, other, 0, world);
    MPI_Recv(&number, 1, MPI_INT, other, 0, world, MPI_STATUS_IGNORE);
  };
  EXPECT_EQ(failure_of(2, both_send_first).failure, Failure::deadlock);
}

TEST(SmokeProgram, an_exception_in_a_rank_is_a_crash_with_its_text) {
  auto const fail = [](MPI_Comm world, std::vector<std::byte>&) {
    if (rank_in(world) == 1) throw std::runtime_error("no friends left");
  };
  Outcome<ProgramRun> const outcome = failure_of(2, fail);
  EXPECT_EQ(outcome.failure, Failure::crash);
  EXPECT_EQ(outcome.error, "no friends left");
  auto const throw_number = [](MPI_Comm, std::vector<std::byte>&) { throw 7; };
  EXPECT_EQ(failure_of(1, throw_number).failure, Failure::crash);
}

TEST(SmokeProgram, bad_input_that_a_rank_finds_is_bad_input) {
  auto const refuse = [](MPI_Comm, std::vector<std::byte>&) { throw InputError("theta must be an integer from 2"); };
  EXPECT_THROW(simulate_program(2, refuse, machine(2), {}), InputError);
  EXPECT_THROW(simulate_program(3, [](MPI_Comm, std::vector<std::byte>&) {}, machine(2), {}), InputError);
}

TEST(SmokeProgram, ranks_that_poll_for_ever_end_by_the_time_out) {
  auto const poll = [](MPI_Comm world, std::vector<std::byte>&) {
    for (int there = 0; there == 0;) MPI_Iprobe(MPI_ANY_SOURCE, 0, world, &there, MPI_STATUS_IGNORE);
  };
  EngineOptions options;
  options.timeout = Seconds(0.2);
  EXPECT_EQ(failure_of(2, poll, options).failure, Failure::timeout);
}

}  // namespace
}  // namespace rondo
