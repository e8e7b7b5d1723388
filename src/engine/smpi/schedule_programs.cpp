// Executes the rounds of a schedule in each rank. A part waits for the parts before it, then calculates or runs its
// rounds. simulate_smpi is the entry of the SMPI engine.

#include "engine/smpi/schedule_programs.hpp"

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/runtime/failure.hpp"
#include "schedule/measure.hpp"

namespace rondo {

namespace {

/// One tag suffices: schedules match in posting order, as MPI does for messages with one tag.
constexpr int tag = 0;

}  // namespace

SchedulePrograms::SchedulePrograms(Schedule const& schedule, Collective const& collective, SmpiMachine const& machine,
                                   Payload payload)
    : RankPrograms(schedule.ranks, machine), schedule_(schedule), collective_(collective) {
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
    auto wrong = data.first_difference(memory_->buffers(Rank(rank)), Rank(rank));
    if (wrong) return wrong;
  }
  return std::nullopt;
}

namespace {

/// One tag suffices: a part sends only to parts of its own step.
constexpr int tag_of_parts = 0;

/// By part, its arrival: that of its rank if it waits for no other part, otherwise 0, because it waits for parts
/// instead.
std::vector<Seconds> arrival_of_parts(Parts const& parts, std::vector<Seconds> const& rank_arrival) {
  if (rank_arrival.empty()) return {};
  std::vector<Seconds> arrival;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    arrival.push_back(parts.after(part).empty() ? rank_arrival[at(parts.rank_of[part])] : Seconds(0));
  }
  return arrival;
}

}  // namespace

PartPrograms::PartPrograms(Parts const& parts, SmpiMachine const& machine)
    : RankPrograms(static_cast<int>(parts.count()), machine), parts_(parts), successors_(parts) {
  for (Program const& program : parts.schedule.programs) rounds_.emplace_back(program);
  for (std::size_t part = 0; part < parts.count(); ++part)
    predecessor_ended_.push_back(simgrid::s4u::Semaphore::create(0));
}

void PartPrograms::run(Rank part) {
  MPI_Init(nullptr, nullptr);
  start(part);
  await_predecessors(part);
  Seconds const computing = parts_.computing[at(part)];
  if (computing > Seconds(0)) {
    machine_.calculate(part, computing + machine_.calculation_noise(part, computing));
  } else {
    run_rounds(part);
  }
  finish(part);
  // The part has ended before MPI_Finalize, which waits for all parts: successors must begin before that.
  for (std::uint32_t const next : successors_.of(at(part))) predecessor_ended_[next]->release();
  MPI_Finalize();
}

void PartPrograms::await_predecessors(Rank part) const {
  // Each predecessor releases it once.
  for (std::size_t i = 0; i < parts_.after(at(part)).size(); ++i) predecessor_ended_[at(part)]->acquire();
  await_arrival(part);
}

/// Parts of one rank share its CPU, one at a time. A part takes the CPU at the end of a round if it has data to reduce
/// or messages to post, and gives it back once its next round is posted.
void PartPrograms::run_rounds(Rank part) {
  Program const& program = parts_.schedule.program(part);
  mpi::Operation operation(rounds_[at(part)], parts_.schedule, part, MPI_COMM_WORLD, tag_of_parts);
  operation.on_round_end([&](int round) {
    Seconds const reduction = machine_.reduction_time(part, round, reduced_bytes(program, round));
    bool const posts_next_round =
        round < program.rounds() && program.sends(round + 1).size() + program.receives(round + 1).size() > 0;
    if (posts_next_round || reduction > Seconds(0)) machine_.take_cpu(part);
    machine_.reduce(part, reduction);
  });
  operation.start();
  machine_.release_cpu(part);
  while (operation.active()) {
    set_round(part, operation.round());
    operation.wait_for_round();
    machine_.release_cpu(part);
  }
  mpi::check(operation.failure());
}

Outcome<Timing> simulate_smpi(Parts const& parts, Platform const& platform, EngineOptions const& options) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) {
    throw InputError("expected the engine \"native\" for a workload on a SimGrid platform file, got \"smpi\"");
  }
  Platform const machine = with_parts(platform, parts);
  EngineOptions part_options = options;
  part_options.arrival = arrival_of_parts(parts, options.arrival);
  auto const make = [&](SmpiMachine const& smpi_machine) {
    return std::make_unique<PartPrograms>(parts, smpi_machine);
  };
  return timing_of(simulate_in_child(static_cast<int>(parts.count()), make, machine, part_options));
}

Outcome<Timing> simulate_smpi(Schedule const& schedule, Collective const& collective, Platform const& platform,
                              EngineOptions const& options) {
  expects(ranks(collective) == schedule.ranks, "as many ranks in the collective as in the schedule");
  auto const make = [&](SmpiMachine const& machine) {
    return std::make_unique<SchedulePrograms>(schedule, collective, machine, options.payload);
  };
  return timing_of(simulate_in_child(schedule.ranks, make, platform, options));
}

}  // namespace rondo
