// Runs inter-group collectives with MPI's own collectives as building blocks, under SMPI.

#include "engine/programs/library.hpp"

#include <mpi.h>
#include <smpi/smpi.h>

#include <optional>
#include <simgrid/s4u.hpp>

#include "engine/smpi/payload.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/runtime/library_intergroup.hpp"

// SimGrid's library exports this function, but no installed header declares it. It activates the algorithms of
// smpi/coll-selector.
namespace simgrid::smpi::colls {
void set_collectives();
}

namespace rondo {

namespace {

/// The buffers of an inter-group collective, as a schedule without messages.
Schedule buffers_of(Groups const& groups, Bytes block) {
  Layout sender{block, {}};
  sender[Buffer::send].slots = 1;
  sender[Buffer::intermediate].slots = static_cast<std::uint32_t>(groups.senders());
  Layout receiver{block, {}};
  receiver[Buffer::receive].slots = static_cast<std::uint32_t>(groups.senders());
  receiver[Buffer::intermediate].slots = 1;
  Schedule schedule;
  schedule.ranks = groups.ranks();
  for (Layout const& layout : {sender, receiver}) schedule.programs.push_back(ProgramBuilder(layout).finish());
  for (int r = 0; r < groups.ranks(); ++r) schedule.program_of.push_back(groups.is_receiver(Rank(r)) ? 1 : 0);
  return schedule;
}

/// SMPI's own messages, which make communicators and maps of hosts, are at most this large. Their content is needed, so
/// they are copied even without payload.
constexpr std::size_t most_copied = 64 << 10;

void copy_small(smx_activity_t message, void* data, std::size_t size) {
  if (size > most_copied) return;
  // SMPI's messages are activities of this class, which no installed header shows.
  smpi_comm_copy_buffer_callback(reinterpret_cast<simgrid::kernel::activity::CommImpl*>(message), data, size);
}

/// The MPI programs of all ranks. With verified payload each rank has buffers of its own. Without, all ranks share one
/// memory of the same size, which nobody reads.
class LibraryPrograms : public RankPrograms {
 public:
  LibraryPrograms(problem::Intergroup const& library, SmpiMachine const& machine, Payload payload)
      : RankPrograms(library.groups.ranks(), machine),
        library_(library),
        promise_(IntergroupPromise{library.groups}),
        buffers_(buffers_of(library.groups, library.sizes.block)),
        ready_(simgrid::s4u::Barrier::create(static_cast<unsigned>(library.groups.ranks()))) {
    if (verifies(payload, buffers_)) {
      memory_.emplace(buffers_);
    } else {
      shared_.emplace(library.groups.senders() * library.sizes.block);
      smpi_comm_set_copy_data_callback(copy_small);
    }
  }

  /// Times the algorithm on a duplicate of the communicator of all ranks.
  void run(Rank rank) override {
    MPI_Init(nullptr, nullptr);
    MPI_Comm const whole = own_world();
    MPI_Comm world = MPI_COMM_NULL;
    MPI_Comm_dup(whole, &world);
    select_collectives(rank);
    if (library_.algorithm == problem::IntergroupAlgorithm::group_allgather) {
      time(mpi::LibraryGroupAllgather(library_.groups, world), rank);
    } else {
      time(mpi::LibraryRootGathering(library_.groups, world), rank);
    }
    MPI_Comm_free(&world);
    // `whole` stays MPI_COMM_WORLD until the last rank has finished.
    MPI_Finalize();
  }

  bool verifies_payload() const override { return memory_.has_value(); }
  /// Every receiver must have the blocks of all senders.
  std::optional<std::string> wrong_data() override {
    for (int r = 0; memory_ && r < library_.groups.ranks(); ++r) {
      if (auto wrong = OwedData(promise_).first_difference(memory_->buffers(Rank(r)), Rank(r))) return wrong;
    }
    return std::nullopt;
  }

 private:
  /// Replaces MPI_COMM_WORLD by a duplicate. The collectives of mpich and mvapich2 ask SMPI for the ranks of a host.
  /// SMPI looks for them in a communicator other than MPI_COMM_WORLD, and mistakes every communicator for it as long as
  /// MPI_COMM_WORLD is SMPI's placeholder. MPI_Init and MPI_Comm_dup themselves only work with the placeholder.
  MPI_Comm own_world() {
    ready_->wait();
    MPI_COMM_WORLD = MPI_COMM_NULL;
    MPI_Comm whole = MPI_COMM_NULL;
    MPI_Comm_dup(placeholder_, &whole);
    ready_->wait();
    MPI_COMM_WORLD = whole;
    return whole;
  }

  template <typename Library>
  void time(Library const& collective, Rank rank) {
    mpi::LibraryMemory const memory = memory_of(rank);
    // The first run is not timed: some algorithms first learn which ranks share a host, by messages that belong to no
    // operation.
    collective.run(memory, library_.sizes.block);
    if (memory_) fill(memory_->buffers(rank), promise_, rank);
    ready_->wait();
    start(rank);
    await_arrival(rank);
    collective.run(memory, library_.sizes.block);
    finish(rank);
  }

  /// Selects the algorithms only after MPI_Comm_dup. On each new communicator, those of mpich and mvapich2 first learn
  /// which ranks share a host, by a message from each rank to every other rank. For all ranks this would take longer
  /// than the rest of the simulation.
  void select_collectives(Rank rank) {
    ready_->wait();
    if (rank == Rank(0)) {
      simgrid::s4u::Engine::set_config("smpi/coll-selector:" + library_.selector);
      simgrid::smpi::colls::set_collectives();
    }
    ready_->wait();
  }

  // The buffers of a rank.
  mpi::LibraryMemory memory_of(Rank rank) {
    if (shared_) return {shared_->first(), shared_->first(), shared_->first(), shared_->first()};
    mpi::Buffers const mine = memory_->buffers(rank);
    fill(mine, promise_, rank);
    auto const start_of = [&](Buffer buffer) { return mine.first[static_cast<std::size_t>(buffer)]; };
    return {start_of(Buffer::send), start_of(Buffer::receive), start_of(Buffer::intermediate),
            start_of(Buffer::intermediate)};
  }

  problem::Intergroup const& library_;
  Collective promise_;
  Schedule buffers_;
  std::optional<RankMemory> memory_;   ///< with payload
  std::optional<AliasMemory> shared_;  ///< without
  simgrid::s4u::BarrierPtr ready_;
  MPI_Comm placeholder_ =
      MPI_COMM_WORLD;  ///< the same value for all ranks of this process; some calls do not work on it
};

}  // namespace

Outcome<Timing> simulate_library(problem::Intergroup const& library, Platform const& platform,
                                 EngineOptions const& options) {
  auto const make = [&](SmpiMachine const& machine) {
    return std::make_unique<LibraryPrograms>(library, machine, options.payload);
  };
  return timing_of(simulate_in_child(library.groups.ranks(), make, platform, options));
}

}  // namespace rondo
