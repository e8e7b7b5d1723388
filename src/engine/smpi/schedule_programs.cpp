// Executes the rounds of a schedule in each rank.

#include "engine/smpi/schedule_programs.hpp"

#include "mpi/runtime/failure.hpp"
#include "schedule/measure.hpp"

namespace rondo {

namespace {

/// One tag suffices: schedules match in posting order, as MPI does for messages with one tag.
constexpr int tag = 0;

}  // namespace

SchedulePrograms::SchedulePrograms(Schedule const& schedule, Collective const& collective, SmpiMachine const& machine,
                                   Payload payload)
    : RankPrograms(schedule.ranks, machine), machine_(machine), schedule_(schedule), collective_(collective) {
  if (verifies(payload, schedule)) {
    memory_.emplace(schedule);
  } else {
    for (Program const& program : schedule.programs) rounds_.emplace_back(program);
  }
}

void SchedulePrograms::run(Rank rank) {
  MPI_Init(nullptr, nullptr);
  if (memory_) {
    mpi::Buffers const buffers = memory_->buffers(rank);
    fill(buffers, collective_, rank);
    ReductionRules const rules = reduction_rules(collective_);
    time(rank, mpi::Operation(mpi::Rounds(schedule_, rank, buffers, combine_of(rules)), MPI_COMM_WORLD, tag));
  } else {
    auto const which = &schedule_.program(rank) - schedule_.programs.data();
    time(rank, mpi::Operation(rounds_[static_cast<std::size_t>(which)], schedule_, rank, MPI_COMM_WORLD, tag));
  }
  MPI_Finalize();
}

void SchedulePrograms::time(Rank rank, mpi::Operation&& operation) {
  operation.on_round_end([&](int round) {
    machine_.reduce(rank, machine_.reduction_time(rank, round, reduced_bytes(schedule_.program(rank), round)));
  });
  start(rank);
  await_arrival(rank);
  operation.start();
  while (operation.active()) {
    set_round(rank, operation.round());
    operation.wait_for_round();
  }
  mpi::check(operation.failure());
  finish(rank);
}

std::optional<std::string> SchedulePrograms::wrong_data() {
  if (!memory_) return std::nullopt;
  OwedData data(collective_);
  for (int rank = 0; rank < schedule_.ranks; ++rank) {
    auto wrong = data.wrong(memory_->buffers(Rank(rank)), Rank(rank));
    if (wrong) return wrong;
  }
  return std::nullopt;
}

}  // namespace rondo
