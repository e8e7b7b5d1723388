#include "engine/smpi/program.hpp"

#include <simgrid/s4u.hpp>

#include "engine/smpi/rank_programs.hpp"
#include "engine/smpi/simulation.hpp"

namespace rondo {

namespace {

class DynamicPrograms : public RankPrograms {
 public:
  DynamicPrograms(int ranks, RankProgram const& program, SmpiMachine const& machine)
      : RankPrograms(ranks, machine),
        program_(program),
        results_(static_cast<std::size_t>(ranks)),
        ready_(simgrid::s4u::Barrier::create(static_cast<unsigned>(ranks))) {}

  void run(Rank rank) override {
    MPI_Init(nullptr, nullptr);
    // MPI_COMM_WORLD is a placeholder here, on which not every call works. A duplicate takes messages, so that ranks
    // have it at different times; they start together.
    MPI_Comm world = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    ready_->wait();
    start(rank);
    program_(world, results_[static_cast<std::size_t>(rank.value)]);
    finish(rank);
    MPI_Comm_free(&world);
    MPI_Finalize();
  }
  std::vector<std::vector<std::byte>> results() override { return std::move(results_); }

 private:
  RankProgram const& program_;
  std::vector<std::vector<std::byte>> results_;
  simgrid::s4u::BarrierPtr ready_;
};

}  // namespace

Outcome<ProgramRun> simulate_program(int ranks, RankProgram const& program, Platform const& platform,
                                     EngineOptions const& options) {
  auto const make = [&](SmpiMachine const& machine) {
    return std::make_unique<DynamicPrograms>(ranks, program, machine);
  };
  return simulate_in_child(ranks, make, platform, options);
}

}  // namespace rondo
