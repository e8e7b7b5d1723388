// Runs an MPI program of Rondo's own in every rank.

#include "engine/smpi/program.hpp"

#include <simgrid/s4u.hpp>

#include "engine/smpi/rank_programs.hpp"
#include "engine/smpi/simulation.hpp"

namespace rondo {

namespace {

/// The machine of the simulation that this process runs.
SmpiMachine* machine_here = nullptr;

constexpr int acknowledgement_tag = 1001;

class DynamicPrograms;
/// The programs of that simulation.
DynamicPrograms const* programs_here = nullptr;

/// Runs one function in every rank, and collects the bytes that the ranks leave.
class DynamicPrograms : public RankPrograms {
 public:
  DynamicPrograms(int ranks, RankProgram const& program, SmpiMachine& machine)
      : RankPrograms(ranks, machine),
        program_(program),
        results_(static_cast<std::size_t>(ranks)),
        ready_(simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks))) {
    machine_here = &machine;
    programs_here = this;
  }

  void run(Rank rank) override {
    MPI_Init(nullptr, nullptr);
    // MPI_COMM_WORLD is a placeholder here, on which some calls do not work, so it is duplicated. This needs messages,
    // and ranks finish it at different times. They start together after a barrier that takes no simulated time.
    MPI_Comm world = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    ready_->wait();
    start(rank);
    program_(world, results_[static_cast<std::size_t>(rank.value)]);
    finish(rank);
    MPI_Comm_free(&world);
    MPI_Finalize();
  }
  void come(Rank rank) const { await_arrival(rank); }
  SelfMessage self_message() const override { return SelfMessage::copy; }
  std::vector<std::vector<std::byte>> results() override { return std::move(results_); }

 private:
  RankProgram const& program_;
  std::vector<std::vector<std::byte>> results_;
  simgrid::s4u::BarrierPtr ready_;
};

}  // namespace

/// A message of the rank to itself takes the time of a message from another rank, as an acknowledgement does.
mpi::Acknowledgement begin_acknowledgement(MPI_Comm world, Rank from) {
  static char byte = 0;
  int self = 0;
  MPI_Comm_rank(world, &self);
  mpi::Acknowledgement result{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Isend(&byte, 1, MPI_BYTE, self, acknowledgement_tag, world, &result.send);
  // The message starts when it is matched, so the start-up is announced before the receive.
  machine_here->carry_acknowledgement(Rank(self), from);
  MPI_Irecv(&byte, 1, MPI_BYTE, self, acknowledgement_tag, world, &result.receive);
  return result;
}

void await_arrival(MPI_Comm world) {
  int self = 0;
  MPI_Comm_rank(world, &self);
  programs_here->come(Rank(self));
}

Outcome<ProgramRun> simulate_program(int ranks, RankProgram const& program, Platform const& platform,
                                     EngineOptions const& options) {
  auto const make = [&](SmpiMachine& machine) { return std::make_unique<DynamicPrograms>(ranks, program, machine); };
  return simulate_in_child(ranks, make, platform, options);
}

}  // namespace rondo
