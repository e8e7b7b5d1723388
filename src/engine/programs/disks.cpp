#include "engine/programs/disks.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <vector>

#include "engine/programs/host_calls.hpp"
#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

std::optional<Disk> disk;              // of each host
std::vector<Seconds> free_disk_times;  // when the last transfer of each disk ends

/// On a platform file each rank is alone on its host.
std::size_t disk_here() { return static_cast<std::size_t>(host_here() >= 0 ? host_here() : rank_here()); }

/// The calling rank waits for the transfers that come before its own, and for its own.
void wait_for_transfer(BytesPerSecond bandwidth, Bytes bytes) {
  Seconds const now(simgrid::s4u::Engine::get_clock());
  Seconds& end = free_disk_times[disk_here()];
  end = std::max(end, now) + disk->latency + bytes / bandwidth;
  simgrid::s4u::this_actor::sleep_for((end - now).value);
  tell_resumed();
}

}  // namespace

void note_disks(int ranks, Platform const& machine) {
  disk = machine.disk;
  free_disk_times.assign(static_cast<std::size_t>(std::max(ranks, hosts(machine))), Seconds(0));
}

}  // namespace rondo

extern "C" {

// librondo_mpi calls these.

[[gnu::visibility("default")]] int rondo_has_disk() { return rondo::disk ? 1 : 0; }

[[gnu::visibility("default")]] void rondo_moves_on_disk(int writes, long long bytes) {
  rondo::wait_for_transfer(writes != 0 ? rondo::disk->write : rondo::disk->read, rondo::Bytes(bytes));
}

// This replaces SMPI's function (see blocking_calls.cpp). SMPI's files have no content, and a program without
// librondo_mpi has no other.
int PMPI_File_open(MPI_Comm comm, char const* name, int /*mode*/, MPI_Info /*info*/, MPI_File* /*file*/) {
  std::fprintf(stderr, "MPI_File_open of %s: expected %s\n", name,
               rondo::disk ? "a program that is linked with librondo_mpi" : "a \"machine\" with a \"disk\"");
  return PMPI_Abort(comm, MPI_ERR_UNSUPPORTED_OPERATION);
}

}  // extern "C"
