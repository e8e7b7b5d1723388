// Replaces two functions of MPI that tell programs about hosts, and lets the ranks of a host wait for its disk.

#include "engine/programs/host_calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <string>
#include <variant>
#include <vector>

#include "engine/smpi/actors.hpp"

namespace rondo {

namespace {

std::vector<int> hosts_of_ranks;  // empty: nothing is noted

/// The host of the calling rank; -1 on a platform file, and if none has been noted.
int host_here() {
  if (hosts_of_ranks.empty()) return -1;
  int const rank = rank_here();
  return rank < 0 ? -1 : hosts_of_ranks[static_cast<std::size_t>(rank)];
}

}  // namespace

void note_hosts(int ranks, Platform const& machine) {
  if (std::holds_alternative<PlatformFile>(machine.topology)) return;
  for (int rank = 0; rank < ranks; ++rank) hosts_of_ranks.push_back(host_of(machine, Rank(rank)));
}

}  // namespace rondo

// These replace SMPI's functions (see blocking_calls.cpp).
extern "C" {

/// The host of the simulated machine: programs group ranks by this name.
int PMPI_Get_processor_name(char* name, int* length) {
  static auto const smpi_function =
      reinterpret_cast<decltype(PMPI_Get_processor_name)*>(::dlsym(RTLD_NEXT, "PMPI_Get_processor_name"));
  int const host = rondo::host_here();
  if (host < 0 || name == nullptr || length == nullptr) return smpi_function(name, length);
  std::string const text = fmt::format("host{}", host);
  *length = static_cast<int>(text.size());
  std::copy_n(text.c_str(), text.size() + 1, name);
  return MPI_SUCCESS;
}

/// MPI_COMM_TYPE_SHARED groups the ranks of a host of the machine.
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* part) {
  static auto const smpi_function =
      reinterpret_cast<decltype(PMPI_Comm_split_type)*>(::dlsym(RTLD_NEXT, "PMPI_Comm_split_type"));
  int const host = rondo::host_here();
  bool const is_supported = split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_UNDEFINED;
  if (host < 0 || comm == MPI_COMM_NULL || part == nullptr || !is_supported)
    return smpi_function(comm, split_type, key, info, part);
  return PMPI_Comm_split(comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : host, key, part);
}

}  // extern "C"

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
