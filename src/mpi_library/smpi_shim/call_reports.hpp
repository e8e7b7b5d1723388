#pragma once

// Reports calls of MPI's functions to Rondo if a program runs as kind `program`. Under smpirun nobody receives these
// reports.
// A transfer to the disk of the host on which the calling rank runs is such a report, too. The disk is that of a
// scenario's machine, or that of a platform file.

#include <mpi.h>

#include <cstdint>

#include "mpi_library/classical/collective_call.hpp"

extern "C" {
__attribute__((weak, visibility("default"))) void* rondo_call_begins(char const* name, MPI_Comm comm, long long bytes);
__attribute__((weak, visibility("default"))) void rondo_call_ends(void* call);
/// Between these the library works, which is no computing of the program's.
__attribute__((weak, visibility("default"))) void rondo_library_begins(int polls);
__attribute__((weak, visibility("default"))) void rondo_library_ends();
/// Reports the level of MPI_Pcontrol, by which a program marks the region that is timed.
__attribute__((weak, visibility("default"))) void rondo_timed_region(int level);
/// Whether the hosts of a scenario have disks, and a transfer of so many bytes, after which the call returns.
__attribute__((weak, visibility("default"))) int rondo_has_disk();
__attribute__((weak, visibility("default"))) void rondo_moves_on_disk(int writes, long long bytes);
}

namespace rondo::mpi {

/// Whether a function may be called any number of times until something has happened.
enum class Polls : std::uint8_t { no, yes };

/// Ends the program with a sentence if the caller is another thread than the one that called MPI_Init or
/// MPI_Init_thread: only that thread is the rank. Does nothing before, and in programs that began in Fortran.
void expect_thread_of_rank();

/// As long as this lives, the rank is in a function of the library.
class LibraryScope {
 public:
  explicit LibraryScope(Polls polls = Polls::no) {
    expect_thread_of_rank();
    if (rondo_library_begins != nullptr) rondo_library_begins(polls == Polls::yes ? 1 : 0);
  }
  LibraryScope(LibraryScope const&) = delete;
  LibraryScope& operator=(LibraryScope const&) = delete;
  ~LibraryScope() {
    if (rondo_library_ends != nullptr) rondo_library_ends();
  }
};

/// While this object lives, the rank is in the collective with that name, to which it passes so many bytes. On an
/// inter-communicator the collective belongs to no group.
class CollectiveScope {
 public:
  CollectiveScope(char const* name, CollectiveCall const& call, MPI_Comm comm);
  CollectiveScope(CollectiveScope const&) = delete;
  CollectiveScope& operator=(CollectiveScope const&) = delete;
  ~CollectiveScope();

 private:
  void* call_ = nullptr;
};

/// Whether the machine is that of a scenario.
bool in_a_scenario();
bool has_disk();
/// The rank waits until the disk has moved so many bytes. Needs a disk.
void wait_for_disk(bool writes, MPI_Offset bytes);

}  // namespace rondo::mpi
