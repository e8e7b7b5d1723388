#include "engine/smpi/schedule_programs.hpp"

#include "mpi/runtime/execute.hpp"

namespace rondo {

SchedulePrograms::SchedulePrograms(Schedule const& schedule, Collective const& collective, SmpiMachine const& machine,
                                   Payload payload)
    : RankPrograms(schedule.ranks, machine), schedule_(schedule), collective_(collective) {
  if (verifies(payload, schedule)) {
    memory_.emplace(schedule);
  } else {
    for (Program const& program : schedule.programs) plain_.emplace_back(program);
  }
}

void SchedulePrograms::run(Rank rank) {
  MPI_Init(nullptr, nullptr);
  if (memory_) {
    mpi::Buffers const buffers = memory_->buffers(rank);
    fill(buffers, collective_, rank);
    execute(rank, mpi::TypedDescriptors(schedule_.program(rank), buffers), &buffers);
  } else {
    auto const which = &schedule_.program(rank) - schedule_.programs.data();
    execute(rank, plain_[static_cast<std::size_t>(which)], nullptr);
  }
  MPI_Finalize();
}

void SchedulePrograms::execute(Rank rank, mpi::MessageDescriptors const& descriptors, mpi::Buffers const* buffers) {
  start(rank);
  mpi::execute(schedule_, rank, descriptors, buffers, MPI_COMM_WORLD, round(rank));
  finish(rank);
}

std::optional<std::string> SchedulePrograms::wrong_data() {
  if (!memory_) return std::nullopt;
  for (int rank = 0; rank < schedule_.ranks; ++rank) {
    auto wrong = rondo::wrong_data(memory_->buffers(Rank(rank)), collective_, Rank(rank));
    if (wrong) return wrong;
  }
  return std::nullopt;
}

}  // namespace rondo
