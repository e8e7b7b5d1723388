#include "engine/smpi/part_programs.hpp"

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/runtime/failure.hpp"
#include "schedule/measure.hpp"

namespace rondo {

namespace {

/// One tag suffices, because parts only talk to parts of their own step.
constexpr int tag_of_parts = 0;

/// When the parts without predecessors arrive. The other parts begin when their predecessors have ended.
std::vector<Seconds> arrival_of_parts(Parts const& parts, std::vector<Seconds> const& of_ranks) {
  if (of_ranks.empty()) return {};
  std::vector<Seconds> arrival;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    arrival.push_back(parts.after(part).empty() ? of_ranks[at(parts.rank_of[part])] : Seconds(0));
  }
  return arrival;
}

}  // namespace

PartPrograms::PartPrograms(Parts const& parts, SmpiMachine const& machine)
    : RankPrograms(static_cast<int>(parts.count()), machine), machine_(machine), parts_(parts), followers_(parts) {
  for (Program const& program : parts.schedule.programs) rounds_.emplace_back(program);
  for (std::size_t part = 0; part < parts.count(); ++part) before_.push_back(simgrid::s4u::Semaphore::create(0));
}

void PartPrograms::run(Rank part) {
  MPI_Init(nullptr, nullptr);
  start(part);
  begin(part);
  Seconds const computing = parts_.computing[at(part)];
  if (computing > Seconds(0)) {
    machine_.calculate(part, computing + machine_.calculation_noise(part, computing));
  } else {
    run_rounds(part);
  }
  finish(part);
  for (std::uint32_t const next : followers_.of(at(part))) before_[next]->release();
  MPI_Finalize();
}

void PartPrograms::begin(Rank part) const {
  for (std::size_t i = 0; i < parts_.after(at(part)).size(); ++i) before_[at(part)]->acquire();
  await_arrival(part);
}

/// The part has the turn of its rank's CPU from when it has data to reduce, or something to post, until it has posted
/// its next round.
void PartPrograms::run_rounds(Rank part) {
  Program const& program = parts_.schedule.program(part);
  mpi::Operation operation(rounds_[at(part)], parts_.schedule, part, MPI_COMM_WORLD, tag_of_parts);
  operation.on_round_end([&](int round) {
    Seconds const joining = machine_.joining_time(part, round, joined_bytes(program, round));
    bool const posts =
        round < program.rounds() && program.sends(round + 1).size() + program.receives(round + 1).size() > 0;
    if (posts || joining > Seconds(0)) machine_.take_turn(part);
    machine_.join(part, joining);
  });
  operation.start();
  machine_.end_turn(part);
  while (operation.active()) {
    round(part) = operation.round();
    operation.wait_for_round();
    machine_.end_turn(part);
  }
  mpi::check(operation.failure());
}

Outcome<Timing> simulate_smpi(Parts const& parts, Platform const& platform, EngineOptions const& options) {
  if (std::holds_alternative<PlatformFile>(platform.topology)) {
    throw InputError("a workload on a SimGrid platform file is simulated by the engine \"native\"");
  }
  Platform const machine = with_parts(platform, parts);
  EngineOptions of_parts = options;
  of_parts.arrival = arrival_of_parts(parts, options.arrival);
  auto const make = [&](SmpiMachine const& built) { return std::make_unique<PartPrograms>(parts, built); };
  return timing_of(simulate_in_child(static_cast<int>(parts.count()), make, machine, of_parts));
}

}  // namespace rondo
