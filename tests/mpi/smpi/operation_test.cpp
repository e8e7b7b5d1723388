// The executor of schedules, as MPI programs call it and as the SMPI engine times it.

#include "mpi/runtime/operation.hpp"
#include "problems.hpp"

#include <gtest/gtest.h>
#include <smpi/smpi.h>

#include <cstring>

#include "base/ids.hpp"
#include "engine/engine.hpp"
#include "engine/smpi/simulation.hpp"
#include "generate/generate.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi_library/calls/progress.hpp"
#include "topology/neighborhood.hpp"

namespace rondo::mpi::testing {
namespace {

constexpr EngineOptions no_limit{Payload::timing, Seconds(0)};

Platform machine(int hosts) {
  Platform platform;
  platform.topology = FullyConnected{hosts};
  platform.latency = 1_us;
  platform.bandwidth = 1_GBps;
  return platform;
}

struct Example {
  Schedule schedule;
  Collective collective;
};

/// Copies, messages of many blocks, messages to several ranks at once, and programs that differ from rank to rank.
std::vector<Example> examples() {
  Torus const torus({4, 3});
  Neighborhood const neighborhood = moore(2, 1);
  std::vector<int> const order{0, 1};
  IsomorphicAlltoall const alltoall{torus, neighborhood};
  Groups const groups(3, 5);
  return {{generate::isomorphic_dimension_wise(test::alltoall(torus, neighborhood, 24_B, order)), alltoall},
          {generate::isomorphic_posted(test::alltoall(torus, neighborhood, 24_B)), alltoall},
          {generate::isomorphic_dimension_wise(test::allgather(torus, neighborhood, 24_B, order)),
           IsomorphicAllgather{torus, neighborhood}},
          {generate::intergroup_group_allgather(
               {groups, 24_B, problem::IntraAllgather::bruck, problem::Broadcast::binomial}),
           IntergroupPromise{groups}}};
}

Timing timing(Example const& example, Payload payload) {
  Outcome const outcome =
      simulate_smpi(example.schedule, example.collective, machine(example.schedule.ranks), {payload, Seconds(0)});
  if (!outcome.result) throw std::runtime_error(outcome.error);
  return *outcome.result;
}

/// Operations without payload send from nowhere, so that nothing may be copied.
void copy_no_payload(smx_activity_t, void*, size_t) {}

/// Simulates a program of so many ranks, which is given the communicator and its rank; what each rank returns.
template <typename Program>
std::vector<int> codes(int ranks, Program const& program, Timing* timing = nullptr) {
  auto const run = [&](MPI_Comm world, std::vector<std::byte>& result) {
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    smpi_comm_set_copy_data_callback(copy_no_payload);
    int const code = program(world, Rank(rank));
    result.resize(sizeof code);
    std::memcpy(result.data(), &code, sizeof code);
  };
  Outcome<ProgramRun> const outcome = simulate_program(ranks, run, machine(ranks), no_limit);
  if (!outcome.result) throw std::runtime_error(outcome.error);
  if (timing != nullptr) *timing = outcome.result->timing;
  std::vector<int> all(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(&all[i], outcome.result->results[i].data(), sizeof(int));
  return all;
}

void expect_same(Timing const& a, Timing const& b) {
  EXPECT_EQ(a.makespan, b.makespan);
  EXPECT_EQ(a.finish, b.finish);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.bytes, b.bytes);
}

TEST(Operation, takes_the_same_time_with_and_without_payload) {
  for (Example const& example : examples()) {
    Timing const verified = timing(example, Payload::verified);
    EXPECT_TRUE(verified.payload_verified);
    expect_same(verified, timing(example, Payload::timing));
  }
}

TEST(Operation, takes_a_program_the_time_that_the_engine_tells) {
  for (Example const& example : examples()) {
    Schedule const& schedule = example.schedule;
    // Without the promise of one port, messages may wait for a port together; which of them goes first then depends on
    // the order in which their ranks begin.
    if (schedule.promises.ports != 1) continue;
    Timing measured;
    auto const program = [&](MPI_Comm world, Rank rank) {
      Rounds const rounds(schedule.program(rank));
      Operation operation(rounds, schedule, rank, world, 3);
      Progress::of_this_process().start(operation);
      Progress::of_this_process().wait(operation);
      return operation.failure();
    };
    EXPECT_EQ(codes(schedule.ranks, program, &measured), std::vector<int>(at(schedule.ranks), MPI_SUCCESS));
    Timing const told = timing(example, Payload::timing);
    // The program begins later than at time 0, which costs the last digits.
    EXPECT_NEAR(measured.makespan.value / told.makespan.value, 1, 1e-9);
    EXPECT_EQ(measured.messages, told.messages);
    EXPECT_EQ(measured.bytes, told.bytes);
  }
}

/// Ranks 1, 2 and 3 send to rank 0, longer and longer, so that it learns of one after the other.
Schedule one_by_one(std::vector<std::int64_t> const& sent, std::vector<std::int64_t> const& received) {
  Schedule schedule;
  schedule.ranks = 4;
  for (int rank = 0; rank < 4; ++rank) {
    Layout layout;
    std::vector<Bytes> sizes;
    for (std::int64_t const size : rank == 0 ? received : sent) sizes.emplace_back(size);
    layout[rank == 0 ? Buffer::receive : Buffer::send].sizes = sizes;
    layout[rank == 0 ? Buffer::receive : Buffer::send].slots = 3;
    ProgramBuilder builder(layout);
    builder.begin_round();
    for (std::uint32_t i = 0; i < 3; ++i) {
      Place const from[] = {send_slot(i)}, into[] = {receive_slot(i)};
      int const peer = static_cast<int>(i) + 1;
      if (rank == 0) builder.receive(peer, into);
      if (rank == peer) builder.send(0, from);
    }
    schedule.programs.push_back(std::move(builder).finish());
    schedule.program_of.push_back(static_cast<std::uint32_t>(rank));
  }
  return schedule;
}

/// Rank 0 asks again and again how far it is; what has become of its operation.
int failure_of_polling(Schedule const& schedule) {
  auto const poll = [&](MPI_Comm world, Rank rank) {
    Rounds const rounds(schedule.program(rank));
    Operation operation(rounds, schedule, rank, world, 3);
    operation.start();
    while (operation.active()) rank == Rank(0) ? operation.test() : operation.wait_for_round();
    return operation.failure();
  };
  return codes(4, poll).front();
}

TEST(Operation, may_be_asked_while_messages_arrive_one_by_one) {
  EXPECT_EQ(failure_of_polling(one_by_one({10, 10'000, 100'000}, {10, 10'000, 100'000})), MPI_SUCCESS);
}

TEST(Operation, sees_a_message_that_is_too_short_among_others_whenever_it_comes) {
  for (std::size_t const short_one : {0U, 1U, 2U}) {
    std::vector<std::int64_t> sent{10, 10'000, 100'000};
    --sent[short_one];
    EXPECT_EQ(failure_of_polling(one_by_one(sent, {10, 10'000, 100'000})), MPI_ERR_TRUNCATE) << short_one;
  }
}

}  // namespace
}  // namespace rondo::mpi::testing
