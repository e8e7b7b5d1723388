#include "engine/programs/library.hpp"

#include <mpi.h>
#include <smpi/smpi.h>

#include <optional>
#include <simgrid/s4u.hpp>

#include "engine/smpi/alias_memory.hpp"
#include "engine/smpi/payload.hpp"
#include "engine/smpi/rank_programs.hpp"
#include "engine/smpi/simulation.hpp"
#include "mpi/runtime/library_intergroup.hpp"

// SimGrid's library exports it, and no header that it installs declares it: takes the algorithms of smpi/coll-selector.
namespace simgrid::smpi::colls {
void set_collectives();
}

namespace rondo {

namespace {

/// The buffers of an inter-group collective, and rounds without messages.
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

/// SMPI's own messages, by which communicators and their maps of hosts are made, are small, and are read.
constexpr std::size_t most_copied = 64 << 10;

void copy_small(smx_activity_t message, void* data, std::size_t size) {
  if (size > most_copied) return;
  // The messages of SMPI are this kind of activity, whose class no header shows.
  smpi_comm_copy_buffer_callback(reinterpret_cast<simgrid::kernel::activity::CommImpl*>(message), data, size);
}

/// Payload, or memory of the same size that nobody reads and all ranks share.
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
    // `whole` stays MPI_COMM_WORLD until the last one has finished.
    MPI_Finalize();
  }

  bool verifies_payload() const override { return memory_.has_value(); }
  std::optional<std::string> wrong_data() override {
    for (int r = 0; memory_ && r < library_.groups.ranks(); ++r) {
      if (auto wrong = OwedData(promise_).wrong(memory_->buffers(Rank(r)), Rank(r))) return wrong;
    }
    return std::nullopt;
  }

 private:
  /// SMPI looks for the ranks of a host, as the collectives of mpich and mvapich2 need them, in a communicator that is
  /// not MPI_COMM_WORLD, and takes any for it while that is the placeholder. So a duplicate takes its place; MPI_Init
  /// and the duplication itself know it only as the placeholder.
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
    // Some algorithms first learn which ranks share a host, by messages that belong to no operation.
    collective.run(memory, library_.sizes.block);
    if (memory_) fill(memory_->buffers(rank), promise_, rank);
    ready_->wait();
    start(rank);
    await_arrival(rank);
    collective.run(memory, library_.sizes.block);
    finish(rank);
  }

  /// Selects the collectives only once MPI_Comm_dup is over: on each communicator where they are used, those of mpich
  /// and mvapich2 first learn which ranks share a host, by a message from each rank to each other. Among all ranks that
  /// would take longer than all the rest.
  void select_collectives(Rank rank) {
    ready_->wait();
    if (rank == Rank(0)) {
      simgrid::s4u::Engine::set_config("smpi/coll-selector:" + library_.selector);
      simgrid::smpi::colls::set_collectives();
    }
    ready_->wait();
  }

  mpi::LibraryMemory memory_of(Rank rank) {
    if (shared_) return {shared_->first(), shared_->first(), shared_->first(), shared_->first()};
    mpi::Buffers const mine = memory_->buffers(rank);
    fill(mine, promise_, rank);
    auto const at = [&](Buffer buffer) { return mine.first[static_cast<std::size_t>(buffer)]; };
    return {at(Buffer::send), at(Buffer::receive), at(Buffer::intermediate), at(Buffer::intermediate)};
  }

  problem::Intergroup const& library_;
  Collective promise_;
  Schedule buffers_;
  std::optional<RankMemory> memory_;   ///< with payload
  std::optional<AliasMemory> shared_;  ///< without
  simgrid::s4u::BarrierPtr ready_;
  MPI_Comm placeholder_ = MPI_COMM_WORLD;  ///< for all ranks, in this process; not every call works on it
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
